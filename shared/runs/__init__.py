"""Scheduled runs: when they are due (`times`), what follows from the time and the log (`steps`), and their store."""
