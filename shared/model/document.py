"""Document: what came in, before anything was understood."""

from .base import Ref, Value
from .geometry import Size


class Document(Value):
    """One input file."""

    name: str
    """The file's own name, without folders; used for its suffix and for the report's name, never opened."""
    content: Ref
    page: Size | None = None
    """The page's size in points where the user knows it; else it is told from the document."""
