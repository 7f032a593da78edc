# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Damaged files are named, whatever HDF5 does with them, and the others are shown."""

import contextlib
import io
import os
import random
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import mimus_results
from mimus_results import ReadError, checksums, cli, isolated

WRITER = os.environ.get("MIMUS_SYNTHETIC_RESULTS")


def flipped(content, at, bit):
    changed = bytearray(content)
    changed[at] ^= 1 << bit
    return bytes(changed)


@unittest.skipUnless(WRITER, "MIMUS_SYNTHETIC_RESULTS does not name the writer of files")
class DamagedFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="mimus-damaged-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        subprocess.run([WRITER, cls.folder / "written"], check=True)
        cls.whole = sorted((cls.folder / "written").glob("*.h5"))[0]
        cls.good = cls.whole.read_bytes()
        with open(cls.whole, "rb") as file:
            cls.content_bytes = checksums._read(file, len(cls.good)).content_bytes
        cls.figures = mimus_results.load(cls.whole).metrics()

    def written(self, content):
        path = self.folder / "other.h5"
        path.write_bytes(content)
        return path

    def test_the_bytes_that_are_wrong_are_named_with_what_to_do(self):
        with self.assertRaisesRegex(ReadError, "other.h5: is damaged: bytes 0 to 65536 are not those "
                                               "that were written; restore it from"):
            mimus_results.load(self.written(flipped(self.good, 10, 0)))

    def test_a_single_bit_anywhere_in_the_content_is_found(self):
        draws = random.Random(19)
        for trial in range(300):
            path = self.written(flipped(self.good, draws.randrange(self.content_bytes), trial % 8))
            with self.assertRaisesRegex(ReadError, "other.h5: is damaged"):
                mimus_results.load(path)

    def test_where_only_the_checksums_are_damaged_the_figures_are_the_same(self):
        for at in range(self.content_bytes, len(self.good), 11):
            campaign = mimus_results.load(self.written(flipped(self.good, at, 3)))
            self.assertFalse(campaign.cells[0].is_verified)
            self.assertTrue(campaign.metrics().equals(self.figures))

    def test_one_that_is_cut_off_is_refused(self):
        draws = random.Random(7)
        for _ in range(40):
            with self.assertRaisesRegex(ReadError, "other.h5: "):
                mimus_results.load(self.written(self.good[:draws.randrange(self.content_bytes)]))

    # One of these files makes HDF5 loop until the limit.
    @mock.patch.object(isolated, "_LEAST_SECONDS", 2)
    def test_without_checksums_it_ends_neither_the_process_nor_in_a_traceback(self):
        draws = random.Random(23)
        old = self.good[:self.content_bytes]
        refused = 0
        for _ in range(60):
            content = old
            for flip in range(40):  # mostly in HDF5's own data
                at = draws.randrange(40_000 if flip % 2 == 0 else len(old))
                content = flipped(content, at, flip % 8)
            said = io.StringIO()
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
                code = cli.main(["metrics", str(self.written(content))])
            refused += code
            if code:
                self.assertIn("other.h5", said.getvalue())
        self.assertGreater(refused, 0)

    def test_the_others_of_a_folder_are_shown(self):
        folder = self.folder / "some"
        folder.mkdir()
        (folder / "good.h5").write_bytes(self.good)
        (folder / "damaged.h5").write_bytes(flipped(self.good, 5000, 1))
        (folder / "cut.h5").write_bytes(self.good[:9000])
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            campaign = mimus_results.load(folder)
        self.assertTrue(campaign.metrics().equals(self.figures))
        self.assertEqual([warning.message.args[0] for warning in said], campaign.notes)
        self.assertRegex(campaign.notes[0], "left out: .*cut.h5: cannot be read .*; restore it from")
        self.assertRegex(campaign.notes[1], "left out: .*damaged.h5: is damaged: bytes 0 to 65536")


if __name__ == "__main__":
    unittest.main()
