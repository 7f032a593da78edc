# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Pretended CUDA devices of several types, which have to be those of the campaign.

Usage: device_types_test.py MIMUS_BINARY FAKE_MODULE [unittest arguments]
"""
from fake_devices import CAMPAIGN, ON_CUDA, OnFakeDevices, main


class DeviceTypes(OnFakeDevices):
    TYPES = ("--set", "cluster={groups: [{nodes: 1, gpus_per_node: 1, gpu: V100}, "
             "{nodes: 1, gpus_per_node: 2, gpu: H100}]}", "--set", "workload.jobs=["
             "{model: neumf, gang: 1, batch: 256, samples: 3000, gpu_types: [V100]}, "
             "{model: neumf, gang: 2, batch: 256, samples: 3000, gpu_types: [H100]}]")

    def test_jobs_run_on_devices_of_their_types(self):
        outcome = self.run_campaign(device=(*ON_CUDA, *self.TYPES),
                                    MIMUS_FAKE_CUDA_NAMES="Tesla V100-SXM2-16GB")

        self.assert_finished(outcome, 2)
        self.assertEqual({int(row["job"]): row["gpu_type"].decode() for row in outcome.attempts},
                         {0: "V100", 1: "H100"})

    def test_devices_of_other_types_are_refused_where_types_differ(self):
        done = self.call("run", str(CAMPAIGN), "-o", str(self.folder / "out"), *ON_CUDA, *self.TYPES)

        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn('GPU 0 of the cluster is of type V100, but the device of rank 1 is "fake H100 '
                      '(CUDA device 0)"; list cluster.groups in the order', done.stderr)

    def test_doctor_tells_whether_devices_are_of_the_types_of_a_campaign(self):
        asked = ("doctor", str(CAMPAIGN), *ON_CUDA, *self.TYPES)

        fitting = self.call(*asked, MIMUS_FAKE_CUDA_NAMES="Tesla V100-SXM2-16GB")
        others = self.call(*asked)

        self.assertEqual(fitting.returncode, 0, fitting.stderr)
        self.assertRegex(fitting.stdout, r"GPU types .*: .*1 x V100")
        self.assertRegex(fitting.stdout, r"1 live cell fit.*: 2 x H100 \+ 1 x V100 on CUDA devices")
        self.assertEqual(others.returncode, 4, others.stderr)
        self.assertIn('GPU 0 of the cluster is of type V100, but the device of rank 1 is "fake H100',
                      others.stderr)

    def test_devices_of_another_type_are_reported(self):
        done = self.call("run", str(CAMPAIGN), "-o", str(self.folder / "out"), *ON_CUDA, "--set",
                         "cluster.gpu=A100")

        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count('the devices are "fake H100 (CUDA device 0)", but '
                                           'cluster.gpu is A100'), 1)


if __name__ == "__main__":
    main()
