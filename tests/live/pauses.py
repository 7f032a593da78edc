# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Each job runs and pauses as its itinerary says; one waits for memory that another one gives back."""

import mimus


class Pauses:
    wakes = ("arrivals", "ends")
    keeps_gangs = True

    def __init__(self, places, itineraries, host, guest):
        """places: GPUs of each job; itineraries: a list of [from which second on, what], where
        `what` is wait, run, or what the job keeps while it is suspended; host: job that runs once
        the job `guest` has left."""
        self.places = places
        self.itineraries = itineraries
        self.host = host
        self.guest = guest

    def plan(self, query):
        present = {job.id for job in query.jobs}
        has_begun = query.now >= self.itineraries[self.guest][-1][0]
        guest_left = has_begun and self.guest not in present
        targets, changes = [], []
        for job in query.jobs:
            legs = self.itineraries[job.id]
            what = [what for begin, what in legs if begin <= query.now][-1]
            changes += [begin for begin, _ in legs if begin > query.now]
            if what == "wait":
                continue
            if what == "run" or (job.id == self.host and guest_left):
                targets.append(mimus.Target(job, self.places[job.id]))
            else:
                targets.append(mimus.Target(job, self.places[job.id], suspended=True, keeps=what))
        return mimus.Plan(targets, next=min(changes, default=None))
