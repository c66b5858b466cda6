"""Recalls what is known that may help a turn."""
