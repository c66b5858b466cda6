"""Modification: what a user asks for, as typed edits of the template that he has."""
