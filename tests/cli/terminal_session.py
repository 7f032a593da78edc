# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A program on its own terminal, as a user sees it."""

import fcntl
import os
import pty
import select
import struct
import termios
import time

LIMIT_S = 60


class TerminalSession:
    def __init__(self, command, columns=80, rows=30, environment=None):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", **(environment or {})})
        self.seen = ""

    def press(self, keys):
        os.write(self.terminal, keys.encode())

    def read(self, seconds):
        """Reads what arrives within the time. Returns False at the program's end."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # Linux reports the closed other side this way
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)

    def read_until(self, text):
        end = time.monotonic() + LIMIT_S
        while text not in self.seen and time.monotonic() < end and self.read(0.2):
            pass
        return text in self.seen

    def exit_code(self):
        """Reads to the program's end and returns its exit code."""
        end = time.monotonic() + LIMIT_S
        while self.read(0.2) and time.monotonic() < end:
            pass
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
