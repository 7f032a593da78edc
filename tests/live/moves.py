# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Each job runs on the GPUs that its itinerary states, and moves on without a restart."""

import mimus


class Moves:
    wakes = ("arrivals", "ends", "failures")
    keeps_gangs = True
    moves = True

    def __init__(self, itineraries, spare, by_samples=False):
        """itineraries: of each job a list of [from which second on, GPUs], or from how many samples
        on, as soon as it runs; spare: where a job goes that has lost a GPU of its own."""
        self.itineraries = itineraries
        self.spare = spare
        self.by_samples = by_samples
        self.reached = {}

    def position(self, job, now):
        if not self.by_samples:
            return now
        if job.state == "running":
            self.reached[job.id] = job.samples_done
        return self.reached.get(job.id, 0)

    def plan(self, query):
        up = {gpu for node in query.nodes for gpu in node.gpus}
        targets, changes = [], []
        for job in query.jobs:
            legs = self.itineraries[job.id]
            at = self.position(job, query.now)
            gpus = [gpus for begin, gpus in legs if begin <= at][-1]
            changes += [query.now + 1 if self.by_samples else begin for begin, _ in legs if begin > at]
            targets.append(mimus.Target(job, gpus if up.issuperset(gpus) else self.spare[:len(gpus)]))
        return mimus.Plan(targets, next=min(changes, default=None))
