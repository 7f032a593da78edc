#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Every command line of Mimus that a document shows has a verb and options that the program knows.

So has every one that `mimus workload get` prints.

usage: check_options.py MIMUS ROOT
"""

import pathlib
import re
import shlex
import subprocess
import sys

COMMAND = re.compile(r"^(?: {4}|\$ |    \$ )?(?:\S*/)?mimus (\S.*)$")
INLINE = re.compile(r"`(?:\S*/)?mimus ([a-z][^`]*)`")


def shown_commands(text):
    for number, line in enumerate(text.splitlines(), 1):
        found = [COMMAND.match(line)] if line.startswith(("    ", "$ ")) else INLINE.finditer(line)
        for match in filter(None, found):
            yield number, match[1].split("  #")[0].split(" # ")[0]


class Program:
    """The verbs and options of the program, which is asked once for each."""

    def __init__(self, mimus):
        self.mimus = mimus
        self.known = {}

    def help_of(self, verbs):
        if verbs not in self.known:
            asked = subprocess.run([self.mimus, *verbs, "--help"], capture_output=True, text=True,
                                   check=False)
            self.known[verbs] = asked.stdout if asked.returncode == 0 else ""
        return self.known[verbs]

    def verbs_of(self, words):
        """The longest prefix of `words` that is a verb with its sub-verbs."""
        verbs = ()
        for word in words:
            if not re.fullmatch(r"[a-z][a-z-]*", word):
                break
            if not re.search(rf"^  {word}\b", self.help_of(verbs), re.MULTILINE):
                break
            verbs += (word,)
        return verbs


def complaints(program, command):
    try:
        words = shlex.split(command.split("|")[0].split(">")[0].split("&&")[0])
    except ValueError:
        return []
    if not words or words[0].isupper():  # a name in capitals stands for a verb
        return []
    if words[0].startswith("-"):
        return [] if words[0] in ("--version", "--help", "-h") else [f"no option {words[0]}"]
    verbs = program.verbs_of(words)
    if not verbs:
        return [f"no verb \"{words[0]}\""]
    known = program.help_of(verbs)
    options = [word.split("=")[0] for word in words[len(verbs):]
               if re.match(r"--[a-z][^ ]*$", word)]
    return [f"no option {option} of {' '.join(verbs)}" for option in options
            if not re.search(rf"{option}\b", known)]


def public_traces(mimus):
    """The text about each public trace, by the command that prints it."""
    def said(*words):
        return subprocess.run([mimus, "workload", "get", *words], capture_output=True, text=True,
                              check=True).stdout
    names = re.findall(r"^([a-z]+)  ", said(), re.MULTILINE)
    return {f"mimus workload get {name}": said(name) for name in names if name != "trace"}


def main():
    program = Program(sys.argv[1])
    root = pathlib.Path(sys.argv[2])
    documents = [*root.glob("*.md"), *root.glob("*/README.md"), *(root / "docs").glob("*.md")]
    texts = {str(document.relative_to(root)): document.read_text(encoding="utf-8")
             for document in sorted(documents)
             if document.name != "CHANGELOG.md"}  # describes the past
    texts.update(public_traces(sys.argv[1]))
    checked, failures = 0, []
    for name, text in texts.items():
        for line, command in shown_commands(text):
            checked += 1
            failures += [f"{name}:{line}: mimus {command}: {what}"
                         for what in complaints(program, command)]
    print("\n".join([*failures, f"{checked} command lines looked at"]))
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
