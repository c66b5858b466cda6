"""Many small cases in one test: as tests of their own, they cost more than what they check."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps

import pytest

Test = Callable[..., None]
MARKED = type(pytest.param())


def each(names: str, cases: Iterable[object]) -> Callable[[Test], Test]:
    """Run a test once for each case, as ``parametrize`` does, and report all that fail, each with its case.

    `names` are those of the test's arguments, separated by commas. With several, a case is a value for each.
    """
    keys, listed = [name.strip() for name in names.split(",")], list(cases)
    assert listed, f"no cases of {names}"
    assert not any(isinstance(case, MARKED) for case in listed), "cases of one test have no marks of their own"

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**given: object) -> None:
            failed: list[BaseException] = []
            for case in listed:
                values = case if len(keys) > 1 else (case,)
                try:
                    test(**dict(zip(keys, values, strict=True)), **given)  # type: ignore[call-overload]
                except (Exception, pytest.fail.Exception, BaseExceptionGroup) as error:
                    error.add_note(f"{names}: {case!r:.500}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(listed)} cases failed", failed)

        signature = inspect.signature(test)
        others = [one for name, one in signature.parameters.items() if name not in keys]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate
