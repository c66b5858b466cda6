"""Forms to try Bandsmith on: drawn by the programs in this folder, their companies and people invented."""
