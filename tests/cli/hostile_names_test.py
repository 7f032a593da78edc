# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Names that shells, sbatch and option parsers might take for something else, through `mimus submit`.

A stand-in for sbatch runs each script in bash with DRY_RUN, which prints the command that it would
launch. Usage: hostile_names_test.py MIMUS
"""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from hostile_words import CONTROL, WORDS

MIMUS = Path(sys.argv.pop(1)).resolve()

CAMPAIGN = """schema: 1
name: hostile
cluster: {nodes: 1, gpus_per_node: 2, gpu: T4, network: 25 Gbit/s}
workload: {source: poisson, jobs: 2, mean_interarrival: 20 s, duration: 1 min}
engine: {kind: virtual}
"""

SBATCH = """#!/bin/bash
# Accepts the arguments of sbatch and runs the script at once.
while [[ "$1" == --* ]]; do shift; done
script="$1"; shift
export DRY_RUN=1 SLURM_NTASKS=1 MIMUS_LAUNCHER=mpirun SLURM_SUBMIT_DIR="$PWD"
bash "$script" "$@" >>said 2>&1
echo 1
"""


class HostileNames(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-hostile-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        sbatch = self.folder / "bin" / "sbatch"
        sbatch.parent.mkdir()
        sbatch.write_text(SBATCH, encoding="utf-8")
        sbatch.chmod(0o755)

    def submit(self, *arguments):
        env = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")
        said = self.folder / "said"
        said.unlink(missing_ok=True)
        done = subprocess.run([MIMUS, "submit", "--no-aggregate", *arguments], cwd=self.folder, env=env,
                              capture_output=True, text=True, check=False, timeout=60)
        launched = said.read_text(encoding="utf-8") if said.exists() else ""
        self.assertEqual(list(self.folder.rglob("injected")), [], arguments)
        return done, launched

    def words_launched(self, launched):
        """The words that bash would make of the command that the script printed with %q."""
        line = next(line for line in launched.splitlines() if line.startswith("launch:"))
        out = subprocess.run(["bash", "-c", f"printf '%s\\0' {line[len('launch:'):]}"],
                             capture_output=True, check=True).stdout
        return out.decode().split("\0")[:-1]

    def write(self, name):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(CAMPAIGN, encoding="utf-8")
        return file

    def test_campaign_files_arrive_as_they_are_called(self):
        for word in WORDS:
            with self.subTest(word=word):
                self.write(word + ".yaml")
                done, launched = self.submit("-o", "out", "--", word + ".yaml")
                self.assertEqual(done.returncode, 0, done.stderr)
                words = self.words_launched(launched)
                given = words[words.index("run") + 1]
                self.assertEqual(self.folder / given, self.folder / (word + ".yaml"))
                self.assertFalse(given.startswith("-"))

    def test_result_folders_arrive_as_they_are_called(self):
        self.write("c.yaml")
        for word in WORDS:
            with self.subTest(word=word):
                done, launched = self.submit(f"--output=r{word}", "c.yaml")
                if "\\" in word:
                    self.assertEqual(done.returncode, 2)
                    self.assertIn("backslash", done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                words = self.words_launched(launched)
                self.assertEqual(words[words.index("-o") + 1], "r" + word)

    def test_set_values_arrive_or_are_refused_as_values(self):
        self.write("c.yaml")
        for word in WORDS:
            with self.subTest(word=word):
                setting = f"description={shlex.quote(word)}" if "'" not in word else f"description={word}"
                done, launched = self.submit("--set", setting, "-o", "out", "c.yaml")
                if done.returncode == 0:
                    words = self.words_launched(launched)
                    self.assertEqual(words[words.index("--set") + 1], setting)
                else:
                    self.assertIn(done.returncode, (2, 3), done.stderr)

    def test_directives_stay_one_line(self):
        self.write("c.yaml")
        for number, word in enumerate(WORDS):
            key = ("partition", "account", "constraint")[number % 3]
            with self.subTest(word=word, key=key):
                text = '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
                done, _ = self.submit("--set", f"resources.{key}={text}", "-o", "out", "c.yaml")
                self.assertIn(done.returncode, (0, 3), done.stderr)

    def test_control_characters_are_refused(self):
        self.write("c.yaml")
        for word in CONTROL:
            with self.subTest(word=word):
                self.write(word + ".yaml")
                for arguments in (["-o", "out", "--", word + ".yaml"], ["-o", "r" + word, "c.yaml"],
                                  ["--set", "description=" + word, "-o", "out", "c.yaml"]):
                    done, launched = self.submit(*arguments)
                    self.assertIn(done.returncode, (2, 3), done.stdout)
                    self.assertIn("control character" if done.returncode == 2 else "mimus: error", done.stderr)
                    self.assertEqual(launched, "")


if __name__ == "__main__":
    unittest.main()
