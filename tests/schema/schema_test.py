# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The JSON Schemas accept the same YAML files as the program: schema_test.py MIMUS [unittest
args]."""

import copy
import random
import sys
import unittest

import documents
from documents import ROOT, SCHEMAS, KINDS, Program, allowed_keys, load, shipped_files, validator

MIMUS = None
BAD_INPUT = ROOT / "tests" / "golden" / "bad_input"

# What a schema of a single document cannot check: other files, sums, orders, matches, models, and
# numbers that YAML itself reads differently (010, 0x10, .nan).
BEYOND_A_SCHEMA = {
    "base-cycle", "base-cycle-back", "base-folder", "base-itself", "base-missing",
    "base-number-wrong", "number-hex", "number-nan", "number-octal", "sweep-path-twice",
    "sweep-through-scalar", "exclude-everything", "exclude-unknown-path",
    "exclude-unknown-value", "failure-twice", "gang-too-large", "goodput-without-estimate",
    "interference-profile-missing", "island-not-divisor", "island-too-large", "job-work-twice",
    "measure-backwards", "measure-beyond", "measure-both", "measure-empty", "measure-range",
    "measure-summary", "memory-too-small", "model-file-missing", "model-file-wrong", "name-unsafe", "nccl-on-cpu",
    "no-such-trace", "outage-backwards", "outages-overlap", "pace-on-cuda",
    "placement-beside-search",
    "profile-missing", "replay-in-place", "replay-node-failures", "replay-outages", "replay-tenants",
    "replay-without-tables", "resources-option-short", "resources-partition-blank",
    "resources-too-small", "run-time-analytic", "run-time-live", "run-time-other-gangs",
    "step-time-profile-missing", "unknown-gpu",
    "sweep-inside-later", "sweep-same-cells", "sweep-too-many", "sweep-value-twice",
    "sweep-zip-lengths", "unknown-model",
}


class Files(unittest.TestCase):
    def setUp(self):
        self.program = Program(MIMUS)
        self.addCleanup(self.program.cleanup)

    def test_committed_copies_are_what_the_program_prints(self):
        for kind in KINDS:
            printed = self.program.run("schema", kind).stdout
            committed = (SCHEMAS / f"{kind}.json").read_text(encoding="utf-8")
            self.assertEqual(printed, committed, f"write it anew: mimus schema --out {SCHEMAS}")
        self.assertEqual({path.stem for path in SCHEMAS.glob("*.json")}, set(KINDS))

    def test_out_writes_the_same_files(self):
        done = self.program.run("schema", "--out", "made/here")
        self.assertEqual(done.returncode, 0, done.stderr)
        for kind in KINDS:
            self.assertEqual((self.program.folder / "made/here" / f"{kind}.json").read_bytes(),
                             (SCHEMAS / f"{kind}.json").read_bytes())

    def test_every_shipped_file_follows_the_schema_that_its_first_line_names(self):
        names = shipped_files()
        self.assertGreater(len(names), 35)
        for name in names:
            path = ROOT / name
            first = path.read_text(encoding="utf-8").splitlines()[0]
            line = documents.EDITOR_LINE.fullmatch(first)
            self.assertTrue(line, f"{name}: the first line names no schema for editors")
            schema = (path.parent / line.group(1)).resolve()
            self.assertEqual(schema.parent, SCHEMAS, name)
            errors = [f"{name}: {error.json_path}: {error.message}"
                      for error in validator(schema.stem).iter_errors(load(path))]
            self.assertEqual(errors, [])

    def test_a_job_list_that_the_program_writes_is_a_workload(self):
        done = self.program.run("workload", "generate", "poisson", "--set", "jobs=5", "--set",
                                "mean_interarrival=20 s", "--to", "jobs", "-o", "jobs.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(validator("workload").is_valid(load(self.program.folder / "jobs.yaml")))

    def test_broken_examples_are_refused_unless_they_are_broken_between_keys(self):
        check = validator("campaign")
        accepted, count = set(), 0
        for path in sorted(BAD_INPUT.glob("*.yaml")):
            if path.stem == "alias-bomb":
                continue  # ten to the tenth values, if one looks
            try:
                document = load(path)
            except (documents.yaml.YAMLError, ValueError, RecursionError):
                continue  # no YAML for editors either
            count += 1
            if check.is_valid(document):
                accepted.add(path.stem)
        self.assertEqual(accepted, BEYOND_A_SCHEMA)
        self.assertGreaterEqual(1 - len(accepted) / count, 0.5, "the share that is stated in docs")


class Mutations(unittest.TestCase):
    """What a schema refuses, the program refuses, too: an editor never marks what would run."""

    def setUp(self):
        self.program = Program(MIMUS)
        self.addCleanup(self.program.cleanup)
        self.check = validator("campaign")

    def campaigns(self):
        for name in ("configs/quickstart.yaml", "configs/twin.yaml", "configs/validity-batch.yaml",
                     "configs/validity-strict.yaml", "tests/live/preemption.yaml"):
            yield load(ROOT / name)

    def test_mutated_campaigns(self):
        draw = random.Random(20240501)
        sources = list(self.campaigns())
        refused = 0
        for _ in range(200):
            document = copy.deepcopy(draw.choice(sources))
            mutate(document, draw)
            if self.check.is_valid(document):
                continue
            refused += 1
            self.assertNotEqual(self.program.error_of(document), "", document)
        self.assertGreater(refused, 100)

    def test_unknown_keys_at_every_level(self):
        for document in self.campaigns():
            for path, mapping in mappings(document):
                if path[-1:] in (("mix",), ("gangs",)) or "only" in path or "exclude" in path:
                    continue  # names of models, sizes of gangs, swept paths
                mapping["no_such_key"] = 1
                self.assertFalse(self.check.is_valid(document), path)
                self.assertNotEqual(self.program.error_of(document), "", path)
                del mapping["no_such_key"]
            self.assertTrue(self.check.is_valid(document))


def mappings(value, path=()):
    """Every mapping in a document with the path to it."""
    if isinstance(value, dict):
        yield path, value
        for key, item in list(value.items()):
            yield from mappings(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from mappings(item, (*path, number))


def mutate(document, draw):
    """One change at a random place: a key is added, renamed or dropped, or a value is replaced."""
    _, mapping = draw.choice([entry for entry in mappings(document) if entry[1]])
    key = draw.choice(list(mapping))
    kind = draw.randrange(5)
    if kind == 0:
        mapping[f"{key}x"] = mapping[key]
    elif kind == 1:
        mapping[f"x{key}"] = mapping.pop(key)
    elif kind == 2:
        del mapping[key]
    else:
        mapping[key] = draw.choice([-1, 0, 2.5, 10**9, True, "word", "10 parsecs", "-3 s", "7 GB/s",
                                    [], {}, [1], {"name": "word"}, {"name": "pack", "more": 1}])


class Choices(unittest.TestCase):
    """The keys of each choice are exactly those that its reader reads."""

    SAMPLES = {"gpus": {"a": 1}, "jobs": 3, "path": "p", "throughputs": "t",
               "mean_interarrival": "1 s", "trials": 3, "slowdowns": {"a": {"b": 2}},
               "groups": [{"tag": "t", "period": "1 h", "run_time": "60 s"}]}

    def setUp(self):
        self.program = Program(MIMUS)
        self.addCleanup(self.program.cleanup)
        self.definitions = validator("campaign").schema["definitions"]
        self.document = {"schema": 1, "name": "choices",
                         "cluster": {"nodes": 2, "gpus_per_node": 4, "gpu": "T4",
                                     "network": "25 Gbit/s"},
                         "workload": {"source": "poisson", "jobs": 3, "mean_interarrival": "20 s"}}

    def branches(self, mapping, key):
        """(name of the choice, schema of its mapping) of each branch."""
        for branch in mapping["allOf"]:
            yield branch["if"]["properties"][key]["const"], branch["then"]

    def assert_keys(self, document, then, extra=()):
        message = self.program.error_of(document)
        self.assertEqual(allowed_keys(message), set(then["properties"]) | set(extra), message)

    def test_policies(self):
        count = 0
        for name, definition in self.definitions.items():
            if not name.startswith("policy."):
                continue
            for choice, then in self.branches(definition["anyOf"][1], "name"):
                given = {"quota": {"gpus": {"a": 1}},
                         "python": {"file": "a.py", "class": "A", "source": ""}}.get(choice, {})
                self.document["policy"] = {name[7:]: {"name": choice, **given, "no_such_key": 1}}
                self.assert_keys(self.document, then)
                count += 1
        self.assertGreater(count, 25)

    def test_workload_sources(self):
        for source, then in self.branches(self.definitions["workload"], "source"):
            given = {key: value for key, value in self.SAMPLES.items() if key in then["properties"]}
            if "throughputs" in given:
                continue  # opens its file before it checks its keys
            if source == "jobs":
                given["jobs"] = [{"model": "resnet50", "fraction": 0.1}]
            if source == "search":
                given["model"] = "resnet18"
            self.document["workload"] = {"source": source, **given, "no_such_key": 1}
            self.assert_keys(self.document, then)

    def test_engine_choices(self):
        needed = {"pairs": {"slowdowns": {"a": {"b": 2}}},
                  "kernels": {"lengths": {"a": "1 ms"}}}
        for key in ("step_time", "interference"):
            mapping = self.definitions["engine"]["properties"][key]["anyOf"][1]
            for choice, then in self.branches(mapping, "name"):
                if choice == "measured":
                    continue  # opens its file before it checks its keys
                given = needed.get(choice, {})
                self.document["engine"] = {"kind": "virtual",
                                           key: {"name": choice, **given, "no_such_key": 1}}
                with self.subTest(key=key, choice=choice):
                    self.assert_keys(self.document, then)

    def test_items_of_lists(self):
        sources = dict(self.branches(self.definitions["workload"], "source"))
        job = sources["jobs"]["properties"]["jobs"]["items"]
        self.document["workload"] = {"source": "jobs", "jobs": [
            {"model": "resnet50", "fraction": 0.1, "no_such_key": 1}]}
        self.assert_keys(self.document, job)
        group = sources["recurring"]["properties"]["groups"]["items"]
        self.document["workload"] = {"source": "recurring", "jobs": 1, "groups": [
            {"tag": "t", "period": "1 h", "run_time": "60 s", "model": "neumf", "no_such_key": 1}]}
        self.assert_keys(self.document, group)
        share = sources["philly"]["properties"]["models"]["items"]
        self.document["workload"] = {"source": "philly", "path": "p",
                                     "models": [{"model": "neumf", "no_such_key": 1}]}
        self.assert_keys(self.document, share)

    def test_parts_of_a_model(self):
        schema = validator("model").schema
        model = load(ROOT / "workloads/models/neumf.yaml")
        self.document["models"] = ["model.yaml"]
        for key in ("batch", "data_set"):
            self.assert_model(model, key, schema["properties"][key])
        on_machine = copy.deepcopy(model)
        on_machine["host"]["default"]["no_such_key"] = 1
        self.write_model(on_machine)
        self.assert_keys(self.document, schema["properties"]["host"]["properties"]["default"])
        self.assert_model(model, "noise_scale", schema["properties"]["noise_scale"]["items"])
        self.assert_model(model, None, schema)

    def assert_model(self, model, key, schema):
        changed = copy.deepcopy(model)
        part = changed if key is None else changed[key]
        (part[0] if isinstance(part, list) else part)["no_such_key"] = 1
        self.write_model(changed)
        self.assert_keys(self.document, schema)

    def write_model(self, model):
        text = documents.yaml.safe_dump(model, sort_keys=False)
        (self.program.folder / "model.yaml").write_text(text, encoding="utf-8")

    def test_operators_of_layers(self):
        model = load(ROOT / "workloads/models/neumf.yaml")
        self.document["models"] = ["model.yaml"]
        samples = {"function": "relu", "elements": 4, "forward": 2, "backward": 2,
                   "inputs": ["left", "right"]}
        count = 0
        for op, then in self.branches(validator("model").schema["definitions"]["layer"], "op"):
            shape = {key: samples.get(key, 2) for key in then["properties"]
                     if key in then.get("required", []) or key == "channels"}
            width = 1 if op == "concat" else 2  # which join two inputs to 2 elements
            before = [{"op": "linear", "name": name, "in": 2, "out": width} for name in samples["inputs"]]
            on_grid = op in ("fft", "interpolation", "stencil", "pointwise")
            model.pop("grid", None)
            if on_grid:
                model["grid"] = {"points": 8, "fields": 1}
            model["layers"] = [*([] if on_grid else before), {"op": op, **shape, "no_such_key": 1}]
            self.write_model(model)
            keys = set(then["properties"]) | {"repeat"}
            message = self.program.error_of(self.document)
            self.assertEqual(allowed_keys(message), keys, f"{op}: {message}")
            count += 1
        self.assertEqual(count, 20)

    def test_required_keys_are_missed_by_the_program_too(self):
        for source, then in self.branches(self.definitions["workload"], "source"):
            whole = {key: self.SAMPLES[key] for key in self.SAMPLES if key in then["properties"]}
            whole["jobs"] = [{"model": "neumf", "fraction": 1}] if source == "jobs" else 3
            if "jobs" not in then["properties"]:
                del whole["jobs"]
            for key in list(whole):
                part = {name: value for name, value in whole.items() if name != key}
                self.document["workload"] = {"source": source, **part}
                if not validator("campaign").is_valid(self.document):
                    self.assertIn("missing required key", self.program.error_of(self.document))


if __name__ == "__main__":
    MIMUS = sys.argv.pop(1)
    unittest.main()
