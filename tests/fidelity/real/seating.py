# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Which jobs of a pair matrix wait on the GPU while others are measured."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .crew import Crew

CONTEXT = 700 << 20
"""Bytes of a process besides its job's: context, libraries, code of kernels."""

TRIES = 2
"""Of making a job: first beside all others, then beside its partner only."""

Pair = tuple[int, int]
"""Models by their place: on the left side and on the right one."""


class Seating:
    """Every model has a job for either side of a pair: seats i and n + i of model i.

    All are made at the beginning as far as the GPU's memory allows, and the others when their pair
    comes, in place of jobs whose pairs are all measured.
    """

    def __init__(self, crew: Crew, tasks: list[Any], memory: int) -> None:
        """`tasks` make the jobs by model; `memory` [B] is what waiting jobs may fill."""
        self._crew = crew
        self._tasks = tasks
        self._memory = memory
        self._held: dict[int, int] = {}  # by seat
        self._needs: dict[int, int] = {}  # by model
        self._tries: Counter[int] = Counter()  # by seat

    def seats(self, pair: Pair) -> list[int]:
        return [pair[0], len(self._tasks) + pair[1]]

    def prepare(self, due: list[Pair]) -> None:
        """Starts one job of each model first, which shows how much memory the other one needs."""
        self._start(sorted({self.seats(pair)[1] for pair in due}))
        others = sorted({self.seats(pair)[0] for pair in due})
        fitting, total = [], sum(self._held.values())
        for seat in others:
            total += self._needs.get(seat, self._memory)
            if total > self._memory:
                break
            fitting.append(seat)
        self._start(fitting)

    def make_room(self, pair: Pair, due: list[Pair]) -> None:
        """Makes both jobs of the pair ready if possible; `due` contains this pair and all later
        ones."""
        used = {seat for later in due for seat in self.seats(later)}
        self._dismiss([seat for seat in self._held if seat not in used])
        for seat in self.seats(pair):
            if self._crew.ready(seat) or self._tries[seat] == TRIES:
                continue
            need = self._needs.get(seat % len(self._tasks), self._memory)
            if sum(self._held.values()) + need > self._memory:
                self._dismiss([one for one in self._held if one not in self.seats(pair)])
            self._start([seat])

    def _start(self, seats: list[int]) -> None:
        models = len(self._tasks)
        self._tries.update(seats)
        made = self._crew.start({seat: self._tasks[seat % models] for seat in seats})
        for seat, memory in made.items():
            self._held[seat] = self._needs[seat % models] = memory + CONTEXT

    def _dismiss(self, seats: list[int]) -> None:
        self._crew.dismiss(seats)
        for seat in seats:
            self._held.pop(seat, None)
