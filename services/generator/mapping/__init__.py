"""Field mapping: what the texts of a form are called, of which type they are, and which of them follow from others."""
