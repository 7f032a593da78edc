# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Starts, stops, resizes, moves, suspends and limits jobs at random. Every plan can be carried out."""

import mimus

GPUS = 4
RESIDENTS = 2


class RandomPlans:
    wakes = ("arrivals", "ends", "starts", "failures")
    resizes_in_place = True
    moves = True

    def __init__(self, steady):
        """steady: share of jobs for which a plan says the same as the one before."""
        self.steady = steady
        self.last = {}  # targets, by job

    def plan(self, query):
        room = {gpu: RESIDENTS for node in query.nodes for gpu in node.gpus}
        jobs = list(query.jobs)
        query.random.shuffle(jobs)
        targets = []
        for job in jobs:
            target = self.target(job, room, query.random)
            self.last[job.id] = target
            if target is None:
                continue
            for gpu in target["gpus"]:
                room[gpu] -= 1
            targets.append(mimus.Target(job, **target))
        return mimus.Plan(targets, next=query.now + query.random.uniform(3, 12))

    def target(self, job, room, random):
        def fits(gpus):
            return all(room.get(gpu, 0) > 0 for gpu in gpus)

        last = self.last.get(job.id)
        if last and random.random() < self.steady and fits(last["gpus"]) and not last["suspended"]:
            return last
        holds = bool(job.gpus) and job.state == "running"
        if holds and random.random() < 0.3 and fits(job.gpus):
            return {"gpus": list(job.gpus), "suspended": True,
                    "keeps": random.choice(["all", "state", "nothing"])}
        free = sorted(gpu for gpu in room if room[gpu] > 0)
        gang = random.randint(1, min(GPUS, job.gang_max or GPUS))
        if random.random() < 0.15 or len(free) < gang:
            return None
        limited = random.random() < 0.2
        return {"gpus": random.sample(free, gang), "suspended": False, "cap": random.choice([1, 1, 0.5]),
                "memory_limit": 0.7 * job.memory if limited else None}
