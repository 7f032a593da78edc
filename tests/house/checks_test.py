# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The checks of the source tree find what they look for, and accept good sources."""

import tempfile
import unittest
from pathlib import Path

import check_floors
import check_includes
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
        self.write("workloads/jobs/workload_source.hpp")
        self.write("kernels/step.cpp", '#include "workloads/jobs/workload_source.hpp"\n')
        self.assertIn("kernels may include", self.one_problem(check_floors))

    def test_live_and_virtual_are_strangers(self):
        self.write("emulator/virtual/heap.hpp")
        self.write("emulator/live/world.cpp", '#include "emulator/virtual/heap.hpp"\n')

        self.assertIn("inside emulator", self.one_problem(check_floors))

    def test_what_imitates_pytorch_has_one_door(self):
        self.write("kernels/pytorch/pytorch_memory.hpp")
        self.write("kernels/pytorch/autograd_step.hpp")
        self.write("kernels/plan/launch_plan.hpp", '#include "kernels/pytorch/pytorch_memory.hpp"\n')
        self.write("kernels/plan/launch_plan.cpp", '#include "kernels/pytorch/autograd_step.hpp"\n')

        self.assertIn("others may include kernels/pytorch/pytorch_memory.hpp",
                      self.one_problem(check_floors))

    def test_replay_is_known_to_runs_only(self):
        self.write("emulator/replay/pollux_replay.hpp")
        self.write("emulator/run/parts.cpp",
                   '#include "emulator/replay/pollux_replay.hpp"\n')
        self.write("emulator/cli/run.cpp", '#include "emulator/replay/pollux_replay.hpp"\n')
        self.assertIn("only emulator/run may include", self.one_problem(check_floors))

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

    def test_rooms_that_include_each_other_are_reported_with_the_lines(self):
        self.write("kernels/cuda/device.hpp")
        self.write("kernels/cuda/backend.cpp", '#include "kernels/nccl/gang.hpp"\n')
        self.write("kernels/nccl/gang.hpp", '#pragma once\n#include "kernels/cuda/device.hpp"\n')

        self.assertEqual(self.one_problem(check_floors),
                         "rooms include each other: kernels/cuda -> kernels/nccl -> kernels/cuda: "
                         "kernels/cuda/backend.cpp:1 includes kernels/nccl/gang.hpp; "
                         "kernels/nccl/gang.hpp:2 includes kernels/cuda/device.hpp")

    def test_circle_through_several_rooms_is_reported(self):
        for room, other in (("a", "b"), ("b", "c"), ("c", "a")):
            self.write(f"results/{room}/low.hpp")
            self.write(f"results/{room}/top.cpp", f'#include "results/{other}/low.hpp"\n')

        self.assertIn("results/a -> results/b -> results/c -> results/a:",
                      self.one_problem(check_floors))

    def test_folder_and_what_stands_in_it_are_two_rooms(self):
        self.write("scheduler/job.hpp")
        self.write("scheduler/order/fifo.cpp", '#include "scheduler/job.hpp"\n')
        self.assertEqual(check_floors.problems(self.root), [])

        self.write("scheduler/order/order.hpp")
        self.write("scheduler/policy.cpp", '#include "scheduler/order/order.hpp"\n')
        self.assertIn("scheduler -> scheduler/order -> scheduler", self.one_problem(check_floors))

    def test_room_of_too_many_sources_is_reported(self):
        for number in range(40):
            self.write(f"results/file/part_{number}.cpp")
        self.assertEqual(check_floors.problems(self.root), [])

        self.write("results/file/part_40.hpp")
        self.assertIn("results/file: 41 sources", self.one_problem(check_floors))


class IncludesOfProject(HouseCheck):
    def setUp(self):
        super().setUp()
        self.write("base/units.hpp", "namespace mimus {\n"
                   "struct Bytes { long value = 0; long rounded() const; };\n"
                   "inline constexpr long kPage = 4096;\n"
                   "[[nodiscard]] Bytes parse_bytes(long text);\n}\n")

    def use(self, code, namespace="mimus", before=""):
        self.write("base/user.cpp", f"{before}\nnamespace {namespace} {{\n{code}\n}}\n")

    def assert_good(self):
        self.assertEqual(check_includes.problems(self.root), [])

    def test_type_constant_and_function_need_their_header(self):
        for code in ("void f(const Bytes& b);", "long twice() { return 2 * kPage; }",
                     "void f() { parse_bytes(1); }", "auto g = mimus::parse_bytes;"):
            with self.subTest(code):
                self.use(code)

                self.assertIn("without including base/units.hpp", self.one_problem(check_includes))

    def test_line_and_name_are_told_once_per_header(self):
        self.use("/* two\nlines */\nBytes a;\nBytes b = parse_bytes(kPage);")

        self.assertEqual(self.one_problem(check_includes),
                         "base/user.cpp:5: uses Bytes without including base/units.hpp")

    def test_header_may_come_through_another(self):
        self.write("base/text.hpp", '#include "base/units.hpp"\n')
        self.use("Bytes a = parse_bytes(kPage);", before='#include "base/text.hpp"')

        self.assert_good()

    def test_header_beside_a_test_is_found(self):
        self.write("tests/unit/builders.hpp", '#include "base/units.hpp"\n')
        self.write("tests/unit/a_test.cpp", '#include "builders.hpp"\n'
                   "namespace mimus {\nBytes a;\n}\n")

        self.assert_good()

    def test_comments_texts_and_directives_use_nothing(self):
        self.use("// Bytes\n/* kPage */ const char* a = \"Bytes\";\n#define B Bytes\n"
                 "const char* b = R\"(kPage \" Bytes)\"; char c = '\"'; int d = 1'000;")

        self.assert_good()

    def test_name_declared_in_the_file_is_its_own(self):
        self.use("class Bytes; Bytes* a; template <class Unit> Unit b(Unit u);\n"
                 "constexpr long kPage = 1; long c = kPage;\n"
                 "namespace { long parse_bytes(int) { return 1; } }\n"
                 "void d() { parse_bytes(1); }")

        self.assert_good()

    def test_member_goes_before_a_function_of_the_namespace(self):
        self.write("base/reader.hpp", "namespace mimus {\n"
                   "class Reader : Base<long> {\n void parse_bytes(int);\n void all();\n};\n}\n")
        self.use("void Reader::all() { parse_bytes(1); other.parse_bytes(2); }",
                 before='#include "base/reader.hpp"')

        self.assert_good()

    def test_same_name_of_another_namespace_is_another(self):
        self.use("Bytes a; other::Bytes b; long c = ::parse_bytes(1);", namespace="apart")

        self.assert_good()

    def test_forward_declaration_in_a_header_is_enough(self):
        self.write("base/forward.hpp", "namespace mimus {\nstruct Bytes;\n}\n")
        self.use("void f(const Bytes& b);", before='#include "base/forward.hpp"')

        self.assert_good()

    def test_name_of_a_test_is_no_use(self):
        self.write("tests/a_test.cpp", "#include <gtest/gtest.h>\nnamespace mimus {\n"
                   "TEST(Bytes, AreBytes) {}\n}\n")

        self.assert_good()


class IncludesOfLibraries(HouseCheck):
    def test_names_of_libraries_need_their_headers(self):
        for code, header in (("void f() { std::sort(a, b); }", "algorithm"),
                             ("int a = std::accumulate(b, c, 0);", "numeric"),
                             ("bool a = std::filesystem::exists(b);", "filesystem"),
                             ("using A = fs::path;\nnamespace fs = std::filesystem;", "filesystem"),
                             ("auto a = fmt::format(b);", "fmt/format.h"),
                             ("nlohmann::json a;", "nlohmann/json.hpp"),
                             ("void f() { EXPECT_THAT(a, b); }", "gmock/gmock.h"),
                             ("int a = ::getpid();", "unistd.h"),
                             ("int a = errno;", "cerrno")):
            with self.subTest(code):
                self.write("base/user.cpp", code)

                self.assertIn(f"without including <{header}>", self.one_problem(check_includes))

    def test_header_of_the_project_may_include_them(self):
        self.write("base/all.hpp", "#include <map>\n#include <gmock/gmock.h>\n")
        self.write("base/user.cpp", '#include "base/all.hpp"\nstd::map<int, int> a;\n'
                   "TEST(A, B) { EXPECT_EQ(a, b); }\n")

        self.assertEqual(check_includes.problems(self.root), [])

    def test_header_that_not_every_compiler_understands_is_refused(self):
        self.write("base/user.cpp", "#include <ranges>\n")
        self.assertIn("use std::span", self.one_problem(check_includes))

    def test_another_library_header_is_not_enough(self):
        self.write("base/user.cpp", "#include <map>\nstd::vector<int> a;\n")
        self.assertIn("std::vector without including <vector>", self.one_problem(check_includes))

    def test_function_of_a_class_is_no_function_of_the_library(self):
        self.write("base/user.cpp", "struct File { int isatty(); int f() { return isatty(); } };\n"
                   "int a = file.getpid();\n")

        self.assertEqual(check_includes.problems(self.root), [])


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
        self.write("slurm/env.yaml", "path: ${scratch}/mnt/x\n")
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
