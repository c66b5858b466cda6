"""What the worker's process gives up before it looks at a template: the network, large files, outliving its owner.

What holds: on Linux, as root or where users may make namespaces, the process has no network at all. Elsewhere the
engine's own lockdown still leaves a template no class that could open a connection.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import socket
import sys
import threading

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_LARGEST_FILE = 64 * 1024 * 1024


def enter() -> bool:
    """Call while the process still has one thread. Returns whether the network is gone."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.unshare(_CLONE_NEWNET) == 0 or libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0


def die_with(owner: socket.socket) -> None:
    """End this process when its owner's side of the socket closes, whatever the engine is busy with."""

    def watch() -> None:
        poll = select.poll()
        poll.register(owner, 0)  # hang-ups are always told
        poll.poll()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
