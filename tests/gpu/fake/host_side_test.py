# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The program on pretended CUDA devices (libmimus_fake_cuda.so): what the host asks of
CUDA, cuBLASLt, cuDNN and NCCL is checked, no kernel runs, and no time means anything.

Usage: host_side_test.py MIMUS_BINARY FAKE_MODULE [unittest arguments]
"""
import json
import os
import tempfile

import h5py

from fake_devices import CAMPAIGN, ON_CUDA, OnFakeDevices, main


class Devices(OnFakeDevices):
    def test_version_and_doctor_name_the_devices(self):
        version = self.call("--version", MIMUS_FAKE_CUDA_DEVICES="2")
        doctor = self.call("doctor", MIMUS_FAKE_CUDA_DEVICES="2")

        self.assertEqual((version.returncode, doctor.returncode), (0, 0), doctor.stderr)
        for text in (version.stdout, doctor.stdout + doctor.stderr):
            self.assertIn("device 1: fake H100", text)
            self.assertNotIn("device 2", text)

    def test_versions_and_devices_are_named_where_the_driver_does_not_tell_their_links(self):
        text = self.call("--version", MIMUS_FAKE_CUDA_DEVICES="2",
                         MIMUS_NVML_LIBRARY=os.environ["MIMUS_FAKE_OLD_NVML"]).stdout

        self.assertRegex(text, r"CUDA +\d+\.\d+ \(runtime ")
        self.assertIn("device 1: fake H100", text)
        self.assertIn("driver: of unknown version, serves CUDA", text)
        self.assertIn("links: unknown (NVML knows no GPU at PCI bus id", text)

    def test_a_machine_without_devices_is_refused(self):
        done = self.call("run", str(CAMPAIGN), "-o", str(self.folder / "out"), *ON_CUDA,
                         MIMUS_FAKE_CUDA_DEVICES="0")

        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("cudaErrorNoDevice", done.stderr)

    def profile(self, models, batches, setting):
        """The profile of a few steps in bf16: rows by model and batch."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            path = name + "/profile.h5"
            done = self.call("calibrate", "--device", "cuda", "--gpu", "H100", "--precision",
                             "bf16", "--models", models, "--batches", batches, "--interval",
                             "90%", "--min-steps", "4", "--max-steps", "4", "-o", path, "--set",
                             setting)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(path, "r") as file:
                return {(row["model"], int(row["per_gpu_batch"])): row
                        for row in file["profile"][:]}

    def test_the_plan_has_the_kernels_that_a_captured_step_has(self):
        """Among them those that clear sums of 16-bit norms and those that sort rows. Libraries that
        are only pretended have none beside the one that is asked for."""
        eager, graph = ({point: int(row["kernels"]) for point, row in self.profile(
            "resnet18,neumf", "128,8192", f"engine.cuda.launches={launches}").items()}
            for launches in ("eager", "graph"))

        self.assertEqual(len(eager), 3)
        self.assertEqual(eager, graph)

    def test_the_host_takes_a_gap_for_every_kernel_of_a_launch(self):
        row, = self.profile("neumf", "8192", "engine.cuda.launch_gap=200 us").values()

        host = 200e-6 * row["kernels"]
        self.assertGreater(host, 0.03)  # 79 launches, of which four are 20 kernels
        self.assertGreater(row["step_mean"], host - 1.2e-3)  # one gap, and the time that may be made up for

    def test_calibration_measures_a_model(self):
        done = self.call("calibrate", "--device", "cuda", "--gpu", "H100", "--models", "neumf",
                         "--interval", "90%", "-o", str(self.folder / "profile.h5"))

        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.folder / "profile.h5", "r") as profile:
            self.assertEqual(profile.attrs["mps_active"], b"false")
            self.assertEqual(profile.attrs["calibration.sharing"], "time_slice")
            self.assertEqual(profile.attrs["calibration.launches"], "eager")
            self.assertEqual(profile.attrs["calibration.convolutions"], "heuristic")


    def links(self, *arguments, **fake):
        """What is reported about each gang's link, and the resulting machine type."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            path = name + "/profile.h5"
            done = self.call("calibrate", "--device", "cuda", "--gpu", "H100", "--links",
                             "--models", "none", "-o", path, *arguments, **fake)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(path, "r") as file:
                rows = file["profile_links"][:]
            self.assertEqual({int(row["bytes"]) for row in rows}, {4096 << k for k in range(17)})
            self.assertTrue(all(row["bus_bandwidth"] > 0 for row in rows))
            machine = self.call("machine", path, "-o", name + "/machine.yaml", "--json")
            found = {(row["shape"].decode(), row["link"].decode(), row["via"].decode().split()[0])
                     for row in rows}
            return found, machine

    def test_links_are_measured_through_the_collective_of_the_cell(self):
        found, machine = self.links(MIMUS_FAKE_CUDA_DEVICES="4")

        self.assertEqual(found, {("2", "island", "NCCL"), ("4", "island", "NCCL")})
        self.assertEqual(machine.returncode, 0, machine.stderr)
        self.assertEqual([link["link"] for link in json.loads(machine.stdout)["links"]],
                         ["island"])

    def test_what_is_no_link_between_gpus_is_not_called_one(self):
        shared, machine = self.links("--set", "cluster.gpus_per_node=2",
                                     MIMUS_FAKE_CUDA_DEVICES="1")
        paced, _ = self.links("--set", "cluster.gpus_per_node=2", "--set",
                              "engine.collective=ring", MIMUS_FAKE_CUDA_DEVICES="2")

        self.assertEqual(shared, {("2", "one device", "NCCL")})
        self.assertEqual(paced, {("2", "emulated", "emulated")})
        self.assertEqual(machine.returncode, 2, machine.stderr)
        self.assertIn("which is not between GPUs", machine.stderr)


class Steps(OnFakeDevices):
    def test_each_collective_finishes_the_jobs_that_finish_on_cores(self):
        jobs = ("workload.jobs=[{model: resnet18, gang: 2, batch: 256, samples: 2000}, "
                "{model: neumf, gang: 2, samples: 5000}]")
        on_cores = self.run_campaign(jobs, device=())
        for collective, native in (("nccl", ["NCCL collectives"]), ("ring", []),
                                   ("mpi", ["MPI collectives through host memory"])):
            with self.subTest(collective=collective):
                outcome = self.run_campaign(jobs, f"engine.collective={collective}")
                self.assertEqual(outcome.outcomes(), on_cores.outcomes())
                facts = str(outcome.attributes["native"]).split(", ")
                self.assertEqual([fact for fact in facts if "collectives" in fact], native)
                self.assertEqual(len(outcome.kinds()), 1)
                # Gradients of both gangs, and the batch-norm statistics of ResNet.
                self.assertEqual(outcome.operations(), {"all_reduce", "broadcast"})

    def test_every_step_makes_the_convolutions_of_the_model(self):
        job = "workload.jobs=[{model: resnet18, gang: 1, batch: 128, samples: 4000}]"
        layers = json.loads(self.call("models", "resnet18", "--json").stdout)["layers"]
        planned = sum(layer["forward_kernels"] + layer["backward_kernels"]
                      for layer in layers if layer["kind"] == "convolution")
        eager = self.run_campaign(job)
        graph = self.run_campaign(job, "engine.cuda.launches=graph")

        steps = sum(int(row["steps"]) for row in eager.steps)
        self.assertGreater(steps, 0)
        self.assertEqual(eager.calls["convolution"], steps * planned)
        self.assertEqual(eager.launches() % steps, 0)
        replays = graph.calls["graph launch"]
        self.assertGreater(replays, 0)
        self.assertEqual(graph.calls["replayed convolution"], replays * planned)
        self.assertEqual(graph.launches("replayed ") // replays, eager.launches() // steps)

    def test_algorithms_are_chosen_by_heuristics_or_measured(self):
        def algorithms(how):
            outcome = self.run_campaign(
                "workload.jobs=[{model: resnet18, gang: 1, batch: 128, samples: 200}]",
                "engine.cuda.precision=bf16", f"engine.cuda.convolutions={how}",
                MIMUS_FAKE_CUDA_SLOW_ALGORITHM="2")
            self.assert_finished(outcome, 1)
            return outcome.calls["algorithm 2"], outcome.calls["algorithm 0"]

        expected_fastest, fastest = algorithms("heuristic")
        self.assertGreater(expected_fastest, 0)
        self.assertEqual(fastest, 0)
        tried, chosen = algorithms("measured")
        self.assertGreater(tried, 0)  # to load it, once, and three times more; each shape
        self.assertEqual(tried % 5, 0)
        self.assertGreater(chosen, expected_fastest)

    def test_steps_are_captured_and_replayed(self):
        for collective in ("nccl", "ring"):
            with self.subTest(collective=collective):
                outcome = self.run_campaign("engine.cuda.launches=graph",
                                            f"engine.collective={collective}")
                self.assert_finished(outcome)
                self.assertGreater(outcome.calls["graph launch"], 0)

    def test_the_collectives_of_every_step_count(self):
        job = "workload.jobs=[{model: neumf, gang: 2, batch: 512, samples: 200000}]"
        for launches in ("eager", "graph"):
            with self.subTest(launches=launches):
                outcome = self.run_campaign(job, f"engine.cuda.launches={launches}")
                steps = sum(int(row["steps"]) for row in outcome.steps)
                self.assertGreater(steps, 100)
                # Two buckets of different sizes.
                self.assertEqual([int(row["operations"]) for row in outcome.collectives],
                                 [steps, steps])

    def test_buffers_are_broadcast_once_a_step_of_several_micro_batches(self):
        outcome = self.run_campaign(
            "workload.jobs=[{model: resnet18, gang: 2, batch: 4096, samples: 80000}]")
        steps = sum(int(row["steps"]) for row in outcome.steps)
        self.assertEqual([int(row["accumulation"]) for row in outcome.attempts], [2])
        self.assertEqual([int(row["operations"]) for row in outcome.collectives
                          if row["op"] == b"broadcast"], [steps])

    def test_other_arithmetic_and_attention(self):
        for precision in ("fp32", "tf32", "fp16", "bf16"):
            with self.subTest(precision=precision):
                outcome = self.run_campaign(f"engine.cuda.precision={precision}",
                                            "engine.cuda.attention=sdpa",
                                            "engine.cuda.optimiser=fused")
                self.assert_finished(outcome)
                self.assertTrue(any("gemm_attention" in call for call in outcome.calls))

    def test_waiting_for_buffers_and_gradients_is_no_time_of_the_device(self):
        """A step waits for the broadcast of its norms' statistics and then for three buckets, for
        each as long as every collective takes."""
        collective_wall_s, time_scale = 0.3, 100
        job = "workload.jobs=[{model: resnet18, gang: 2, batch: 256, samples: 512}]"
        for launches in ("eager", "graph"):
            with self.subTest(launches=launches):
                outcome = self.run_campaign(job, f"engine.cuda.launches={launches}",
                                            f"engine.time_scale={time_scale}",
                                            MIMUS_FAKE_NCCL_US=str(int(1e6 * collective_wall_s)))
                self.assertGreater(len(outcome.steps), 0)
                for row in outcome.steps:
                    self.assertLess(row["device_busy"], 0.5 * collective_wall_s * time_scale)

    def test_time_of_the_device_is_emulated_time(self):
        """A GPU that works without a break, at 100 emulated seconds per second."""
        outcome = self.run_campaign("workload.jobs=[{model: neumf, gang: 1, samples: 5000}]",
                                    MIMUS_FAKE_CUDA_KERNEL_US="500")

        for row in outcome.steps:
            self.assertGreater(row["device_busy"], 0.5 * row["step_mean"])
            self.assertLessEqual(row["device_busy"], row["step_mean"])

    def test_the_host_runs_ahead_of_a_slow_device(self):
        outcome = self.run_campaign("engine.cuda.nccl_estimates=true",
                                    "workload.jobs=[{model: neumf, gang: 2, samples: 5000}]",
                                    MIMUS_FAKE_CUDA_KERNEL_US="20")

        self.assert_finished(outcome, 1)
        self.assertTrue(all(row["seconds_estimate"] > 0 for row in outcome.collectives))

    def test_estimates_are_of_collectives_with_the_same_limit(self):
        outcome = self.run_campaign("engine.cuda.nccl_estimates=true", "engine.cuda.nccl_ctas=2",
                                    "workload.jobs=[{model: neumf, gang: 2, samples: 5000}]")

        self.assert_finished(outcome, 1)

    def test_a_solo_baseline_serves_no_other_settings(self):
        outcome = self.run_campaign(
            "workload.jobs=[{model: neumf, gang: 1, samples: 200000}, "
            "{model: neumf, gang: 1, samples: 200000}]",
            "cluster.gpus_per_node=1", "policy.sharing={name: tenants, per_gpu: 2}",
            "sweep={grid: {engine.cuda.precision: [fp32, bf16]}}")

        self.assertEqual([row["origin"] for row in outcome.baselines], [b"measured", b"measured"])

    def test_one_device_stands_for_two_gpus(self):
        outcome = self.run_campaign("engine.cuda.gpus_per_device=2", MIMUS_FAKE_CUDA_DEVICES="1")
        limited = self.run_campaign("engine.cuda.gpus_per_device=2", "engine.cuda.nccl_ctas=1",
                                    MIMUS_FAKE_CUDA_DEVICES="1")

        for run, ctas in ((outcome, 4), (limited, 1)):
            self.assert_finished(run)
            self.assertEqual(run.calls[f"communicator of at most {ctas} CTAs"],
                             run.calls["ncclCommInitRankConfig"])

    def test_cells_with_and_without_shared_devices_are_not_one_run(self):
        done = self.call("run", str(CAMPAIGN), "-o", str(self.folder / "out"), *ON_CUDA, "--set",
                         "sweep={grid: {cluster.gpus_per_node: [4, 2]}}",
                         MIMUS_FAKE_CUDA_DEVICES="2")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("in some cells several GPUs share a CUDA device", done.stderr)


if __name__ == "__main__":
    main()
