# SPDX-License-Identifier: MIT
"""terminal.py: runs a command on a pseudo-terminal, as a person would see it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

from program import environment


def terminal(argv, cwd=None, env=None, columns=80, rows=24, stdout=True, stderr=True, keys=b"", timeout=120):
    """Status and all that was written to the terminal, as text. stdout, stderr: whether it is the terminal; otherwise a file that nobody reads.
    Keys are typed once something was written."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([os.fspath(word) for word in argv], stdin=slave, stdout=slave if stdout else nowhere, stderr=slave if stderr else nowhere, cwd=cwd,
                                   env=environment(**env or {}), start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(slave)
    said, end = b"", time.monotonic() + timeout
    while time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:                                  # the last program closed it
                break
            said += piece
            if keys:
                os.write(master, keys)
                keys = b""
        elif process.poll() is not None:
            break
    if process.poll() is None and time.monotonic() >= end:
        process.kill()
    status = process.wait()
    os.close(master)
    return status, said.decode("utf-8", "replace").replace("\r\n", "\n")
