# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Processes that wait on one GPU, each with a job that is ready, until some are told to work.

Starting a framework and choosing algorithms takes longer than measuring a pair: a process is started
once and measured beside everyone. One that waits has nothing for the GPU to do.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection, wait
from multiprocessing.synchronize import Event
from typing import Any, Protocol

PATIENCE = 300.0
"""Seconds until a job is ready; loading and the choice of algorithms take their time."""


class Job(Protocol):
    """A job that is made in its process and ready to work."""

    memory: int
    """Bytes of the GPU that it holds, and held at most while it was made."""

    def work(self, seconds: float, mine: Event, others: list[Event]) -> Any:
        """Sets `mine` after this many seconds and continues until the `others` are set."""


Maker = Callable[[Any], Job]


class JobFailed(RuntimeError):
    """A job could not be made or ended early. The message says which one and why."""


def serve(make: Maker, task: Any, seats: list[Event], seat: int, line: Connection) -> None:
    """Body of a process: makes the job, then executes one order after another."""
    try:
        job = make(task)
        line.send((job.memory, ""))
        while (order := line.recv()) is not None:
            seconds, others = order
            line.send((job.work(seconds, seats[seat], [seats[other] for other in others]), ""))
    except EOFError:
        pass
    except Exception as error:  # any error: the parent must know what ended the job
        line.send((None, f"{type(error).__name__} {str(error).partition(chr(10))[0]}".strip()))
    finally:
        seats[seat].set()


class Crew:
    """The processes by seat: a number that names one job of a task."""

    def __init__(self, make: Maker, seats: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._make = make
        self._seats: list[Event] = [self._context.Event() for _ in range(seats)]
        self._lines: dict[int, Connection] = {}
        self._processes: dict[int, Any] = {}
        self._failures: dict[int, str] = {}

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.dismiss(list(self._processes))

    def ready(self, seat: int) -> bool:
        return seat in self._lines and seat not in self._failures

    def start(self, tasks: dict[int, Any]) -> dict[int, int]:
        """Makes the jobs of these seats, all at once. Returns the bytes of those that could be
        made."""
        for seat, task in tasks.items():
            mine, theirs = self._context.Pipe()
            process = self._context.Process(target=serve, daemon=True, args=(
                self._make, task, self._seats, seat, theirs))
            process.start()
            theirs.close()
            self._lines[seat], self._processes[seat] = mine, process
            self._failures.pop(seat, None)
        return self._answers(list(tasks), PATIENCE)

    def work(self, seats: list[int], seconds: float) -> list[Any]:
        """The results of the jobs of these seats after working side by side.

        Throws JobFailed when one of them ended: it will not work again, the others will.
        """
        self._check(seats)
        for seat in seats:
            self._seats[seat].clear()
        for seat in seats:
            others = [other for other in seats if other != seat]
            try:
                self._lines[seat].send((seconds, others))
            except OSError:  # has ended; its answer says so
                self._seats[seat].set()
        answers = self._answers(seats, 60.0 + 10 * seconds)
        self._check(seats)
        return [answers[seat] for seat in seats]

    def dismiss(self, seats: Iterable[int]) -> None:
        """Ends these processes."""
        gone = [(self._lines.pop(seat), self._processes.pop(seat)) for seat in seats
                if seat in self._processes]
        for line, _ in gone:
            try:
                line.send(None)
            except OSError:
                pass
            line.close()
        for _, process in gone:
            process.join(timeout=30)
            if process.is_alive():
                process.terminate()

    def _check(self, seats: list[int]) -> None:
        reasons = [self._failures.get(seat, "was not started") for seat in seats
                   if not self.ready(seat)]
        if reasons:
            raise JobFailed("; ".join(reasons))

    def _answers(self, seats: list[int], seconds: float) -> dict[int, Any]:
        """Answers that arrive in time. The failures of the others are recorded."""
        answers: dict[int, Any] = {}
        waiting = {self._lines[seat]: seat for seat in seats}
        end = time.monotonic() + seconds
        while waiting:
            heard = wait(list(waiting), timeout=max(end - time.monotonic(), 0.0))
            for line in heard:
                seat = waiting.pop(line)
                answer, failure = self._heard(seat)
                if failure:
                    self._fail(seat, failure)
                else:
                    answers[seat] = answer
            if not heard:
                for seat in waiting.values():
                    self._fail(seat, f"said nothing for {seconds:g} s")
                break
        return answers

    def _heard(self, seat: int) -> tuple[Any, str]:
        try:
            return self._lines[seat].recv()
        except EOFError:  # it was killed
            self._processes[seat].join(timeout=5)
            return None, f"left no result, exit code {self._processes[seat].exitcode}"

    def _fail(self, seat: int, failure: str) -> None:
        self._failures[seat] = failure
        self._seats[seat].set()  # no process waits for it
        self._processes[seat].terminate()
