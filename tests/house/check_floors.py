# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Includes obey the floors of docs/architecture.md; neither headers nor rooms include each other in a
circle, and no room is too full. A room is a folder of sources, whatever folder it stands in.
"""

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

EMULATOR_WINGS = {"": 0, "data": 0, "record": 0, "sharing": 0, "testbed": 0, "live": 1, "virtual": 1, "replay": 1,
                  "campaign": 2, "run": 3, "bench": 4, "calibrate": 4, "slurm": 4, "cli": 5}
"""Folders of emulator, with all rooms in them. Each includes itself and lower ones; those of one level
are strangers, but on the ground: engine, testbed, data paths, record-keeping and the laws of sharing.
"""

MAX_ROOM_SOURCES = 40
FENCES = {
    "kernels/pytorch": ({"kernels/pytorch/pytorch_memory.hpp"}, "kernels"),
    "emulator/replay": ({"emulator/replay/gavel_replay.hpp", "emulator/replay/pollux_replay.hpp"}, "emulator/run"),
}
"""Rooms that only imitate another program: the headers that others may include, and who they are."""

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
    found, graph, lines = [], {}, {}
    for path in tree.files(root, (".hpp", ".cpp", ".cu", ".cuh"), under=tree.FOLDERS):
        here = path.as_posix()
        graph[here] = []
        for line, quoted, target in tree.includes(tree.read(root, path)):
            reason = _why_not(root, here, quoted, target)
            if reason:
                found.append(f"{here}:{line}: includes {target}: {reason}")
            if quoted:
                graph[here].append(target)
                lines.setdefault((_room(here), _room(target)), f"{here}:{line} includes {target}")
    return [*found, *_room_problems(graph, lines),
            *(f"headers include each other: {' -> '.join(circle)}" for circle in _circles(graph))]


def _room_problems(graph, lines):
    """`lines`: for each pair of rooms of which one includes the other, the first such line."""
    found, rooms = [], {}
    for path in graph:
        rooms.setdefault(_room(path), []).append(path)
    for room, sources in rooms.items():
        if len(sources) > MAX_ROOM_SOURCES:
            found.append(f"{room}: {len(sources)} sources in one folder, at most {MAX_ROOM_SOURCES}: "
                         "which second concept moved in?")
    neighbours = {room: sorted({other for one, other in lines if one == room != other})
                  for room in rooms}
    for circle in _circles(neighbours):
        where = "; ".join(lines[pair] for pair in zip(circle, circle[1:]))
        found.append(f"rooms include each other: {' -> '.join(circle)}: {where}")
    return found


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
    fenced = _why_not_through_fence(here, target)
    if fenced:
        return fenced
    if folder == "kernels" and other == "workloads" and target not in KERNELS_FROM_WORKLOADS:
        return f"of workloads, kernels may include {', '.join(sorted(KERNELS_FROM_WORKLOADS))}"
    if folder == other == "emulator":
        return _why_not_inside_emulator(_wing(here), _wing(target))
    return None


def _why_not_through_fence(here, target):
    for room, (doors, guests) in FENCES.items():
        if not target.startswith(room + "/") or here.startswith(room + "/"):
            continue
        if target not in doors:
            return f"of {room}, others may include {', '.join(sorted(doors))}"
        if not here.startswith(guests + "/"):
            return f"only {guests} may include what imitates another program"
    return None


def _room(path):
    return PurePosixPath(path).parent.as_posix()


def _wing(path):
    parts = PurePosixPath(path).parts
    return parts[1] if len(parts) > 2 else ""


def _why_not_inside_emulator(wing, other):
    for name in (wing, other):
        if name not in EMULATOR_WINGS:
            return f"emulator/{name} has no place among the wings in {PurePosixPath(__file__).name}"
    level, other_level = EMULATOR_WINGS[wing], EMULATOR_WINGS[other]
    if wing == other or other_level < level or level == other_level == 0:
        return None
    return ("inside emulator: cli -> {bench | calibrate | slurm} -> run -> campaign -> "
            "{live | virtual | replay} -> engine and testbed")


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
