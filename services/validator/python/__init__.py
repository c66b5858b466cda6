"""Steps in Python that a model wrote: checked against an allow-list, and run in a worker that can only compute."""
