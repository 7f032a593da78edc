# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Jobs on pretended CUDA devices that wait for samples from storage.

Usage: reading_test.py MIMUS_BINARY FAKE_MODULE [unittest arguments]
"""
from fake_devices import OnFakeDevices, main

BATCH = 256
STEPS = 40  # at least, of each job
SECONDS = 256 * 20e3 / 4e6
"""To read the samples of a batch at 4 MB/s: an epoch of 1 GB has 50,000."""
SLOW_KERNELS = {"MIMUS_FAKE_CUDA_KERNEL_US": "20"}
"""A step takes a third of that."""


class Reading(OnFakeDevices):
    def step_means(self, storage, *jobs, launches="eager"):
        """Seconds per step of each job, given as its gang and data set."""
        data = {None: "", **{name: f", data_set: {name}, data_size: 1 GB" for name in "ab"}}
        listed = ", ".join(f"{{model: resnet18, gang: {gang}, batch: {BATCH * gang}, "
                           f"samples: {STEPS * BATCH * gang}{data[data_set]}}}"
                           for gang, data_set in jobs)
        outcome = self.run_campaign(
            "cluster={nodes: 1, gpus_per_node: 2, gpu: H100, network: 100 Gbit/s, "
            f"data: {{storage: {storage}}}}}",
            f"workload.jobs=[{listed}]", "policy=fifo", "engine.time_scale=20",
            f"engine.cuda.launches={launches}", **SLOW_KERNELS)
        self.assert_finished(outcome, len(jobs))
        steps, time = [0] * len(jobs), [0.0] * len(jobs)
        for row in outcome.steps:
            steps[row["job"]] += row["steps"]
            time[row["job"]] += row["end"] - row["begin"]
        return [of_job / count for of_job, count in zip(time, steps)]

    def assert_waits(self, mean):
        # A job hears of its rate while it runs its first steps.
        self.assertGreater(mean, 0.9 * SECONDS)
        self.assertLess(mean, 1.2 * SECONDS)

    def test_a_step_lasts_as_long_as_reading_its_samples(self):
        for launches in ("eager", "graph"):
            with self.subTest(launches=launches):
                mean, = self.step_means("4 MB/s", (1, "a"), launches=launches)
                self.assert_waits(mean)

    def test_a_gang_reads_the_samples_of_all_its_replicas(self):
        mean, = self.step_means("8 MB/s", (2, "a"))
        self.assert_waits(mean)

    def test_jobs_share_the_storage(self):
        for mean in self.step_means("8 MB/s", (1, "a"), (1, "b")):
            self.assert_waits(mean)

    def test_others_do_not_wait(self):
        reading, computing = self.step_means("4 MB/s", (1, "a"), (1, None))
        self.assert_waits(reading)
        self.assertLess(computing, 0.7 * reading)


if __name__ == "__main__":
    main()
