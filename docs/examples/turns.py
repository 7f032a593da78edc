# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs take turns on all GPUs of one node: time slicing by suspending jobs in memory."""

import mimus


class Turns:
    wakes = ("arrivals", "ends", "starts")
    keeps_gangs = True

    def __init__(self, slice=60):
        """slice: length of a turn [s], from its first step on."""
        self.slice = slice
        self.turns = []  # jobs; the first one has the turn

    def plan(self, query):
        jobs = {job.id: job for job in query.jobs}
        self.turns = [job for job in self.turns if job in jobs]
        self.turns += [job for job in jobs if job not in self.turns]
        if not self.turns:
            return []
        begin = jobs[self.turns[0]].active_since
        if begin is not None and query.now >= begin + self.slice:
            self.turns.append(self.turns.pop(0))
            begin = None
        targets = [mimus.Target(job, range(jobs[job].gang), suspended=job != self.turns[0])
                   for job in self.turns if job == self.turns[0] or jobs[job].gpus]
        return mimus.Plan(targets, next=None if begin is None else begin + self.slice)
