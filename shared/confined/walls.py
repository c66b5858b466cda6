"""What a worker process gives up before it reads anything from outside. See the package."""

from __future__ import annotations

import ctypes
import os
import resource
import select
import socket
import struct
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..fonts import font_folders
from . import landlock, seccomp

MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_OPEN_FILES = 1024
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_NO_NEW_PRIVILEGES = 38
_CAPABILITY_VERSION = 0x20080522
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/opt", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
    "/etc/localtime", "/etc/timezone", "/etc/alternatives", "/etc/fonts", "/etc/ssl/openssl.cnf", "/etc/mime.types",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/sys/vm",
    "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
    "/dev/urandom", "/dev/random",
)  # fmt: skip
"""What programs, libraries and fonts of the system are made of, and what they ask of the machine."""
_DEVICES = ("/dev/null",)


@dataclass(frozen=True)
class Walls:
    """Which walls surround a worker."""

    files: bool = False
    network: bool = False
    calls: bool = False
    privileges: bool = False

    @property
    def standing(self) -> list[str]:
        return [name for name, stands in vars(self).items() if stands]

    @property
    def missing(self) -> list[str]:
        """Return the names of the walls that the kernel does not support."""
        return [name for name, stands in vars(self).items() if not stands]


def confine(*, read: Iterable[Path] = (), write: Iterable[Path] = (), max_memory_bytes: int | None = None) -> Walls:
    """Take every wall that the kernel offers upon this process. Call this while it has one thread.

    Beside the system and this program, it may read below `read` and change what is below `write`.
    """
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
    _limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    if max_memory_bytes is not None:
        _limit(resource.RLIMIT_DATA, max_memory_bytes)
    if sys.platform != "linux":
        return Walls()
    libc = ctypes.CDLL(None, use_errno=True)
    network = libc.unshare(_CLONE_NEWNET) == 0 or libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0
    privileges = libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0 and _drop_capabilities(libc)
    system = [*map(Path, _SYSTEM), *Path("/etc").glob("java-*"), *_program(), *font_folders()]
    files = landlock.restrict(libc, [*system, *read], [*map(Path, _DEVICES), *write])
    return Walls(files=files, network=network, calls=seccomp.restrict(libc), privileges=privileges)


def exit_with_owner(owner: socket.socket) -> None:
    """Exit when the owner's end of the socket closes, whatever this process is doing."""

    def watch() -> None:
        poll = select.poll()
        poll.register(owner, 0)  # hang-ups are always reported
        poll.poll()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _limit(what: int, most: int) -> None:
    """Lower a limit. One that is lower already stays."""
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def _drop_capabilities(libc: ctypes.CDLL) -> bool:
    header = struct.pack("Ii", _CAPABILITY_VERSION, 0)
    return bool(libc.capset(header, bytes(24)) == 0)


def _program() -> list[Path]:
    """Return the folders of Python, its packages and this program."""
    package_of_this = sys.modules[__name__.partition(".")[0]]
    places = [sys.prefix, sys.base_prefix, *sys.path, *package_of_this.__path__]
    found = [Path(place).resolve() for place in places if place]
    package = [path.resolve() for folder in found if folder.name == "bandsmith" for path in folder.iterdir()]
    if java := os.environ.get("JAVA_HOME"):
        package.append(Path(java).resolve())
    return [path for path in (*found, *package) if path != Path.home().resolve() and path != Path("/")]
