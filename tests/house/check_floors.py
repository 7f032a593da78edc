# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Includes obey the floors of docs/architecture.md; headers include each other in no circle."""

from pathlib import PurePosixPath

import tree

MAY_INCLUDE = {
    "base": {"base"},
    "workloads": {"base", "workloads"},
    "kernels": {"base", "workloads", "kernels"},
    "scheduler": {"base", "scheduler"},
    "results": {"base", "workloads", "kernels", "scheduler", "results"},
    "emulator": set(tree.FOLDERS),
}
"""Folders of the house that a folder may include from."""

KERNELS_FROM_WORKLOADS = {"workloads/models/model.hpp", "workloads/models/noise_scale.hpp"}
"""A kernel knows what a model is, not where jobs come from."""

EMULATOR_ROOMS = {"": 0, "record": 0, "sharing": 0, "live": 1, "virtual": 1, "campaign": 2, "cli": 3}
"""Inside emulator a room includes itself and lower ones; live and virtual are strangers.

The ground is one room: engine and testbed, with record-keeping and the laws of sharing beside them.
"""

LIBRARY_HOMES = {
    "mpi.h": ("emulator/live", "kernels/mpi"),
    "cuda_runtime.h": ("kernels/cuda", "kernels/nccl"),
    "cuda_runtime_api.h": ("kernels/cuda", "kernels/nccl"),
    "cublasLt.h": ("kernels/cuda",),
    "cudnn.h": ("kernels/cuda",),
    "cupti.h": ("kernels/cuda",),
    "nccl.h": ("kernels/nccl",),
    "hdf5.h": ("results",),
    "yaml-cpp/yaml.h": ("base",),
    "CLI/CLI.hpp": ("emulator/cli",),
    "cblas.h": ("kernels/cpu",),
    "pybind11/pybind11.h": ("scheduler/python",),
    "pybind11/embed.h": ("scheduler/python",),
    "pybind11/numpy.h": ("scheduler/python",),
}
"""Library headers and the only folders that may include them."""


def problems(root):
    found = []
    graph = {}
    for path in tree.files(root, (".hpp", ".cpp", ".cu", ".cuh"), under=tree.FOLDERS):
        here = path.as_posix()
        graph[here] = []
        for line, quoted, target in tree.includes(tree.read(root, path)):
            reason = _why_not(root, here, quoted, target)
            if reason:
                found.append(f"{here}:{line}: includes {target}: {reason}")
            if quoted:
                graph[here].append(target)
    return found + [f"headers include each other: {' -> '.join(circle)}"
                    for circle in _circles(graph)]


def _why_not(root, here, quoted, target):
    """Why `here` may not include `target`, or None when it may."""
    if not quoted:
        homes = LIBRARY_HOMES.get(target)
        inside = homes is None or any(here.startswith(home + "/") for home in homes)
        return None if inside else f"only {', '.join(homes)} may"
    if not (root / target).is_file():
        return "no such file from the root of the sources"
    folder, other = here.split("/")[0], target.split("/")[0]
    if other not in MAY_INCLUDE[folder]:
        return f"{folder} may include from {', '.join(sorted(MAY_INCLUDE[folder]))}"
    if folder == "kernels" and other == "workloads" and target not in KERNELS_FROM_WORKLOADS:
        return f"of workloads, kernels may include {', '.join(sorted(KERNELS_FROM_WORKLOADS))}"
    if folder == other == "emulator":
        return _why_not_inside_emulator(_room(here), _room(target))
    return None


def _room(path):
    parts = PurePosixPath(path).parts
    return parts[1] if len(parts) > 2 else ""


def _why_not_inside_emulator(room, other):
    for name in (room, other):
        if name not in EMULATOR_ROOMS:
            return f"emulator/{name} has no place among the rooms in {PurePosixPath(__file__).name}"
    level, other_level = EMULATOR_ROOMS[room], EMULATOR_ROOMS[other]
    if room == other or other_level < level or level == other_level == 0:
        return None
    return "inside emulator: cli -> campaign -> {live | virtual} -> engine and testbed"


def _circles(graph):
    """One circle per back edge of a depth-first walk, as a list of paths that ends as it began."""
    state, trail, found = {}, [], []

    def visit(path):
        state[path] = "open"
        trail.append(path)
        for target in graph.get(path, []):
            if state.get(target) == "open":
                found.append(trail[trail.index(target):] + [target])
            elif target not in state:
                visit(target)
        trail.pop()
        state[path] = "done"

    for path in sorted(graph):
        if path not in state:
            visit(path)
    return found
