"""Landlock: which files this process may open from now on. Linux 5.13 or later."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""System calls, with the same numbers on every architecture."""
_GET_VERSION, _RULE_PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights each version knows; later ones know all 16."""
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
"""Rights that may be granted on a file; the others are about what a folder contains."""
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_NET_TCP = 0b11
_SCOPES = 0b11
"""Abstract sockets and signals, from version 6 on."""


def version(libc: ctypes.CDLL) -> int:
    """Return the kernel's version of Landlock; 0 where it has none."""
    return max(0, int(libc.syscall(_CREATE_RULESET, None, 0, _GET_VERSION)))


def restrict(libc: ctypes.CDLL, read: Iterable[Path], write: Iterable[Path]) -> bool:
    """Allow reading below the paths of `read` and everything below those of `write`, and no other file.

    Requires that the process can gain no privileges. Returns whether the kernel does it.
    """
    if not (found := version(libc)):
        return False
    rights = (1 << _RIGHTS_BY_VERSION.get(found, 16)) - 1
    attributes = struct.pack("QQQ", rights, _NET_TCP if found >= 4 else 0, _SCOPES if found >= 6 else 0)
    size = 24 if found >= 6 else 16 if found >= 4 else 8
    ruleset = libc.syscall(_CREATE_RULESET, attributes, size, 0)
    if ruleset < 0:
        return False
    try:
        allowed = [*((path, _READ) for path in read), *((path, rights) for path in write)]
        for path, granted in allowed:
            _allow(libc, ruleset, path, granted & rights)
        return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    """Add a rule. A path that does not exist is nothing that could be opened."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not path.is_dir():
            rights &= _OF_FILES
        libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, struct.pack("<Qi", rights, opened), 0)
    finally:
        os.close(opened)
