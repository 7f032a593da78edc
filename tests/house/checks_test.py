# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The checks of the source tree find what they are for, and let good sources pass."""

import tempfile
import unittest
from pathlib import Path

import check_floors
import check_links
import check_sizes
import check_words

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


class HouseCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text=""):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def one_problem(self, check):
        found = check.problems(self.root)
        self.assertEqual(len(found), 1, found)
        return found[0]


class Floors(HouseCheck):
    def test_lower_floor_may_be_included(self):
        self.write("base/error.hpp")
        self.write("scheduler/order.cpp", '#include <vector>\n#include "base/error.hpp"\n')

        self.assertEqual(check_floors.problems(self.root), [])

    def test_higher_floor_may_not_be_included(self):
        self.write("emulator/engine.hpp")
        self.write("scheduler/order.cpp", '\n#include "emulator/engine.hpp"\n')

        self.assertIn("scheduler/order.cpp:2:", self.one_problem(check_floors))

    def test_scheduler_and_kernels_are_strangers(self):
        self.write("kernels/device.hpp")
        self.write("scheduler/order.cpp", '#include "kernels/device.hpp"\n')

        self.assertIn("includes kernels/device.hpp", self.one_problem(check_floors))

    def test_kernels_may_not_know_where_jobs_come_from(self):
        self.write("workloads/workload_source.hpp")
        self.write("kernels/step.cpp", '#include "workloads/workload_source.hpp"\n')

        self.assertIn("kernels may include", self.one_problem(check_floors))

    def test_live_and_virtual_are_strangers(self):
        self.write("emulator/virtual/heap.hpp")
        self.write("emulator/live/world.cpp", '#include "emulator/virtual/heap.hpp"\n')

        self.assertIn("inside emulator", self.one_problem(check_floors))

    def test_mpi_is_known_in_two_rooms_only(self):
        self.write("emulator/live/world.cpp", "#include <mpi.h>\n")
        self.write("kernels/mpi/gang.cpp", "#include <mpi.h>\n")
        self.write("results/recorder.cpp", "#  include <mpi.h>\n")

        self.assertIn("results/recorder.cpp:1:", self.one_problem(check_floors))

    def test_unknown_file_is_reported(self):
        self.write("base/error.cpp", '#include "base/eror.hpp"\n')

        self.assertIn("no such file", self.one_problem(check_floors))

    def test_circle_of_headers_is_reported(self):
        self.write("base/a.hpp", '#include "base/b.hpp"\n')
        self.write("base/b.hpp", '#include "base/a.hpp"\n')

        self.assertIn("base/a.hpp -> base/b.hpp -> base/a.hpp", self.one_problem(check_floors))


class Sizes(HouseCheck):
    def setUp(self):
        super().setUp()
        for folder in (*check_sizes.tree.FOLDERS, "configs", "slurm", "tests"):
            self.write(f"{folder}/README.md", "text\n")

    def test_long_source_is_reported(self):
        self.write("base/good.cpp", "\n" * 300)
        self.write("base/long.cpp", "\n" * 301)

        self.assertIn("base/long.cpp: 301 lines", self.one_problem(check_sizes))

    def test_missing_readme_is_reported(self):
        (self.root / "kernels/README.md").unlink()

        self.assertIn("kernels/README.md: missing", self.one_problem(check_sizes))

    def test_build_trees_are_not_read(self):
        self.write("build/long.cpp", "\n" * 400)
        self.write("build-mine/long.cpp", "\n" * 400)

        self.assertEqual(check_sizes.problems(self.root), [])


class Words(HouseCheck):
    def test_unfinished_work_in_a_source_is_reported(self):
        self.write("base/a.cpp", LICENCE + "int a;  // TODO: think\n")
        self.write("docs/guide.md", "a dummy in prose is fine\n")

        self.assertIn("base/a.cpp:2: \"TODO\"", self.one_problem(check_words))

    def test_path_of_a_machine_is_reported(self):
        self.write("slurm/README.md", "cd /home/ada/mimus\n")
        self.write("slurm/env.yaml", "path: ${scratch}/work/x\n")

        self.assertIn("slurm/README.md:1:", self.one_problem(check_words))

    def test_missing_licence_is_reported(self):
        self.write("base/a.cpp", "int a;\n")

        self.assertIn("SPDX", self.one_problem(check_words))


class Links(HouseCheck):
    def test_dead_link_is_reported(self):
        self.write("docs/a.md", "[b](b.md) [c](c.md#part) [web](https://example.org)\n")
        self.write("docs/c.md")

        self.assertIn("link to b.md", self.one_problem(check_links))


if __name__ == "__main__":
    unittest.main()
