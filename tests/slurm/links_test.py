# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""mimus calibrate --links on two nodes of a real Slurm.

Usage: links_test.py MIMUS_BINARY
Exit code 77 where this machine has no Slurm.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py

from cluster import LIMIT_S, Cluster, Unavailable

EXPECTED = {("2", "node", 1), ("1+1", "network", 2), ("2+2", "network", 2)}


def measure(mimus, folder):
    """The profile of a world on two nodes: shape, link and hosts of each gang."""
    profile, log = folder / "links.h5", folder / "log"
    # The scheduling rank and the first emulated node of two GPUs, then the other one.
    calibrate = (f"mpirun -n 5 '{mimus}' calibrate --links --models none -o '{profile}' "
                 "--set cluster.nodes=2 --set cluster.gpus_per_node=2")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(["sbatch", "--parsable", "--wait", "--nodes=2", "--ntasks=6",
                           "--ntasks-per-node=3", f"--output={log}", f"--wrap={calibrate}"],
                          env=environment, capture_output=True, text=True, timeout=2 * LIMIT_S)
    text = log.read_text() if log.exists() else ""
    if done.returncode != 0:
        raise RuntimeError(done.stderr + text)
    if "effective rate of network" not in text or "effective rate of node" not in text:
        raise RuntimeError(f"not printed: {text}")
    with h5py.File(profile, "r") as file:
        rows = file["profile_links"][:]
    slow = [row for row in rows if not row["bus_bandwidth"] > 0]
    if slow:
        raise RuntimeError(f"without a rate: {slow}")
    return {(row["shape"].decode(), row["link"].decode(), int(row["hosts"])) for row in rows}


def main():
    mimus = pathlib.Path(sys.argv[1]).resolve()
    cluster = Cluster()
    try:
        cluster.up()
    except Unavailable as reason:
        print(f"skipped: {reason}")
        return 77
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = measure(mimus, pathlib.Path(folder))
    finally:
        cluster.down()
    print(f"found {found}, expected {EXPECTED}")
    return 0 if found == EXPECTED else 1


if __name__ == "__main__":
    sys.exit(main())
