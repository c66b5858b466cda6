"""Seccomp: which system calls the kernel refuses this process from now on. Linux on x86-64 and ARM64.

Beside network and programs, it refuses what Landlock lets through: changes to a file that name it by its path (mode,
owner, times, attributes; before Linux 6.2 also its length), signals to other processes (before Linux 6.12), and what
processes of one user share without a file (System V's shared memory, queues and semaphores).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_SET_SECCOMP, _MODE_FILTER = 22, 2
_LOAD, _EQUAL, _BITS_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
"""Instructions of the filter: load a word, compare it, test its bits, return."""
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_CALL, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
"""Where the filter finds them."""
_CLONE_THREAD = 0x00010000
_X32 = 0x40000000
"""Set in the number of a call of the x32 interface, under which every call has a second number."""

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_REFUSED = {
    "x86_64": {
        "socket": 41, "connect": 42, "bind": 49, "listen": 50, "accept": 43, "accept4": 288,
        "execve": 59, "execveat": 322, "fork": 57, "vfork": 58, "ptrace": 101, "process_vm_readv": 310,
        "process_vm_writev": 311, "pidfd_open": 434, "pidfd_getfd": 438, "kcmp": 312, "unshare": 272, "setns": 308,
        "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "open_tree": 428, "move_mount": 429,
        "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "bpf": 321,
        "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427, "keyctl": 250, "add_key": 248, "request_key": 249, "kexec_load": 246,
        "kexec_file_load": 320, "init_module": 175, "finit_module": 313, "delete_module": 176, "reboot": 169,
        "swapon": 167, "swapoff": 168, "acct": 163, "quotactl": 179, "settimeofday": 164, "clock_settime": 227,
        "clock_adjtime": 305, "adjtimex": 159, "sethostname": 170, "setdomainname": 171, "syslog": 103,
        "open_by_handle_at": 304, "name_to_handle_at": 303, "fanotify_init": 300, "ioperm": 173, "iopl": 172,
        "mknod": 133, "mknodat": 259, "personality": 135, "modify_ldt": 154,
        "truncate": 76, "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchown": 93,
        "lchown": 94, "fchownat": 260, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "setxattrat": 463,
        "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "removexattrat": 466, "utime": 132,
        "utimes": 235, "futimesat": 261, "utimensat": 280, "tkill": 200, "rt_sigqueueinfo": 129,
        "rt_tgsigqueueinfo": 297, "pidfd_send_signal": 424, "shmget": 29, "shmat": 30, "shmctl": 31, "msgget": 68,
        "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "semget": 64, "semop": 65, "semctl": 66, "semtimedop": 220,
        "mq_open": 240, "mq_unlink": 241, "process_madvise": 440, "process_mrelease": 448, "migrate_pages": 256,
        "move_pages": 279,
    },
    "aarch64": {
        "socket": 198, "connect": 203, "bind": 200, "listen": 201, "accept": 202, "accept4": 242,
        "execve": 221, "execveat": 281, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271,
        "pidfd_open": 434, "pidfd_getfd": 438, "kcmp": 272, "unshare": 97, "setns": 268, "mount": 40, "umount2": 39,
        "pivot_root": 41, "chroot": 51, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431,
        "fsmount": 432, "fspick": 433, "mount_setattr": 442, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282,
        "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "keyctl": 219, "add_key": 217,
        "request_key": 218, "kexec_load": 104, "kexec_file_load": 294, "init_module": 105, "finit_module": 273,
        "delete_module": 106, "reboot": 142, "swapon": 224, "swapoff": 225, "acct": 89, "quotactl": 60,
        "settimeofday": 170, "clock_settime": 112, "clock_adjtime": 266, "adjtimex": 171, "sethostname": 161,
        "setdomainname": 162, "syslog": 116, "open_by_handle_at": 265, "name_to_handle_at": 264, "fanotify_init": 262,
        "mknodat": 33, "personality": 92,
        "truncate": 45, "fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "fchown": 55, "fchownat": 54, "setxattr": 5,
        "lsetxattr": 6, "fsetxattr": 7, "setxattrat": 463, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
        "removexattrat": 466, "utimensat": 88, "tkill": 130, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240,
        "pidfd_send_signal": 424, "shmget": 194, "shmat": 196, "shmctl": 195, "msgget": 186, "msgsnd": 189,
        "msgrcv": 188, "msgctl": 187, "semget": 190, "semop": 193, "semctl": 191, "semtimedop": 192, "mq_open": 180,
        "mq_unlink": 181, "process_madvise": 440, "process_mrelease": 448, "migrate_pages": 238, "move_pages": 239,
    },
}  # fmt: skip
_OF_THIS_PROCESS = {
    "x86_64": {"kill": 62, "tgkill": 234, "prlimit64": 302},
    "aarch64": {"kill": 129, "tgkill": 131, "prlimit64": 261},
}
"""Calls whose first argument is a process; only this one, or 0 for it, may be named."""
_BY_SECOND_ARGUMENT = {
    "x86_64": {"fcntl": 72, "ioctl": 16},
    "aarch64": {"fcntl": 25, "ioctl": 29},
}
_TO_ANOTHER_OWNER = (8, 10, 15, 0x8901, 0x8902)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX, FIOSETOWN, SIOCSPGRP: they have the kernel send a signal to another process."""
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def restrict(libc: ctypes.CDLL) -> bool:
    """Refuse the calls from now on. Requires that the process can gain no privileges.

    Returns whether the kernel does it.
    """
    machine = platform.machine()
    if machine not in _REFUSED:
        return False
    code = _filter(machine)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    return bool(libc.prctl(_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def _filter(machine: str) -> bytes:
    """Return the filter as instructions of the kernel's packet filter: code, jumps if true and if false, operand."""
    refuse = _step(_RETURN, _ERRNO | errno.EPERM)
    steps = [_step(_LOAD, _ARCHITECTURE), _step(_EQUAL, _AUDIT[machine], 1, 0), _step(_RETURN, _KILL)]
    steps.append(_step(_LOAD, _CALL))
    if machine == "x86_64":
        steps += [_step(_BITS_SET, _X32, 0, 1), refuse]
    for number in _REFUSED[machine].values():
        steps += [_step(_EQUAL, number, 0, 1), refuse]
    for number in _OF_THIS_PROCESS[machine].values():
        steps += _unless_argument(number, _FIRST_ARGUMENT, (0, os.getpid()), is_allowed=True)
    for number in _BY_SECOND_ARGUMENT[machine].values():
        steps += _unless_argument(number, _SECOND_ARGUMENT, _TO_ANOTHER_OWNER, is_allowed=False)
    # The C library falls back to clone, whose flags a filter can see.
    steps += [_step(_EQUAL, _CLONE3, 0, 1), _step(_RETURN, _ERRNO | errno.ENOSYS)]
    steps += [_step(_EQUAL, _CLONE[machine], 0, 3), _step(_LOAD, _FIRST_ARGUMENT)]
    steps += [_step(_BITS_SET, _CLONE_THREAD, 1, 0), refuse]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def _unless_argument(number: int, argument: int, values: tuple[int, ...], *, is_allowed: bool) -> list[bytes]:
    """Refuse a call whose argument is none of the values, or one of them. The number of the call is loaded again."""
    refuse, allow = _step(_RETURN, _ERRNO | errno.EPERM), _step(_RETURN, _ALLOW)
    if_one, otherwise = (allow, refuse) if is_allowed else (refuse, allow)
    compared = [_step(_EQUAL, value, len(values) - at, 0) for at, value in enumerate(values)]
    return [_step(_EQUAL, number, 0, len(values) + 3), _step(_LOAD, argument), *compared, otherwise, if_one]


def _step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, operand)
