#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Runs what documents show.

usage: run_documents.py MIMUS DOCUMENT...

In a document, a fenced block with "file=NAME" behind its language is written to NAME; of a block of
the language "console" every line after "$ " runs in bash, all in one empty folder with `mimus` on the
PATH, and the lines below it must be its output on stdout. A line "..." stands for any lines, and
"..." within a line for any text.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT_S = 300


def blocks(text):
    """(information string, number of the first line, content) of every fenced block."""
    found, opened = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if opened is None:
                opened = (line[3:].strip(), number + 1, [])
            else:
                found.append((opened[0], opened[1], "\n".join(opened[2]) + "\n"))
                opened = None
        elif opened is not None:
            opened[2].append(line)
    return found


def commands(block):
    """(line number within the block, command, expected output) of a console block."""
    found = []
    for number, line in enumerate(block.splitlines()):
        if line.startswith("$ "):
            found.append((number, line[2:], []))
        elif found:
            found[-1][2].append(line.rstrip())
    return found


def pattern_of(expected):
    parts = []
    for line in expected:
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.split("...")) + r" *\n")
    return re.compile("".join(parts))


def environment(mimus):
    tools = pathlib.Path(mimus).resolve().parent
    python = subprocess.run([SOURCE / "setup.sh", "--python"], capture_output=True, text=True,
                            check=True).stdout.strip()
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "NO_COLOR": "1", "COLUMNS": "100",
            "MIMUS_PYTHON": python, "MPLBACKEND": "Agg"}


def stated(text, env):
    """`env` with what the document's "export" lines set in the repository; the program under test
    stays the first on the path."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("    export ")]
    script = "\n".join([*lines, "env -0"])
    done = subprocess.run(["bash", "-ec", script], cwd=SOURCE, env=env, capture_output=True,
                          text=True, check=True)
    pairs = (entry.split("=", 1) for entry in done.stdout.split("\0") if entry)
    return {**dict(pairs), "PATH": env["PATH"]}


def run_document(path, env):
    """Messages about output that differs from the document."""
    with tempfile.TemporaryDirectory(prefix="mimus-document-") as folder:
        text = path.read_text(encoding="utf-8")
        env = stated(text, env)
        for information, first, content in blocks(text):
            named = re.search(r"\bfile=(\S+)", information)
            if named:
                (pathlib.Path(folder) / named[1]).write_text(content, encoding="utf-8")
            if information.split()[:1] != ["console"]:
                continue
            for number, command, expected in commands(content):
                where = f"{path.name}:{first + number}"
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, text=True,
                                      capture_output=True, timeout=TIMEOUT_S, check=False)
                if done.returncode != 0:
                    return [f"{where}: {command}: exit code {done.returncode}\n{done.stdout}"
                            f"{done.stderr}"]
                if expected and not pattern_of(expected).fullmatch(done.stdout):
                    shown = "\n".join(expected)
                    return [f"{where}: {command}: printed\n{done.stdout}\nshown is\n{shown}"]
                print(f"ok  {where}: {command}")
    return []


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    env = environment(sys.argv[1])
    failures = []
    for document in sys.argv[2:]:
        failures += run_document(pathlib.Path(document), env)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
