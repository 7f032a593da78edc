# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Files that get their final name when they are complete."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Iterator, TextIO

from mimus_results.read import ReadError


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "w", encoding="utf-8", newline="\n") as file:
            yield file
        os.replace(part, path)
    except OSError as error:
        raise ReadError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
