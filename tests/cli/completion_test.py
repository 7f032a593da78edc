# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Completion as in bash and zsh: completion_test.py MIMUS [unittest arguments]."""

import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

MIMUS = None
ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 60


class Shell(unittest.TestCase):
    """A folder with the program in PATH, a campaign and results."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mimus-completion-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "mimus").symlink_to(MIMUS)
        shutil.copy(ROOT / "tests/golden/inputs/small.yaml", self.folder / "small.yaml")
        (self.folder / "results").mkdir()
        (self.folder / "results" / "001-pack-12345678.h5").touch()
        (self.folder / "results" / "002-spread-12345678.h5").touch()
        (self.folder / "results" / "campaign.h5").touch()
        self.environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
                            "HOME": str(self.folder)}

    def run_shell(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, timeout=LIMIT_S,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()


class Bash(Shell):
    SCRIPT = """
        source <(mimus completion bash)
        complete -p mimus
        COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
        _mimus
        printf '%s\\n' "${COMPREPLY[@]}"
    """

    def complete(self, line):
        registered, *replies = self.run_shell("bash", "--norc", "-c", self.SCRIPT, "bash", line)
        self.assertEqual(registered, "complete -F _mimus mimus")
        return [reply for reply in replies if reply]

    def test_verbs_are_those_of_the_help(self):
        text = subprocess.run([MIMUS, "--help"], capture_output=True, text=True, check=True).stdout
        listed = text[text.index("Commands:"):].splitlines()[1:]
        verbs = [line.split()[0] for line in listed if line.startswith("  ") and line[2] != " "]
        self.assertEqual([v for v in self.complete("mimus ")],
                         [v for v in verbs if not v.startswith("-")])
        self.assertEqual(self.complete("mimus exp"), ["expand", "export"])
        self.assertEqual(self.complete("mimus workload con"), ["convert"])

    def test_options_are_those_of_the_verb(self):
        options = self.complete("mimus run --")
        for name in ("--set", "--only", "--rerun", "--dry-run", "--jobs", "--help"):
            self.assertIn(name, options)
        self.assertNotIn("--keys", options)
        self.assertIn("--keys", self.complete("mimus validate --"))
        self.assertEqual(self.complete("mimus run small.yaml --dry"), ["--dry-run"])

    def test_values(self):
        self.assertEqual(self.complete("mimus run --engine "), ["live", "virtual"])
        self.assertEqual(self.complete("mimus models resnet"), ["resnet18", "resnet50"])
        self.assertEqual(self.complete("mimus policies tiresias-l"), ["tiresias-l"])
        self.assertIn("placement", self.complete("mimus policies "))
        self.assertEqual(self.complete("mimus schema pol"), ["policy"])
        self.assertEqual(self.complete("mimus workload convert t.csv --to "), ["csv", "jobs"])
        self.assertEqual(self.complete("mimus workload generate pai"), ["pai-like"])

    def test_settings_and_what_they_can_be(self):
        self.assertEqual(self.complete("mimus run small.yaml --set engine.time_s"),
                         ["engine.time_scale="])
        # The text after the last "=", where bash splits words.
        self.assertEqual(self.complete("mimus run small.yaml --set policy.placement=sp"),
                         ["spread"])
        self.assertEqual(self.complete("mimus run small.yaml --set engine.pace="),
                         ["datasheet", "none"])
        self.assertEqual(self.complete("mimus run small.yaml --engine=vir"), ["virtual"])

    def test_cells_of_a_campaign_and_of_results(self):
        cells = self.complete("mimus run small.yaml --only ")
        expected = self.run_shell("mimus", "expand", "small.yaml")
        self.assertGreater(len(cells), 1)
        for cell in cells:
            self.assertTrue(any(cell in line for line in expected), cell)
        self.assertEqual(self.complete(f"mimus run small.yaml --only {cells[0][:4]}"), cells[:1])
        self.assertEqual(self.complete("mimus summary results --cell "),
                         ["001-pack-12345678", "002-spread-12345678"])

    def test_files_and_folders(self):
        self.assertEqual(self.complete("mimus run sm"), ["small.yaml"])
        self.assertEqual(self.complete("mimus run small.yaml -o res"), ["results"])
        self.assertEqual(self.complete("mimus run small.yaml -o sm"), [])

    def test_half_written_and_wrong_lines_are_silent(self):
        for line in ("mimus nonsense ", "mimus run --no-such-option=", "mimus run none.yaml --only ",
                     "mimus --set x run --", "mimus run -- --", "mimus completion candidates -- "):
            self.complete(line)


@unittest.skipUnless(shutil.which("zsh"), "skipped: no zsh")
class Zsh(Shell):
    def assert_shown(self, line, *expected):
        """A user sees these texts, in this order, after typing `line` and pressing the tab key twice."""
        self.seen = ""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**self.environment, "TERM": "dumb",
                                                    "PS1": "READY> ", "COLUMNS": "100"})
        try:
            self.read_until(terminal, "READY> ")
            os.write(terminal, b"autoload -U compinit; compinit -u -D; "
                               b"source <(mimus completion zsh); print LOADED\n")
            self.read_until(terminal, "\nLOADED")
            os.write(terminal, line.encode() + b"\t\t")
            for text in expected:
                self.read_until(terminal, text)
        finally:
            os.write(terminal, b"\x03\nexit\n")
            os.close(terminal)
            os.waitpid(child, 0)

    def read_until(self, terminal, text):
        """Reads on until the terminal has shown the text; what came with it is kept for the next one."""
        end = time.monotonic() + LIMIT_S
        while text not in self.seen:
            self.assertLess(time.monotonic(), end, f"zsh did not say {text!r}: {self.seen!r}")
            if select.select([terminal], [], [], 1)[0]:
                self.seen += os.read(terminal, 4096).decode(errors="replace").replace("\r", "")
        self.seen = self.seen.split(text, 1)[1]

    def test_the_tab_key(self):
        self.assert_shown("mimus exp", "expand")
        self.assert_shown("mimus run small.yaml --set engine.pace=", "datasheet")

    def test_candidates_come_with_summaries(self):
        self.assert_shown("mimus policies fi", "fifo-skip", "--")


if __name__ == "__main__":
    MIMUS = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
