# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the measuring parts with a fake clock, NVML and MPS daemon."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import torch  # noqa: F401  the package under test needs it

    from real import mps
    from real.counting import class_of, count_events
    from real.gpu import ActivitySampler
    from real.intervals import Interval, mean_interval, median_interval
    from real.pairs import slowdown_row
    from real.precision import precision_named
    from real.store import Store
    from real.tenant import Tenant
    from real.timing import Limits, block_of_steps, time_steps
    from real.training_job import steps_beside
    from synthetic import Twins, gpu_name, parse
except ImportError as missing:
    raise unittest.SkipTest(f"skipped: {missing}") from missing


class Intervals(unittest.TestCase):
    def test_median_of_a_hundred_lies_between_the_40th_and_the_61st(self):
        # 100/2 -+ 1.96 * 10/2 = 40.2 and 59.8: rank 40 and, rounded up and one further, 61.
        found = median_interval([float(value) for value in range(100, 0, -1)])
        self.assertEqual(found, Interval(50.5, 40.0, 61.0))

    def test_mean_of_ten_groups_has_students_width(self):
        # Group means 1..10: mean 5.5, variance 82.5/9, so 2.262 * sqrt(82.5/9/10) = 2.1657.
        values = [float(group) for group in range(1, 11) for _ in range(3)]
        found = mean_interval(values)
        self.assertAlmostEqual(found.estimate, 5.5)
        self.assertAlmostEqual(found.high - found.estimate, 2.1657, places=4)

    def test_slowdown_adds_relative_widths_in_quadrature(self):
        # 3 s +- 3 % beside, 2 s +- 4 % alone: 1.5 +- 5 %.
        row = slowdown_row(Tenant("a", 4), Tenant("b", 8), Interval(3, 2.91, 3.09),
                           Interval(2, 1.92, 2.08))
        self.assertAlmostEqual(row["slowdown"], 1.5)
        self.assertAlmostEqual(row["slowdown_high"], 1.575)
        self.assertEqual((row["model"], row["co_per_gpu_batch"]), ("a", 8))


class DeviceClock:
    """Replaces the device: every step takes 100 ms, and events read the clock."""

    def __init__(self):
        self.now = 0.0
        self.steps = 0
        clock = self

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing

            def record(self):
                self.at = clock.now

            def synchronize(self):
                pass

            def elapsed_time(self, other):
                return (other.at - self.at) * 1e3

        self.patches = (mock.patch("torch.cuda.Event", Event),
                        mock.patch("torch.cuda.synchronize", lambda: None))

    def run(self):
        self.now += 0.1
        self.steps += 1

    def __enter__(self):
        for patch in self.patches:
            patch.start()
        return self

    def __exit__(self, *_):
        for patch in self.patches:
            patch.stop()


class Flag:
    def __init__(self, value=False):
        self.value = value

    def is_set(self):
        return self.value

    def set(self):
        self.value = True


class Timing(unittest.TestCase):
    def test_two_steps_fill_the_queue_before_the_first_that_counts(self):
        with DeviceClock() as clock:
            times = block_of_steps(clock, 5)
        self.assertEqual(clock.steps, 7)
        for value in times:
            self.assertAlmostEqual(value, 0.1)

    def test_equal_steps_end_the_measurement_at_the_least_number(self):
        with DeviceClock() as clock:
            timed = time_steps(clock, Limits(least=30, block_seconds=1e-9))
        self.assertEqual((timed.steps, timed.converged), (30, True))  # blocks of ten
        self.assertAlmostEqual(timed.mean.estimate, 0.1)

    def test_steps_beside_others_count_from_the_end_of_running_in(self):
        with DeviceClock() as clock:
            clock.now = 50.05  # steps then end in the middle of tenths
            times = steps_beside(clock, 2.0, Flag(), [Flag(True)])
        # Ends at 0.1, 0.2 ... after the start: 0.5 may fall on either side, 0.6 to 2.4 are inside.
        self.assertIn(len(times), (19, 20, 21))
        self.assertAlmostEqual(sum(times) / len(times), 0.1)

    def test_a_job_goes_on_until_the_others_have_measured(self):
        slow = Flag()
        with DeviceClock() as clock:
            run = clock.run

            def counted():
                run()
                slow.value = clock.steps >= 100

            clock.run = counted
            times = steps_beside(clock, 2.0, Flag(), [slow])
        self.assertEqual(clock.steps, 100)
        self.assertLessEqual(len(times), 21)


class Counting(unittest.TestCase):
    def test_only_kernels_are_launches(self):
        events = [{"cat": "kernel", "name": "sm90_xmma_gemm_f32", "dur": 4.0},
                  {"cat": "kernel", "name": "vectorized_elementwise_kernel", "dur": 2.0},
                  {"cat": "gpu_memcpy", "name": "Memcpy HtoD"}, {"cat": "gpu_memset", "name": "M"},
                  {"cat": "gpu_user_annotation", "name": "Optimizer.step#SGD.step", "dur": 9.0},
                  {"cat": "cuda_runtime", "name": "cudaLaunchKernel", "dur": 1.0}, {"ph": "M"}]
        found = count_events(events, 2)
        self.assertEqual((found["kernels"], found["copies"], found["fills"]), (1, 0.5, 0.5))
        self.assertAlmostEqual(found["class_seconds"]["product"], 2e-6)

    def test_classes_of_kernels_go_by_name(self):
        for name, expected in (("cudnn::bn_fw_tr_1C11_kernel_NCHW", "normalisation"),
                               ("sm80_xmma_fprop_implicit_gemm_bf16", "convolution"),
                               ("multi_tensor_apply_kernel", "optimiser"),
                               ("nvjet_tst_128x256", "product"), ("unknown_thing", "other")):
            self.assertEqual(class_of(name), expected, name)


class Activity(unittest.TestCase):
    def test_per_cent_become_fractions_and_unsupported_metrics_minus_one(self):
        values = {2: 55.0, 10: 40.0, 5: 99.0}

        def metrics_get(query):
            self.assertEqual((query.sample1, query.sample2, query.numMetrics), ("first", "last", 3))
            for metric in query.metrics[:3]:
                metric.value = values[metric.metricId]
                metric.nvmlReturn = 3 if metric.metricId == 5 else 0

        samples = iter(("first", "last"))
        nvml = SimpleNamespace(
            NVML_GPM_METRIC_SM_UTIL=2, NVML_GPM_METRIC_ANY_TENSOR_UTIL=5,
            NVML_GPM_METRIC_DRAM_BW_UTIL=10, NVML_GPM_METRICS_GET_VERSION=1, NVML_SUCCESS=0,
            nvmlGpmSampleAlloc=lambda: next(samples), nvmlGpmSampleGet=lambda handle, sample: None,
            c_nvmlGpmMetricsGet_t=lambda: SimpleNamespace(
                metrics=[SimpleNamespace() for _ in range(5)]),
            nvmlGpmMetricsGet=metrics_get)

        found = ActivitySampler(nvml, "gpu").sample()

        self.assertEqual(found, {"sm_activity": 0.55, "dram_activity": 0.4,
                                 "tensor_activity": -1.0})


class Mps(unittest.TestCase):
    def test_a_service_has_its_own_folder_and_is_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            said = Path(folder) / "said"
            control = Path(folder) / mps.CONTROL
            control.write_text('#!/bin/sh\n[ "$1" = -d ] && { echo start >>"$SAID"; exit 0; }\n'
                               'read -r line; echo "$line" >>"$SAID"\n'
                               '[ "$line" = get_server_list ] && echo 4711; exit 0\n',
                               encoding="utf-8")
            control.chmod(0o755)
            variables = {"PATH": f"{folder}:{os.environ['PATH']}", "SAID": str(said)}
            with mock.patch.dict(os.environ, variables):
                with mps.service():
                    self.assertTrue(Path(os.environ["CUDA_MPS_PIPE_DIRECTORY"]).is_dir())
                    self.assertTrue(mps.serving())
                self.assertNotIn("CUDA_MPS_PIPE_DIRECTORY", os.environ)
            self.assertEqual(said.read_text().split(), ["start", "get_server_list", "quit"])

    def test_without_the_daemon_the_reason_is_given(self):
        with mock.patch.dict(os.environ, {"PATH": ""}):
            with self.assertRaisesRegex(mps.MpsUnavailable, "not installed"):
                with mps.service():
                    self.fail("must not get here")


class SyntheticPairs(unittest.TestCase):
    def test_the_program_is_told_how_they_share(self):
        with contextlib.redirect_stdout(io.StringIO()) as commands:
            Twins(parse(["--gpu", "H100", "--dry-run"])).pairs("mps")

        self.assertIn("--set engine.cuda.sharing=mps", commands.getvalue())


class Stores(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "new" / "real.json"

    def row(self, **columns):
        return {"model": "a", "precision": "fp32", "per_gpu_batch": 4, "failure": "", **columns}

    def test_rows_outlive_the_program(self):
        Store(self.path).add("solo", self.row(step_mean=1.0))
        self.assertTrue(Store(self.path).has("solo", self.row()))
        self.assertFalse(Store(self.path).has("solo", self.row(per_gpu_batch=8)))

    def test_what_failed_is_measured_again_and_replaced(self):
        store = Store(self.path)
        store.add("solo", self.row(failure="out of memory"))
        self.assertFalse(store.has("solo", self.row()))
        store.add("solo", self.row(step_mean=2.0))
        self.assertTrue(store.has("solo", self.row()))

    def test_another_environment_is_refused(self):
        Store(self.path).set_environment({"gpu": "A", "torch": "2"})
        Store(self.path).set_environment({"gpu": "A", "torch": "2"})
        with self.assertRaisesRegex(SystemExit, "another gpu"):
            Store(self.path).set_environment({"gpu": "B", "torch": "2"})


class Names(unittest.TestCase):
    def test_products_have_the_names_of_the_catalogue(self):
        for product, name in (("NVIDIA H200", "H200"), ("NVIDIA H100 80GB HBM3", "H100"),
                              ("NVIDIA A100-SXM4-40GB", "A100"),
                              ("NVIDIA A100-SXM4-80GB", "A100-80"), ("Tesla T4", "T4"),
                              ("Tesla V100-SXM2-16GB", "V100"), ("Quadro RTX 6000", "RTX6000"),
                              ("NVIDIA GeForce RTX 2080 Ti", "RTX2080Ti")):
            self.assertEqual(gpu_name(product), name)

    def test_precisions_have_the_names_of_mimus(self):
        self.assertEqual(precision_named("bf16").name, "bf16")
        with contextlib.redirect_stderr(io.StringIO()):
            with self.assertRaisesRegex(SystemExit, "no precision 'int8'"):
                precision_named("int8")


if __name__ == "__main__":
    unittest.main()
