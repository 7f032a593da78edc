# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The results file, rewritten as a whole after every row, so that a run can be continued."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

Row = dict[str, Any]
KEYS = {"solo": ("model", "precision", "per_gpu_batch"),
        "pairs": ("model", "per_gpu_batch", "co_model", "co_per_gpu_batch", "precision", "sharing")}
"""What makes a row of a table the same measurement as another."""


class Store:
    """Tables `solo` and `pairs` of the measurements, and their environment."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._content: dict[str, Any] = {"environment": {}, "solo": [], "pairs": [], "notes": []}
        if path.exists():
            self._content = json.loads(path.read_text(encoding="utf-8"))

    def set_environment(self, environment: Row) -> None:
        """Ends the program if the file holds measurements of another environment."""
        known = self._content["environment"]
        different = sorted(key for key in environment if known and known.get(key) !=
                           environment[key])
        if different:
            raise SystemExit(f"fidelity: {self._path} was measured with another "
                             f"{', '.join(different)}; choose another folder or delete it")
        self._content["environment"] = environment
        self._write()

    def has(self, table: str, row: Row) -> bool:
        """Whether this was measured without failure."""
        key = [row[name] for name in KEYS[table]]
        return any([old[name] for name in KEYS[table]] == key and not old["failure"]
                   for old in self._content[table])

    def add(self, table: str, row: Row) -> None:
        """Replaces an older row of the same measurement."""
        key = [row[name] for name in KEYS[table]]
        kept = [old for old in self._content[table] if [old[name] for name in KEYS[table]] != key]
        self._content[table] = [*kept, row]
        self._write()

    def note(self, text: str) -> None:
        """Records what was left out, and why."""
        if text not in self._content["notes"]:
            self._content["notes"].append(text)
            self._write()

    def _write(self) -> None:
        part = self._path.with_suffix(".part")
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(self._content, indent=1) + "\n", encoding="utf-8")
        os.replace(part, self._path)
