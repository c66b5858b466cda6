"""Tasks: work that a message asks for is placed in a calendar, shown, and stored after the user's consent."""
