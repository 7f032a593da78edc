# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Compares a finished file with the checksums at its end, before HDF5 reads it.

HDF5 does not check a file, and damaged bytes can crash the process that reads them.
results/file/checksums.hpp has the layout of the checksums and does the same in C++.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import BinaryIO, NamedTuple

from mimus_results.errors import REMEDY, ReadError

_FOOTER = struct.Struct("<IIQ16s")
_MARK = b"mimus-checksums1"
_BLOCK_BYTES = 65536


class _Checksums(NamedTuple):
    content_bytes: int
    blocks: tuple[int, ...]


# Files that were already compared, as (path, size, time of the last change [ns]).
_compared: set[tuple] = set()


def verify(path: Path) -> bool:
    """Returns whether the file has checksums. It is compared with them once, as long as it does
    not change.

    Raises ReadError where its content is not what was written, or it cannot be opened.
    """
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            version = (path, status.st_size, status.st_mtime_ns)
            if version in _compared:
                return True
            sums = _read(file, status.st_size)
            if sums is None:
                return False
            _compare(path, file, sums)
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {error.strerror}") from error
    _compared.add(version)
    return True


def _read(file: BinaryIO, size: int) -> _Checksums | None:
    """The checksums, or None if the file has none or they are damaged themselves."""
    if size < _FOOTER.size:
        return None
    file.seek(size - _FOOTER.size)
    table_checksum, block_bytes, content_bytes, mark = _FOOTER.unpack(file.read(_FOOTER.size))
    count = -(-content_bytes // _BLOCK_BYTES)
    if (mark != _MARK or block_bytes != _BLOCK_BYTES
            or content_bytes + 4 * count + _FOOTER.size != size):
        return None
    file.seek(content_bytes)
    table = file.read(4 * count)
    if zlib.crc32(table) != table_checksum:
        return None
    return _Checksums(content_bytes, struct.unpack(f"<{count}I", table))


def _compare(path: Path, file: BinaryIO, sums: _Checksums) -> None:
    file.seek(0)
    for number, expected in enumerate(sums.blocks):
        begin = number * _BLOCK_BYTES
        end = min(begin + _BLOCK_BYTES, sums.content_bytes)
        if zlib.crc32(file.read(end - begin)) != expected:
            raise ReadError(f"{path}: is damaged: bytes {begin} to {end} are not those that were "
                            f"written; {REMEDY}")
