# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs on pretended CUDA devices that yield: capped, suspended without their memory, or moved.

Usage: tenants_test.py MIMUS_BINARY FAKE_MODULE [unittest arguments]
"""
from fake_devices import CAMPAIGN, LIVE, OnFakeDevices, main

JOB = "{model: resnet18, gang: 1, batch: 256, samples: %d}"
LARGE_JOB = "{model: resnet18, gang: 1, batch: 1024, samples: 30720}"
SLOW_KERNELS = {"MIMUS_FAKE_CUDA_KERNEL_US": "20"}


def limits(caps, memory=(1, 1), job=JOB % 7680):
    """A job on each of two GPUs."""
    arguments = f"{{places: [0, 1], caps: {list(caps)}, memory: {list(memory)}}}"
    return ("cluster={nodes: 1, gpus_per_node: 2, gpu: H100, network: 100 Gbit/s}",
            f"workload.jobs=[{job}, {job}]", "engine.time_scale=20",
            f"policy={{planner: {{name: python, file: {LIVE}/limits.py, class: Limits, "
            f"residents: 2, arguments: {arguments}}}}}")


def pauses(*itineraries, gang=1, memory="80 GB"):
    """Jobs that run and pause on the same GPUs."""
    jobs = ", ".join(f"{{model: resnet18, gang: {gang}, batch: {256 * gang}, samples: {19200 * gang}}}"
                     for _ in itineraries)
    places = [list(range(gang))] * len(itineraries)
    arguments = (f"{{places: {places}, itineraries: [{', '.join(itineraries)}], "
                 f"host: {len(itineraries)}, guest: {len(itineraries) - 1}}}")
    return ("cluster={nodes: 1, gpus_per_node: 2, gpu: H100, network: 100 Gbit/s, "
            f"gpu_memory: {memory}}}", f"workload.jobs=[{jobs}]", "engine.time_scale=20",
            f"policy={{planner: {{name: python, file: {LIVE}/pauses.py, class: Pauses, "
            f"residents: 2, arguments: {arguments}}}}}")


class Caps(OnFakeDevices):
    def busy_share(self, outcome, job):
        rows = [row for row in outcome.steps if row["job"] == job]
        busy = sum(row["steps"] * row["device_busy"] for row in rows)
        return busy / sum(row["end"] - row["begin"] for row in rows)

    def test_a_cap_bounds_the_share_of_the_time_in_which_the_stream_is_busy(self):
        for launches in ("eager", "graph"):
            with self.subTest(launches=launches):
                outcome = self.run_campaign(*limits((1.0, 0.25)),
                                            f"engine.cuda.launches={launches}",
                                            **SLOW_KERNELS)
                self.assert_finished(outcome, 2)
                self.assertGreater(self.busy_share(outcome, 0), 0.5)
                self.assertLess(self.busy_share(outcome, 1), 0.26)
                self.assertGreater(self.busy_share(outcome, 1), 0.15)


class Spills(OnFakeDevices):
    LINK_MB_PER_S = 20_000

    def run_limited(self, share, *settings, **fake):
        """A job with all of its memory and one with a share of it."""
        return self.run_campaign(*limits((1.0, 1.0), (1, share), LARGE_JOB), *settings,
                                 **SLOW_KERNELS, **fake)

    def test_a_step_grows_by_the_copies_of_spilled_memory_and_computes_no_longer(self):
        for launches in ("eager", "graph"):
            with self.subTest(launches=launches):
                outcome = self.run_limited(0.5, f"engine.cuda.launches={launches}",
                                           MIMUS_FAKE_CUDA_LINK=str(self.LINK_MB_PER_S))
                self.assert_finished(outcome, 2)
                spilled, = {row["memory_limit"] for row in outcome.attempts} - {0}  # as much as is left
                copying = 20 * spilled / (1e6 * self.LINK_MB_PER_S)
                (whole, whole_busy), (limited, limited_busy) = (
                    [min(row[column] for row in outcome.steps if row["job"] == job)
                     for column in ("step_mean", "device_busy")] for job in (0, 1))
                self.assertGreater(limited - whole, 0.9 * copying)
                self.assertLess(limited_busy - whole_busy, 0.5 * copying)

    def test_a_replica_fits_on_a_device_that_is_too_small_for_all_of_its_memory(self):
        outcome = self.run_limited(0.5, MIMUS_FAKE_CUDA_MEMORY="2500000000")
        reasons = [[row["reason"].decode() for row in outcome.attempts if row["job"] == job]
                   for job in (0, 1)]
        self.assertEqual(reasons[0][0], "out_of_memory")  # then its batch becomes smaller
        self.assertEqual(reasons[1], ["finished"])

    def test_a_limit_below_what_has_to_stay_ends_the_attempt_and_not_the_run(self):
        outcome = self.run_limited(0.3)
        details = [row["detail"].decode() for row in outcome.attempts
                   if row["reason"] == b"out_of_memory"]
        self.assertTrue(details)
        self.assertRegex(details[0], "the limit leaves .* beside the context, and .* of the replica's "
                         "memory cannot be spilled")
        self.assertEqual(outcome.outcomes()[0], "finished")


class Pauses(OnFakeDevices):
    def run_pauses(self, *settings, **fake):
        return self.run_campaign(*settings, **SLOW_KERNELS, **fake)

    def assert_paused_and_finished(self, outcome, jobs, reasons):
        self.assert_finished(outcome, jobs)
        self.assertEqual(outcome.reasons(), reasons)
        self.assertGreater(len(outcome.suspensions), 0)

    def test_a_gang_gives_its_memory_back_and_goes_on(self):
        for keeps, launches in (("state", "graph"), ("nothing", "graph"), ("nothing", "eager")):
            with self.subTest(keeps=keeps, launches=launches):
                outcome = self.run_pauses(
                    *pauses(f"[[0, run], [10, {keeps}], [14, run], [20, {keeps}], [24, run]]", gang=2),
                    f"engine.cuda.launches={launches}")
                self.assert_paused_and_finished(outcome, 1, {"finished": 1})
                self.assertEqual({row["keeps"].decode() for row in outcome.suspensions}, {keeps})
                # It goes on with the communicators that it has.
                self.assertEqual(outcome.calls["ncclCommInitRankConfig"], 2)

    def test_another_job_has_the_memory_meanwhile(self):
        """Each needs more than half of the GPU's memory."""
        first = "[[0, run], [12, nothing], [35, run]]"
        second = "[[0, wait], [14, run], [30, nothing], [50, run]]"
        outcome = self.run_pauses(*pauses(first, second, memory="7 GB"))
        self.assert_paused_and_finished(outcome, 2, {"finished": 2})

    def test_a_host_without_memory_for_the_state_ends_the_attempt_and_not_the_run(self):
        outcome = self.run_pauses(*pauses("[[0, run], [12, nothing], [16, run]]"),
                                  MIMUS_FAKE_CUDA_PINNED="44000000")
        details = [row["detail"].decode() for row in outcome.attempts
                   if row["reason"] == b"out_of_memory"]
        self.assertTrue(details)
        self.assertIn("the host has no more memory that it can pin", details[0])


class Moves(OnFakeDevices):
    def run_moves(self, gang, itinerary, *settings, steps=75):
        """itinerary: GPUs from how many samples on. The job reports twice a second of wall time. On a
        busy host it may start late."""
        arguments = f"{{spare: [3], by_samples: true, itineraries: [{itinerary}]}}"
        return self.run_campaign(
            "cluster={nodes: 2, gpus_per_node: 2, gpu: H100, network: 100 Gbit/s}",
            f"workload.jobs=[{{model: resnet18, gang: {gang}, batch: {256 * gang}, "
            f"samples: {256 * steps * gang}}}]",
            f"policy={{planner: {{name: python, file: {LIVE}/moves.py, class: Moves, "
            f"arguments: {arguments}}}}}", "engine.time_scale=20", "engine.report_every=10 s",
            *settings, **SLOW_KERNELS)

    def assert_moved_and_finished(self, outcome, times):
        self.assert_finished(outcome, 1)
        self.assertEqual(outcome.reasons(), {"moved": times, "finished": 1})

    def test_a_job_takes_its_state_along(self):
        outcome = self.run_moves(1, "[[0, [0]], [4000, [1]], [9000, [3]]]", steps=250)

        self.assert_moved_and_finished(outcome, 2)
        self.assertEqual(outcome.operations(), {"broadcast"})

    def test_a_gang_makes_a_communicator_on_its_new_gpus(self):
        for collective in ("nccl", "ring", "mpi"):
            with self.subTest(collective=collective):
                launches = "eager" if collective == "mpi" else "graph"
                outcome = self.run_moves(2, "[[0, [0, 1]], [12000, [2, 3]]]",
                                         f"engine.collective={collective}",
                                         f"engine.cuda.launches={launches}")
                self.assert_moved_and_finished(outcome, 1)


class Policies(OnFakeDevices):
    def run_policy(self, policy, *jobs, memory="80 GB"):
        return self.run_campaign(
            "cluster={nodes: 1, gpus_per_node: 1, gpu: H100, network: 100 Gbit/s, "
            f"gpu_memory: {memory}}}",
            f"workload.jobs=[{', '.join(jobs)}]", f"policy={policy}", "engine.time_scale=20",
            **SLOW_KERNELS)

    def test_lanes_of_salus_keep_the_state_between_iterations(self):
        outcome = self.run_policy("salus", JOB % 2560, JOB % 2560)

        self.assert_finished(outcome, 2)
        self.assertEqual({row["keeps"].decode() for row in outcome.suspensions}, {"state"})

    def test_shares_of_mps_are_caps(self):
        quarter, half = (JOB % 2560)[:-1] + ", gpu_share: 0.25}", (JOB % 2560)[:-1] + ", gpu_share: 0.5}"
        outcome = self.run_policy("mps", quarter, half)

        self.assert_finished(outcome, 2)
        self.assertEqual({float(row["cap"]) for row in outcome.attempts}, {0.25, 0.5})

    def test_antman_runs_an_opportunistic_job_beside_a_guaranteed_one(self):
        outcome = self.run_policy("antman", JOB % 6400,
                                  (JOB % 6400)[:-1] + ", arrival: 1 s, class: opportunistic}")
        self.assert_finished(outcome, 2)

    def test_antman_spills_an_opportunistic_job_that_runs_when_a_guaranteed_one_comes(self):
        outcome = self.run_policy("antman", (JOB % 38400)[:-1] + ", class: opportunistic}",
                                  (JOB % 6400)[:-1] + ", arrival: 60 s}", memory="5.5 GB")
        self.assert_finished(outcome, 2)
        self.assertEqual(outcome.reasons(), {"finished": 2})
        limits = [row["memory_limit"] for row in outcome.limits if row["job"] == 0]
        self.assertTrue(any(0 < limit < 2.5e9 for limit in limits), limits)


if __name__ == "__main__":
    main()
