"""Does the real engine compile it?"""

from __future__ import annotations

from shared.model.verdict import Finding

from ..engine import Engine, EngineDied, EngineRefused, EngineTimeout
from .fill import killed


def check(engine: Engine, content: bytes) -> list[Finding]:
    """``compile.failed``, one for each thing that the engine says; ``compile.timeout``, ``compile.died``."""
    try:
        engine.compile(content)
    except EngineRefused as refusal:
        return [
            Finding(
                code="compile.failed",
                message=f"The engine does not compile it: {reason}",
                message_zh=f"引擎编译失败:{reason}",
            )
            for reason in refusal.reasons
        ]
    except (EngineTimeout, EngineDied) as error:
        return [killed("compile", error)]
    return []
