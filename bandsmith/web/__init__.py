"""The web door: a page in the browser and the HTTP interface under ``/api``.

A door is a client of the bus. It starts turns, follows their events, and reads sessions and files; it keeps no state
that another process would need, so any number of processes may serve the same bus.
"""
