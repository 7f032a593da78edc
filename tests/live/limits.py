# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Each job runs on its place, a GPU, with its cap and on its share of the memory that it needs."""

import mimus


class Limits:
    wakes = ("arrivals", "ends")
    keeps_gangs = True

    def __init__(self, places, caps, memory):
        self.places = places
        self.caps = caps
        self.memory = memory

    def plan(self, query):
        return [self.target(job, job.id) for job in query.jobs]

    def target(self, job, i):
        limit = None if self.memory[i] == 1 else self.memory[i] * job.memory
        return mimus.Target(job, [self.places[i]], cap=self.caps[i], memory_limit=limit)
