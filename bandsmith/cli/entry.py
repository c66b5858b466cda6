"""The console script.

Exit codes: 0 what was asked for was done; 2 wrong input or setting; 3 a required component is missing; 1 anything
else, for example a report that is unfinished.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn

from bandsmith.shared.errors import BandsmithError

from .app import app

NO_SPACE = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS))
"""Of a disk or a quota that is full, of a file that may not grow, of a disk that cannot be written."""


def main() -> None:
    """Run the console script: every error becomes one sentence on standard error and an exit code."""
    try:
        try:
            app(prog_name="bandsmith")  # also for completion, which is found by this name
        finally:
            sys.stdout.flush()  # it may go to a file on a full disk
    except BandsmithError as error:
        _stop(error)
    except OSError as error:
        _stop_without_space(error) if error.errno in NO_SPACE else _stop_unexpectedly(error)
    except Exception as error:
        _stop_unexpectedly(error)


def _stop_without_space(error: OSError) -> NoReturn:
    sys.stdout = None  # what is still to be printed has no place; the interpreter would try again
    _stop(BandsmithError.of("cli.no_space", code=BandsmithError.code, reason=os.strerror(error.errno or 0)))


def _stop_unexpectedly(error: Exception) -> NoReturn:
    import structlog  # noqa: PLC0415 - slow; the help does not need it

    from bandsmith.shared.telemetry import log  # noqa: PLC0415

    from .messages import unexpected  # noqa: PLC0415

    structlog.get_logger(__name__).debug("cli.failed", error=type(error).__name__, where=log.error_locations(error))
    _stop(unexpected())


def _stop(error: BandsmithError) -> NoReturn:
    from .messages import exit_code, sentence  # noqa: PLC0415

    print(sentence(error), file=sys.stderr)
    sys.exit(exit_code(error))
