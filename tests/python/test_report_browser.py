# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""The report in headless Chromium: no errors, all figures present, zoom works, nothing
overflows."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import chromium
from mimus_results import load
from mimus_results.report import write

WRITER = os.environ.get("MIMUS_SYNTHETIC_RESULTS")

STICKS_OUT = """(() => {
  const wide = document.documentElement.clientWidth + 0.5;
  return Array.from(document.querySelectorAll("body *")).filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width && box.right > wide && !element.closest(".table, pre, thead");
  }).map((element) => element.tagName + "." + element.className).slice(0, 5);
})()"""
CLIPPED = """Array.from(document.querySelectorAll("figure svg")).flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  return Array.from(svg.querySelectorAll("text")).filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2
      || box.bottom > frame.bottom + 2;
  }).map((text) => text.textContent);
})"""
SMALLEST = """Math.min(...Array.from(document.querySelectorAll("figure text"))
  .map((text) => text.getBoundingClientRect()).filter((box) => box.width)
  .map((box) => Math.min(box.width, box.height)))"""
LONGEST_BAR = """(() => {
  const { cell, layout, canvas, view } = window.mimusTimeline;
  const bar = cell.length.indexOf(Math.max(...cell.length));
  const box = canvas.getBoundingClientRect();
  const middle = (cell.begin[bar] + cell.length[bar] / 2) * cell.tick;
  return [box.left + timelineX(layout, view, middle),
    box.top + layout.tops[cell.row[bar]] + layout.line / 2];
})()"""
PAINTED = """(() => {
  const canvas = document.getElementById("timeline-canvas");
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let at = 0; at < data.length; at += 4) {
    colours.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
  }
  return colours.size;
})()"""


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not WRITER:
            raise unittest.SkipTest("MIMUS_SYNTHETIC_RESULTS does not name the writer")
        if not chromium.find():
            raise unittest.SkipTest("no Chromium: " + ", ".join(chromium.NAMES))
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        folder = Path(cls.temporary.name)
        subprocess.run([WRITER, str(folder)], check=True)
        cls.path = write(load(folder), folder / "report.html")
        cls.page = chromium.Page()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.page.errors.clear()

    def tearDown(self):
        self.assertEqual(self.page.errors, [])

    def view(self):
        return [float(self.page.run(f'document.getElementById("timeline-canvas").dataset.{end}'))
                for end in ("from", "to")]

    def middle(self):
        self.page.run('document.getElementById("timeline-canvas").scrollIntoView('
                      '{block: "center", behavior: "instant"})')
        box = self.page.run("""(() => { const box = document.getElementById("timeline-canvas")
          .getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2];
        })()""")
        return box

    def test_every_figure_is_there(self):
        self.page.open(self.path)
        for name, least in (("comparison", 6), ("jct", 1), ("queueing", 1), ("fairness", 1),
                            ("over-time", 2), ("interference", 1), ("batches", 2),
                            ("decisions", 1)):
            found = self.page.run(f'document.querySelectorAll("#{name} figure svg").length')
            self.assertGreaterEqual(found, least, name)
        self.assertGreater(self.page.run(PAINTED), 5)

    def test_nothing_sticks_out_on_any_screen(self):
        for width in (1280, 700, 400):
            self.page.open(self.path, width)
            self.assertEqual(self.page.run("document.documentElement.scrollWidth"), width)
            self.assertEqual(self.page.run(STICKS_OUT), [], width)
            self.assertEqual(self.page.run(CLIPPED), [], width)

    def test_type_is_large_enough_on_a_telephone(self):
        self.page.open(self.path, 400)
        self.assertGreaterEqual(self.page.run(SMALLEST), 4)
        size = self.page.run("""Math.min(...Array.from(document.querySelectorAll("figure svg")).map(
          (svg) => 12.5 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))""")
        self.assertGreaterEqual(size, 9)

    def test_the_dark_theme_is_dark(self):
        colours = []
        for dark in (False, True):
            self.page.open(self.path, dark=dark)
            colours.append(self.page.run("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(colours, ["rgb(255, 255, 255)", "rgb(20, 24, 28)"])

    def test_the_wheel_zooms_with_ctrl_and_leaves_the_page_alone_without(self):
        self.page.open(self.path)
        x, y = self.middle()
        whole = self.view()
        self.page.wheel(x, y, -100)
        self.assertEqual(self.view(), whole)
        x, y = self.middle()
        self.page.wheel(x, y, -100, ctrl=True)
        begin, end = self.view()
        self.assertLess(end - begin, 0.8 * (whole[1] - whole[0]))
        self.assertGreater(begin, whole[0])
        self.assertLess(end, whole[1])

    def test_keys_and_buttons_zoom_move_and_go_back(self):
        self.page.open(self.path)
        whole = self.view()
        self.page.run('document.getElementById("timeline-canvas").focus()')
        self.page.press("+")
        closer = self.view()
        self.assertAlmostEqual(closer[1] - closer[0], (whole[1] - whole[0]) / 2)
        self.page.press("ArrowRight")
        self.assertGreater(self.view()[0], closer[0])
        self.page.press("0")
        self.assertEqual(self.view(), whole)
        self.page.run('document.querySelector("[data-do=in]").click()')
        self.assertEqual(self.view(), closer)

    def test_dragging_moves_and_pointing_explains(self):
        self.page.open(self.path)
        self.page.run('document.querySelector("[data-do=in]").click()')
        x, y = self.middle()
        before = self.view()
        self.page.mouse("mousePressed", x, y)
        self.page.mouse("mouseMoved", x - 150, y)
        self.page.mouse("mouseReleased", x - 150, y)
        self.assertGreater(self.view()[0], before[0])
        self.page.run('document.querySelector("[data-do=all]").click()')
        x, y = self.page.run(LONGEST_BAR)
        self.page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        tip = self.page.run('document.getElementById("timeline-tip").textContent')
        self.assertRegex(tip, r"job \d+, \S+\nnode \d+, GPU \d+\n")

    def test_another_cell_can_be_chosen(self):
        self.page.open(self.path)
        before = self.view()
        self.page.run("""(() => { const choice = document.getElementById("timeline-cell");
          choice.value = "1"; choice.dispatchEvent(new Event("change")); })()""")
        self.assertNotEqual(self.view(), before)

    def test_tables_sort_by_a_click(self):
        self.page.open(self.path)
        column = """Array.from(document.querySelectorAll("#cells tbody tr")).map(
          (row) => Number(row.cells[4].dataset.key)).filter(Number.isFinite)"""
        self.page.run('document.querySelectorAll("#cells th")[4].querySelector("button").click()')
        ascending = self.page.run(column)
        self.assertEqual(ascending, sorted(ascending))
        self.page.run('document.querySelectorAll("#cells th")[4].querySelector("button").click()')
        self.assertEqual(self.page.run(column), ascending[::-1])

    def test_printing_opens_what_is_folded(self):
        self.page.open(self.path)
        self.assertGreater(self.page.run('document.querySelectorAll("details:not([open])").length'),
                           0)
        self.page.run('dispatchEvent(new Event("beforeprint"))')
        self.assertEqual(self.page.run('document.querySelectorAll("details:not([open])").length'),
                         0)

    def test_tables_fit_on_paper(self):
        self.page.open(self.path, 720)  # A4 less its margins, 96 dots per inch
        self.page.call("Emulation.setEmulatedMedia", media="print")
        wide = self.page.run("""Array.from(document.querySelectorAll(".table")).filter(
          (box) => box.firstChild.scrollWidth > box.clientWidth + 1).map(
          (box) => box.ariaLabel)""")
        self.page.call("Emulation.setEmulatedMedia", media="")
        self.assertEqual(wide, [])


if __name__ == "__main__":
    if not chromium.find():
        print("skipped: no Chromium (Debian package chromium) in the path")
        sys.exit(77)
    unittest.main()
