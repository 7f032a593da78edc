# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Weighted max-min fair shares with priorities, one GPU after the other (progressive filling)."""

import heapq

import mimus


class WeightedShare:
    every = 60.0             # plans at multiples of 60 s ...
    wakes = ("failures",)    # ... and when a node or a GPU fails
    resizes_in_place = True  # gangs grow and shrink between two steps

    def __init__(self, weights=None, urgent=()):
        """weights: of virtual clusters, 1 where none is given; urgent: those that are served first."""
        self.weights = weights or {}
        self.urgent = set(urgent)

    def plan(self, query):
        gpus = {job.id: 0 for job in query.jobs}
        poorest = [self.claim(job, 0) for job in query.jobs]
        heapq.heapify(poorest)
        while poorest and query.gpus_left:
            job = heapq.heappop(poorest)[-1]
            if not query.give(job, 1):  # over its quota
                continue
            gpus[job.id] += 1
            if gpus[job.id] < job.gang:
                heapq.heappush(poorest, self.claim(job, gpus[job.id]))
        return [mimus.Target(job, n) for job, n in gpus.items() if n > 0]

    def claim(self, job, gpus):
        """Who has least for its weight comes first; ids are distinct, so jobs are not compared."""
        share = gpus / self.weights.get(job.virtual_cluster, 1)
        return job.virtual_cluster not in self.urgent, share, job.arrival, job.id, job
