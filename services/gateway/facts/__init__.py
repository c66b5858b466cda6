"""What a turn knows, by flow. A fact says here, where it is declared, how an answer changes it."""
