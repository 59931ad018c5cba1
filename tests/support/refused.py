# SPDX-License-Identifier: MIT
"""refused.py: a process that the kernel refuses system calls, or other CPUs, as a container or an administrator may."""

import ctypes
import os
import struct

TIMER_CREATE, PERF_EVENT_OPEN = 222, 298             # x86-64


def refuse(calls):
    """Runs in the child: a seccomp filter that answers `calls` with EACCES."""
    load = struct.pack("HBBI", 0x20, 0, 0, 0)
    tests = b"".join(struct.pack("HBBI", 0x15, len(calls) - i, 0, number) for i, number in enumerate(calls))
    code = load + tests + struct.pack("HBBI", 0x06, 0, 0, 0x7fff0000) + struct.pack("HBBI", 0x06, 0, 0, 0x00050000 | 13)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def one_cpu():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def one_cpu_without_events():
    one_cpu()
    refuse([PERF_EVENT_OPEN])
