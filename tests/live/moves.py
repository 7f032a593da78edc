# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Each job runs on the GPUs that its itinerary states, and moves on without a restart."""

import mimus


class Moves:
    wakes = ("arrivals", "ends")
    keeps_gangs = True
    moves = True

    def __init__(self, itineraries):
        """itineraries: of each job a list of [from which second on, GPUs]."""
        self.itineraries = itineraries

    def plan(self, query):
        targets, changes = [], []
        for job in query.jobs:
            legs = self.itineraries[job.id]
            gpus = [gpus for begin, gpus in legs if begin <= query.now][-1]
            changes += [begin for begin, _ in legs if begin > query.now]
            targets.append(mimus.Target(job, gpus))
        return mimus.Plan(targets, next=min(changes, default=None))
