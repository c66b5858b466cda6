"""Recognise text in a worker process, behind the walls of ``shared.confined``.

The models see pixels of documents from outside, and their runtime is a large program. The worker loads the models once
and keeps them. What comes back is data of ours: areas and texts. With a GPU the engine works in the service itself: its
driver needs devices and calls that the walls refuse.
"""

from .client import ConfinedEngine, open_engine

__all__ = ["ConfinedEngine", "open_engine"]
