#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Compares what `mimus` prints with files: run_golden.py MIMUS [--update] [NAME...].

cli/NAME.txt holds one command line with its exit code, stdout and stderr. bad_input/expected.txt
holds the error of every file in bad_input; each must end with exit code 3. Commands run in this
folder, 100 columns wide. --update rewrites what differs: read the diff before it is committed.
"""

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BAD_INPUT = FOLDER / "bad_input"
CONFIGURATION_ERROR = 3
TIMEOUT_S = 60

# Text that differs from build to build, and its replacement in the files.
BUILD_SPECIFIC = (
    (re.compile(r"^(mimus \d+\.\d+\.\d+) \(.*\)$", re.MULTILINE), r"\1 (<commit>)"),
    (re.compile(r"^(build|MPI|HDF5|fits|Python)( +).*$", re.MULTILINE), r"\1\2<\1>"),
    (re.compile(r"^(CUDA|NCCL)( +).*$(?:\n {10}.*$)*", re.MULTILINE), r"\1\2<\1>"),
)


def run(mimus, arguments):
    """Exit code, stdout and stderr of one command, without build-specific text."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MIMUS_SHARED", "MIMUS_HOME")}
    environment.update(COLUMNS="100", NO_COLOR="1", LC_ALL="C.UTF-8")
    done = subprocess.run([mimus, *arguments], cwd=FOLDER, env=environment, timeout=TIMEOUT_S,
                          capture_output=True, text=True, check=False)
    return done.returncode, sanitised(done.stdout), sanitised(done.stderr)


def sanitised(text):
    for pattern, replacement in BUILD_SPECIFIC:
        text = pattern.sub(replacement, text)
    return text


def command_text(mimus, command):
    code, stdout, stderr = run(mimus, shlex.split(command))
    return f"$ mimus {command}".rstrip() + f"\n--- exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}"


def command_of(path):
    first = path.read_text(encoding="utf-8").splitlines()[0]
    if not first.startswith("$ mimus"):
        sys.exit(f"{path}: the first line must be \"$ mimus ...\"")
    return first[len("$ mimus"):].strip()


def bad_input_arguments(path):
    name = path.relative_to(FOLDER).as_posix()
    if path.suffix == ".csv":
        return ["validate", "inputs/pollux.yaml", "--set", f"workload.path={name}"]
    return ["validate", name]


def bad_input_text(mimus):
    """One paragraph per file; an exit code other than 3 becomes part of the text."""
    paragraphs = []
    for path in sorted(BAD_INPUT.glob("*.*")):
        if path.suffix not in (".yaml", ".csv"):
            continue
        code, stdout, stderr = run(mimus, bad_input_arguments(path))
        message = stderr + stdout
        if code != CONFIGURATION_ERROR:
            message += f"exit code {code} instead of {CONFIGURATION_ERROR}\n"
        paragraphs.append(f"== {path.name}\n{message}")
    return "\n".join(paragraphs)


def differs(path, actual, update):
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    if expected == actual:
        return False
    if update:
        path.write_text(actual, encoding="utf-8")
        print(f"updated {path.relative_to(FOLDER)}")
        return False
    name = str(path.relative_to(FOLDER))
    sys.stdout.writelines(difflib.unified_diff(
        expected.splitlines(True), actual.splitlines(True), f"{name} (expected)",
        f"{name} (actual)"))
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mimus", help="the program under test")
    parser.add_argument("names", nargs="*", help="files of cli/ without .txt, or bad_input")
    parser.add_argument("--update", action="store_true", help="rewrite what differs")
    options = parser.parse_args()
    mimus = str(Path(options.mimus).resolve())

    failed = 0
    for path in sorted((FOLDER / "cli").glob("*.txt")):
        if not options.names or path.stem in options.names:
            failed += differs(path, command_text(mimus, command_of(path)), options.update)
    if not options.names or "bad_input" in options.names:
        failed += differs(BAD_INPUT / "expected.txt", bad_input_text(mimus), options.update)
    print(f"{failed} files differ" if failed else "all as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
