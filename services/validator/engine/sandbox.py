"""What the worker process gives up before it reads a template: the network, large files, and life without its owner.

On Linux, as root or where users may create namespaces, the process has no network at all. Elsewhere the lockdown of the
engine still leaves a template no class that could open a connection.
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
MAX_FILE_BYTES = 256 * 1024 * 1024


def enter() -> bool:
    """Apply the restrictions and return whether the network is gone. Call this while the process has one thread."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.unshare(_CLONE_NEWNET) == 0 or libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0


def exit_with_owner(owner: socket.socket) -> None:
    """Exit when the owner's end of the socket closes, whatever the engine is doing."""

    def watch() -> None:
        poll = select.poll()
        poll.register(owner, 0)  # hang-ups are always reported
        poll.poll()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
