"""Put the attached pictures into the edits that print them."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Sequence

from PIL import Image, ImageOps

from bandsmith.shared.actor import Store
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_picture import AddPicture
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.jrxml.dom import declared_nodes
from bandsmith.shared.model.document import Document
from bandsmith.shared.replies import Text
from bandsmith.shared.turns.request import ChangeRequest

from ..template_view import TemplateView

MAX_PICTURE_BYTES = 16 * 1024 * 1024
MAX_PICTURE_PIXELS = 40_000_000
"""A larger picture is refused before it is decoded."""
MAX_SIDE_PX = (1200, 600)
"""The sizes that a picture is reduced to, until it is small enough."""
MAX_PNG_BYTES = 600_000
KEY = "logo"


async def with_pictures(
    store: Store, request: ChangeRequest, pictures: Sequence[Document], view: TemplateView
) -> ChangeRequest:
    """Return the request with the contents of the attached pictures in its edits.

    An edit of a picture that is not attached becomes a refusal.
    """
    if not any(isinstance(edit, AddPicture) for edit in request.edits):
        return request
    edits: list[AnyEdit] = []
    refusals = list(request.refusals)
    taken = {piece.key for piece in view.pieces} | set(declared_nodes(view.root, "parameter"))
    for edit in request.edits:
        if not isinstance(edit, AddPicture):
            edits.append(edit)
            continue
        document = _meant(edit.file, pictures)
        png = None if document is None else await _read(store, document)
        if document is None or png is None:
            refusals.append(_refusal(edit.file, pictures, document))
            continue
        key = name_for(None, KEY, taken)
        taken.add(key)
        content = base64.b64encode(png).decode("ascii")
        edits.append(edit.model_copy(update={"file": document.name, "key": key, "content": content}))
    return request.model_copy(update={"edits": edits, "refusals": refusals})


def _meant(name: str, pictures: Sequence[Document]) -> Document | None:
    """Return the picture of this name; the only one where there is no other."""
    named = next((one for one in pictures if name and one.name.casefold() == name.casefold()), None)
    return named or (pictures[0] if len(pictures) == 1 else None)


def _refusal(name: str, pictures: Sequence[Document], document: Document | None) -> Text:
    if document is not None:
        return Text.of("language.pictures.unreadable", name=document.name)
    return Text.of("language.pictures.several" if pictures else "language.pictures.none")


async def _read(store: Store, document: Document) -> bytes | None:
    """Return a picture as a PNG of a moderate size; None if it cannot be read."""
    content = await store.get(document.content)
    return await asyncio.to_thread(_as_png, content)


def _as_png(content: bytes) -> bytes | None:
    if len(content) > MAX_PICTURE_BYTES:
        return None
    try:
        with Image.open(io.BytesIO(content)) as opened:
            if opened.width * opened.height > MAX_PICTURE_PIXELS:
                return None
            image = ImageOps.exif_transpose(opened)
            has_holes = "A" in image.getbands() or "transparency" in image.info
            image = image.convert("RGBA" if has_holes else "RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    png = b""
    for side in MAX_SIDE_PX:
        image.thumbnail((side, side))
        target = io.BytesIO()
        image.save(target, "PNG", optimize=True)
        png = target.getvalue()
        if len(png) <= MAX_PNG_BYTES:
            break
    return png
