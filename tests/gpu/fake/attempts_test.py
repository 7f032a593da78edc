# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""How attempts on pretended CUDA devices end, and what runs after them.

Usage: attempts_test.py MIMUS_BINARY FAKE_MODULE [unittest arguments]
"""
import re

from fake_devices import LIVE, ON_CUDA, OnFakeDevices, main

# A job that has all GPUs until another one arrives, and again when that one has ended.
GROWS = ("workload.jobs=[{model: resnet18, gang: 1, batch: 512, samples: 80000}, "
         "{model: neumf, gang: 1, batch: 256, samples: 20000, arrival: 40 s}]",
         "engine.time_scale=120")
# Two gangs on the same GPUs.
TURNS = ("workload.jobs=[{model: resnet18, gang: 2, batch: 256, samples: 20000}, "
         "{model: neumf, gang: 2, batch: 512, samples: 400000}]",
         "policy={planner: {name: gandiva, slice: 10 s, residents: 2, pack: false, migrate: false}}", "engine.time_scale=20")
SHRINKS_AND_GROWS = {"campaign": LIVE / "elastic.yaml", "device": (*ON_CUDA, "--only", "001"),
                     "MIMUS_FAKE_CUDA_KERNEL_US": "20"}


class Attempts(OnFakeDevices):
    def test_a_replica_that_does_not_fit_ends_as_out_of_memory(self):
        outcome = self.run_campaign(MIMUS_FAKE_CUDA_MEMORY="15000000000")

        self.assert_out_of_memory(outcome, r"^gpt with batch 8: out of memory on GPU \d: the replica "
                                  r"needs \S+ GB, .* of the device's 15 GB are in use, other "
                                  r"replicas have booked 0 B$")
        self.assertEqual({job: outcome.outcomes()[job] for job in (0, 1, 2)},
                         dict.fromkeys((0, 1, 2), "finished"))

    def test_the_member_that_finds_its_gpu_taken_says_why(self):
        """The second one of a gang, beside a job that is not known to need so much."""
        outcome = self.run_campaign(
            "workload.jobs=[{model: neumf, gang: 1, batch: 256, samples: 3000}, "
            "{model: gpt, gang: 1, batch: 2, samples: 3000}, "
            "{model: gpt, gang: 2, batch: 4, samples: 300, arrival: 60 s}]",
            "policy.placement=spread", "policy.sharing={name: tenants, per_gpu: 2}",
            "cluster.gpu_memory=30 GB")

        self.assert_finished(outcome, 3)
        self.assert_out_of_memory(outcome, r"^gpt with batch 2: out of memory on GPU 1: the replica "
                                  r"needs \S+ GB, \S+ GB of 30 GB are in use$")

    def test_the_start_up_of_a_framework_is_emulated_where_nothing_is_paced(self):
        """As `mimus models` states it, since a synthetic job starts in a fraction of a second."""
        outcome = self.run_campaign()

        stated = {0: 6.0, 1: 5.0, 2: 8.0, 3: 12.0}
        self.assertEqual(len(outcome.attempts), len(stated))
        for attempt in outcome.attempts:
            with self.subTest(job=attempt["job"]):
                self.assertGreaterEqual(attempt["first_step"] - attempt["begin"],
                                        stated[int(attempt["job"])])

    def test_a_preempted_job_goes_on(self):
        outcome = self.run_campaign("engine.pace=none", campaign=LIVE / "preemption.yaml")

        self.assert_finished(outcome, 3)
        self.assertGreater(outcome.reasons()["preempted"], 0)

    def test_gangs_take_turns_and_keep_memory_and_communicators(self):
        for launches in ("eager", "graph"):
            with self.subTest(launches=launches):
                outcome = self.run_campaign(
                    *TURNS, f"engine.cuda.launches={launches}", MIMUS_FAKE_CUDA_KERNEL_US="20")

                self.assert_finished(outcome, 2)
                self.assertEqual(outcome.reasons(), {"finished": 2})
                # How often depends on the host: a quick one needs fewer slices.
                self.assertEqual({row["job"] for row in outcome.suspensions}, {0, 1})
                self.assertEqual(outcome.calls["ncclCommInitRankConfig"], 4)  # 2 gangs of 2
                spans = sorted((row["begin"], row["end"], row["job"]) for row in outcome.steps)
                overlaps = [(one, other) for one, other in zip(spans, spans[1:])
                            if one[2] != other[2] and one[1] > other[0] + 1e-6]
                self.assertEqual(overlaps, [])

    def test_a_gang_shrinks_and_grows_with_its_communicator(self):
        outcome = self.run_campaign(*GROWS, **SHRINKS_AND_GROWS)

        self.assert_finished(outcome, 2)
        attempts = sorted(outcome.attempts, key=lambda row: row["attempt"])
        sizes = [row["replicas"] for row in attempts if row["job"] == 0]
        self.assertEqual(sizes[:3], [4, 3, 4])
        self.assertEqual(outcome.calls["ncclCommShrink"], 3)
        # Before NCCL 2.29 the larger gang is created anew.
        made = outcome.calls["ncclCommInitRankConfig"]
        self.assertIn((made, outcome.calls["ncclCommGrow"]), {(4, 4), (8, 0)})
        self.assertEqual(outcome.calls["ncclGetUniqueId"], made // 4)
        state = max(row["bytes"] for row in outcome.collectives if row["op"] == b"broadcast")
        self.assertGreater(state, 4 * 11e6)

    def test_a_node_that_goes_down_ends_the_gangs_that_use_it(self):
        """A gang of three on both nodes, and a job that is alone on the other one."""
        for collective in ("nccl", "ring"):
            with self.subTest(collective=collective):
                outcome = self.run_campaign(
                    "cluster={nodes: 2, gpus_per_node: 2, gpu: H100, network: 100 Gbit/s, "
                    "outages: [{node: 0, down: 20 s, up: 30 s}]}",
                    "workload.jobs=[{model: resnet18, gang: 3, batch: 768, samples: 46080}, "
                    "{model: resnet18, gang: 1, batch: 256, samples: 15360}]",
                    "engine.time_scale=20", f"engine.collective={collective}",
                    MIMUS_FAKE_CUDA_KERNEL_US="20")
                self.assert_finished(outcome, 2)
                reasons = [[row["reason"].decode() for row in outcome.attempts if row["job"] == job]
                           for job in (0, 1)]
                self.assertEqual(reasons, [["node_down", "finished"], ["finished"]])

    def test_every_split_trains_to_its_end(self):
        outcome = self.run_campaign(campaign=LIVE / "split.yaml")

        self.assert_finished(outcome, 5)
        self.assertEqual(outcome.operations(),
                         {"all_reduce", "all_gather", "reduce_scatter", "transfer"})

    def test_slabs_of_a_grid_exchange_data_through_every_collective(self):
        job = "workload.jobs=[{model: claire@n64t2, gang: 2, samples: 40}]"
        for collective in ("nccl", "ring", "mpi"):
            with self.subTest(collective=collective):
                outcome = self.run_campaign(job, f"engine.collective={collective}",
                                            "engine.cuda.launches=eager")
                self.assert_finished(outcome, 1)
                self.assertEqual(outcome.operations(), {"all_reduce", "all_to_all", "send_recv"})
                if collective != "nccl":
                    continue
                self.assertEqual(outcome.calls["ncclSend"], outcome.calls["ncclRecv"])
                # Of a product: 12 transposes with two members, 32 passes of planes with one, 2 sums.
                sums = outcome.calls["ncclAllReduce"]
                self.assertGreater(sums, 0)
                self.assertEqual(outcome.calls["ncclSend"], sums // 2 * (12 * 2 + 32))

    def assert_lost_and_finished(self, outcome, jobs):
        self.assert_finished(outcome, jobs)
        self.assertGreater(outcome.reasons()["failed"], 0)

    def test_a_lost_member_ends_the_attempt_and_not_the_run(self):
        job = "workload.jobs=[{model: resnet18, gang: 2, batch: 256, samples: 20000}]"
        for launches, operation in (("eager", "5"), ("graph", "25")):
            with self.subTest(launches=launches):
                self.assert_lost_and_finished(
                    self.run_campaign(job, f"engine.cuda.launches={launches}",
                                      MIMUS_FAKE_NCCL_DROP=f"1:{operation}"), 1)

    def assert_out_of_memory(self, outcome, detail):
        """Asserts that an attempt ended out of memory with this message."""
        details = [row["detail"].decode() for row in outcome.attempts
                   if row["reason"] == b"out_of_memory"]
        self.assertTrue(any(re.search(detail, one) for one in details), details)

    def test_a_member_without_memory_for_nccl_ends_the_attempt_and_not_the_run(self):
        """The member that reports may be this one or another; those that connect with it find their
        sockets closed."""
        job = "workload.jobs=[{model: resnet18, gang: 2, batch: 256, samples: 20000}]"
        for member, said in (("0:1", r"^no memory for NCCL, .*Failed to CUDA calloc \d+ bytes; .* of "
                              r"the device's 80 GB are in use$"),
                             ("1:1", "^a member of the gang is out of memory$")):
            with self.subTest(member=member):
                outcome = self.run_campaign(job, MIMUS_FAKE_NCCL_FULL=member)
                self.assert_finished(outcome, 1)
                self.assert_out_of_memory(outcome, said)

    def test_a_joiner_without_memory_for_nccl_ends_the_attempt_and_not_the_run(self):
        outcome = self.run_campaign(*GROWS, "engine.stage_timeout=6 s", MIMUS_FAKE_NCCL_FULL="3:2",
                                    **SHRINKS_AND_GROWS)

        self.assert_finished(outcome, 2)
        self.assert_out_of_memory(outcome, "^a member of the gang is out of memory$")

    def test_a_member_lost_amid_launches_of_many_commands_ends_the_attempt_and_not_the_run(self):
        """Each of NeuMF's four tables sorts, which takes 20 kernels; a launch that blocks in the
        driver would never end."""
        job = "workload.jobs=[{model: neumf, gang: 2, batch: 16384, samples: 12000000}]"

        outcome = self.run_campaign(job, MIMUS_FAKE_CUDA_PATIENCE="3", MIMUS_FAKE_NCCL_DROP="1:61")

        self.assert_lost_and_finished(outcome, 1)

    def test_a_member_lost_to_an_estimate_ends_the_attempt_and_not_the_run(self):
        """Of what NCCL does for estimates, a call blocks and another one writes its result late."""
        job = "workload.jobs=[{model: neumf, gang: 2, batch: 256, samples: 600000}]"
        for lost in ({"MIMUS_FAKE_NCCL_ESTIMATE_MS": "2500"}, {"MIMUS_FAKE_NCCL_DROP": "1:split"}):
            with self.subTest(lost=lost):
                self.assert_lost_and_finished(
                    self.run_campaign(job, "engine.cuda.nccl_estimates=true", **lost), 1)

    def test_a_lost_stage_or_layer_share_ends_the_attempt_and_not_the_run(self):
        jobs = ("workload.jobs=[{model: gpt@t2, gang: 4, batch: 32, samples: 200}, "
                "{model: gpt@p4, gang: 4, batch: 32, samples: 200}]")

        outcome = self.run_campaign(jobs, "engine.stage_timeout=4 s", campaign=LIVE / "split.yaml",
                                    MIMUS_FAKE_NCCL_DROP="1:5")

        self.assert_lost_and_finished(outcome, 2)


if __name__ == "__main__":
    main()
