# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Each job runs on the GPUs that its itinerary states, and moves on without a restart."""

import mimus


class Moves:
    wakes = ("arrivals", "ends", "failures")
    keeps_gangs = True
    moves = True

    def __init__(self, itineraries, spare):
        """itineraries: of each job a list of [from which second on, GPUs]; spare: where a job goes
        that has lost a GPU of its own."""
        self.itineraries = itineraries
        self.spare = spare

    def plan(self, query):
        up = {gpu for node in query.nodes for gpu in node.gpus}
        targets, changes = [], []
        for job in query.jobs:
            legs = self.itineraries[job.id]
            gpus = [gpus for begin, gpus in legs if begin <= query.now][-1]
            changes += [begin for begin, _ in legs if begin > query.now]
            targets.append(mimus.Target(job, gpus if up.issuperset(gpus) else self.spare[:len(gpus)]))
        return mimus.Plan(targets, next=min(changes, default=None))
