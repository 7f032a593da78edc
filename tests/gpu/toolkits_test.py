# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""What cmake/MimusCuda.cmake makes of CUDA toolkits and libraries in other folders than here.

Usage: toolkits_test.py NVCC [unittest arguments]
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(Toolkits CXX)
list(APPEND CMAKE_MODULE_PATH "{ROOT}/cmake")
include(MimusCuda)
message(STATUS "says ${{MIMUS_CUDA_SUMMARY}}")
message(STATUS "CUPTI in ${{CUDAToolkit_CUPTI_INCLUDE_DIR}}")
"""


class Toolkits(unittest.TestCase):
    nvcc = pathlib.Path("nvcc")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "CMakeLists.txt").write_text(PROJECT)

    def configure(self, *options, nvcc=None, with_cuda="AUTO", with_nccl="AUTO"):
        done = subprocess.run(
            ["cmake", "-S", str(self.folder), "-B", str(self.folder / "build"),
             f"-DCMAKE_CUDA_COMPILER={nvcc or self.nvcc}", "-DCMAKE_CUDA_ARCHITECTURES=90",
             f"-DMIMUS_WITH_CUDA={with_cuda}", f"-DMIMUS_WITH_NCCL={with_nccl}",
             *options], capture_output=True, text=True, timeout=200)
        # Long messages are wrapped.
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def toolkit(self, without=r"(?!)"):
        """The toolkit of this machine, but for files that match, and CUPTI's headers, which get
        the folder that NVIDIA's own installer puts them into. Returns its nvcc."""
        real, copy = self.real_toolkit(), self.folder / "toolkit"
        if not (real / "nvvm").exists():
            self.skipTest(f"{real} is no folder of a toolkit alone")
        for source in sorted([*real.glob("include/*"), *real.glob("lib64/*"), *real.glob("nvvm")]):
            if re.search(without, source.name):
                continue
            is_header = re.match(r"cupti.*\.h$", source.name)
            target = (copy / "extras/CUPTI/include" / source.name if is_header else
                      copy / source.relative_to(real))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(source)
        (copy / "targets").mkdir()
        (copy / "targets/x86_64-linux").symlink_to(copy)
        (copy / "lib").symlink_to(copy / "lib64")
        # The compiler looks for everything else relative to its own real path.
        subprocess.run(["cp", "-a", str(real / "bin"), str(copy)], check=True)
        return copy / "bin/nvcc"

    def real_toolkit(self):
        """The real location of the compiler, because nvcc may be a script that starts it."""
        (self.folder / "empty.cu").touch()
        said = subprocess.run([self.nvcc, "--dryrun", "-c", self.folder / "empty.cu"],
                              capture_output=True, text=True, timeout=200).stderr
        return pathlib.Path(re.search(r"^#\$ _HERE_=(.*)$", said, re.MULTILINE)[1]).parent

    def nccl(self, version):
        root = self.folder / "nccl"
        (root / "include").mkdir(parents=True)
        (root / "lib").mkdir()
        (root / "lib/libnccl.so.2").touch()
        (root / "include/nccl.h").write_text("".join(
            f"#define NCCL_{part} {number}\n"
            for part, number in zip(("MAJOR", "MINOR", "PATCH"), version.split("."))))
        return f"-DNCCL_ROOT={root}"

    def test_headers_of_cupti_in_a_folder_of_their_own_are_found(self):
        code, text = self.configure(nvcc=self.toolkit(), with_cuda="ON")

        self.assertEqual(code, 0, text)
        self.assertIn(f"CUPTI in {self.folder}/toolkit/extras/CUPTI/include", text)

    def test_a_toolkit_without_a_part_that_is_needed_is_left_out(self):
        nvcc = self.toolkit(without="cublas")
        elsewhere = "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF"

        code, text = self.configure(elsewhere, nvcc=nvcc)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"says left out \(the CUDA toolkit in \S+ has no cuBLASLt\)")

        code, text = self.configure(elsewhere, nvcc=nvcc, with_cuda="ON")
        self.assertNotEqual(code, 0)
        self.assertRegex(text, r"MIMUS_WITH_CUDA=ON, but the CUDA toolkit in \S+ has no cuBLASLt")

    def test_a_library_that_is_too_old_is_said_to_be(self):
        old = self.nccl("2.10.3")
        says = rf"no NCCL \(needs 2\.18 or newer; \S+/nccl/include has 2\.10\.3\)"

        code, text = self.configure(old)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, rf"says .*, {says}")

        code, text = self.configure(old, with_nccl="ON")
        self.assertNotEqual(code, 0)
        self.assertRegex(text, rf"MIMUS_WITH_NCCL=ON, but {says}")

    def test_a_library_that_is_left_out_is_said_to_be(self):
        code, text = self.configure(with_nccl="OFF")

        self.assertEqual(code, 0, text)
        self.assertIn(", no NCCL (MIMUS_WITH_NCCL=OFF)", text)


if __name__ == "__main__":
    Toolkits.nvcc = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
