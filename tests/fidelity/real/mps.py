# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A separate Multi-Process Service for the duration of a `with` block."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

CONTROL = "nvidia-cuda-mps-control"


class MpsUnavailable(RuntimeError):
    """Why jobs cannot share a GPU through MPS here."""


def ask(command: str) -> str:
    """The answer of the control daemon of this environment."""
    done = subprocess.run([CONTROL], input=command + "\n", text=True, capture_output=True,
                          timeout=30, check=False)
    if done.returncode != 0:
        raise MpsUnavailable(f"{CONTROL} refuses {command}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def serving() -> bool:
    """Whether a server runs. It starts with the first client, and without one MPS is not in use."""
    return any(word.isdigit() for word in ask("get_server_list").split())


def check_installed() -> None:
    """Raises MpsUnavailable if no service can be started."""
    if shutil.which(CONTROL) is None:
        raise MpsUnavailable(f"{CONTROL} is not installed")


@contextmanager
def service() -> Iterator[None]:
    """CUDA programs started inside share the GPU through MPS. Throws MpsUnavailable.

    Pipes and logs lie in a folder of our own, so that a service of the site is left alone. Ask
    `serving` afterwards: a program that finds no daemon runs without MPS and does not say so.
    """
    check_installed()
    with tempfile.TemporaryDirectory(prefix="mps-", ignore_cleanup_errors=True) as folder:
        names = ("CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY")
        before = {name: os.environ.get(name) for name in names}
        os.environ.update(dict.fromkeys(names, folder))
        try:
            started = subprocess.run([CONTROL, "-d"], text=True, capture_output=True, timeout=30,
                                     check=False)
            if started.returncode != 0:
                raise MpsUnavailable(f"{CONTROL} -d: {(started.stderr or started.stdout).strip()}")
            try:
                yield
            finally:
                ask("quit")
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name)
                else:
                    os.environ[name] = value
