# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A planner for Mimus. A campaign names it:

    policy: {planner: {name: python, file: planner.py, class: MyPlanner, arguments: {round: 60}}}

What a query and a job hold is listed in docs/write-a-policy.md.
"""

import mimus


class MyPlanner:
    """Shortest estimate first: gangs as they are asked for, while they fit."""

    wakes = ("arrivals", "ends", "failures")  # a plan is made at these events ...
    keeps_gangs = True  # gangs are never resized

    def __init__(self, round=60.0):
        self.every = round  # ... and at multiples of this, in seconds

    def plan(self, query):
        def urgency(job):
            return job.user_estimate or job.estimated_run_time or float("inf"), job.arrival, job.id

        targets = []
        for job in sorted(query.jobs, key=urgency):
            if query.give(job, job.gang):  # false if it does not fit or is over its quota
                targets.append(mimus.Target(job, job.gang))
        return targets  # jobs without a target wait or are stopped
