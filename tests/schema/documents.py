# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""YAML documents, their schemas and the program's verdicts about them."""

import functools
import json
import re
import subprocess
import tempfile
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "configs" / "schema"
KINDS = ("campaign", "base", "policy", "workload", "model", "gpus")
EDITOR_LINE = re.compile(r"# yaml-language-server: \$schema=(\S+)")


class CoreLoader(yaml.SafeLoader):
    """YAML 1.2's core schema, as editors read it; PyYAML by itself takes `yes` for true."""

    yaml_implicit_resolvers = {}


for tag, pattern, first in (
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
        ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
        ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)"
                  r"|\.(nan|NaN|NAN)", list("-+.0123456789"))):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"),
                                     first)


def with_text_keys(value):
    """`{1: 0.5}` has the key "1" for Mimus and for editors."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(item) for key, item in value.items()}
    return [with_text_keys(item) for item in value] if isinstance(value, list) else value


def load(path):
    return with_text_keys(yaml.load(Path(path).read_text(encoding="utf-8"), Loader=CoreLoader))


@functools.cache
def validator(kind):
    schema = json.loads((SCHEMAS / f"{kind}.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def shipped_files():
    """Every valid YAML file of the source tree that resembles users' files."""
    listed = subprocess.run(["git", "ls-files", "--cached", "*.yaml"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split()
    return [name for name in listed
            if "bad_input" not in name and not name.startswith("slurm/")
            and not name.endswith("public_traces.yaml")
            and not name.startswith("emulator/cli/new/")]  # templates for users' folders, without schemas


class Program:
    """`mimus validate` on documents."""

    def __init__(self, binary):
        self.binary = binary
        self._folder = tempfile.TemporaryDirectory(prefix="mimus-schema-")
        self.folder = Path(self._folder.name)

    def cleanup(self):
        self._folder.cleanup()

    def run(self, *arguments):
        return subprocess.run([self.binary, *arguments], capture_output=True, text=True,
                              cwd=self.folder, timeout=60)

    def error_of(self, document, *arguments):
        """The program's message, or "" if it accepts the document."""
        path = self.folder / "document.yaml"
        path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
        done = self.run("validate", path.name, *arguments)
        return done.stderr if done.returncode != 0 else ""


def allowed_keys(message):
    """The keys in `unknown key "x"; allowed: a, b`."""
    found = re.search(r"unknown key .*allowed: (.*)", message)
    return set(found.group(1).strip().split(", ")) if found else None
