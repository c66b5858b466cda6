"""Calendars as values: what may stand where, the changes to them, how good they are, and rough placement.

Everything here is pure: a change takes a calendar and returns another one, or refuses and returns none.
"""
