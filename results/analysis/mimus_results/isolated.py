# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Reads files without checksums in a child process, which may crash or loop instead of this
process.

The same in C++: results/file/reading_child.hpp.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Callable, TypeVar

from mimus_results.errors import REMEDY, ReadError

T = TypeVar("T")

# CPU time limit of the child [s]: a damaged file can make HDF5 loop.
_LEAST_SECONDS = 20
_BYTES_PER_SECOND = 10_000_000
# Memory limit beyond what the child has at its start: a damaged length must not exhaust the
# machine.
_LEAST_BYTES = 2 << 30
_BYTES_PER_BYTE = 64


def call(path: Path, act: Callable[[], T]) -> T:
    """What `act()` returns in a child process. Raises ReadError, which names the file.

    Where processes cannot be forked `act` runs in this one.
    """
    if not hasattr(os, "fork"):
        return act()
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        _answer(path, act, sender)
    sender.close()
    try:
        kind, value = receiver.recv()
    except EOFError:
        kind, value = "died", None
    finally:
        receiver.close()
        _, status = os.waitpid(child, 0)
    if kind == "done":
        return value
    raise ReadError(value if kind == "refused" else
                    f"{path}: cannot be read as a result file: {value or _death(status)}; {REMEDY}")


def _answer(path: Path, act: Callable[[], T], sender: Connection) -> None:
    """Runs in the child and never returns, because exit handlers of the parent must not run
    twice."""
    try:
        _limit(path)
        try:
            answer = "done", act()
        except ReadError as error:
            answer = "refused", str(error)
        except Exception as error:  # any error that damaged bytes may cause
            answer = "failed", f"{type(error).__name__}: {error}"
        sender.send(answer)
    finally:
        os._exit(0)


def _limit(path: Path) -> None:
    import resource  # missing on some systems, which have no fork either

    def set_limit(kind: int, most: int) -> None:
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))

    size = path.stat().st_size
    set_limit(resource.RLIMIT_CPU, _LEAST_SECONDS + size // _BYTES_PER_SECOND)
    set_limit(resource.RLIMIT_CORE, 0)
    pages = Path("/proc/self/statm")
    if pages.exists():
        own = int(pages.read_text().split()[0]) * resource.getpagesize()
        set_limit(resource.RLIMIT_AS, own + _LEAST_BYTES + _BYTES_PER_BYTE * size)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)  # output of libraries that abort


def _death(status: int) -> str:
    if not os.WIFSIGNALED(status):
        return "its reader ended without an answer"
    number = os.WTERMSIG(status)
    if number in (signal.SIGXCPU, signal.SIGKILL):
        return "reading it did not end"
    return f"HDF5 crashes while reading it ({signal.strsignal(number)})"
