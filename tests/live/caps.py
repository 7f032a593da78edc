# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Each job runs on its place, a GPU, with its cap."""

import mimus


class Caps:
    wakes = ("arrivals", "ends")
    keeps_gangs = True

    def __init__(self, caps, places):
        self.caps = caps
        self.places = places

    def plan(self, query):
        return [mimus.Target(job, [self.places[job.id]], cap=self.caps[job.id]) for job in query.jobs]
