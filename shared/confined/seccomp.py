"""Seccomp: which system calls the kernel refuses this process from now on. Linux on x86-64 and ARM64."""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

_SET_SECCOMP, _MODE_FILTER = 22, 2
_LOAD, _EQUAL, _BITS_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
"""Instructions of the filter: load a word, compare it, test its bits, return."""
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_CALL, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
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
    },
}  # fmt: skip
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
    # The C library falls back to clone, whose flags a filter can see.
    steps += [_step(_EQUAL, _CLONE3, 0, 1), _step(_RETURN, _ERRNO | errno.ENOSYS)]
    steps += [_step(_EQUAL, _CLONE[machine], 0, 3), _step(_LOAD, _FIRST_ARGUMENT)]
    steps += [_step(_BITS_SET, _CLONE_THREAD, 1, 0), refuse]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def _step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, operand)
