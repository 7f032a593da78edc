// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Tables sort by a click on a heading; the campaign table filters by words. Printing opens all.
"use strict";

function sortTable(table, column) {
  const heads = table.tHead.rows[0].cells;
  const ascending = heads[column].getAttribute("aria-sort") !== "ascending";
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[column].setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const rows = Array.from(table.tBodies[0].rows);
  const numeric = rows.some((row) => row.cells[column].classList.contains("num"));
  const key = (row) => row.cells[column].dataset.key;
  const order = numeric
    ? (a, b) => numberOf(key(a)) - numberOf(key(b)) || 0
    : (a, b) => key(a).localeCompare(key(b), "en", { numeric: true });
  rows.sort((a, b) => (ascending ? order(a, b) : order(b, a)));
  table.tBodies[0].append(...rows);
}

function numberOf(text) {
  return text === "-inf" ? -Number.MAX_VALUE : Number(text);
}

function filterCells(box) {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = Array.from(document.querySelector("#cells tbody").rows);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    shown += !row.hidden;
  }
  document.getElementById("filtered").textContent = words.length
    ? `${shown} of ${rows.length}` : "";
}

for (const table of document.querySelectorAll("table")) {
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    head.addEventListener("click", () => sortTable(table, column));
  });
}
const cellFilter = document.getElementById("filter-cells");
if (cellFilter) cellFilter.addEventListener("input", () => filterCells(cellFilter));

let openedForPrint = [];
addEventListener("beforeprint", () => {
  openedForPrint = Array.from(document.querySelectorAll("details:not([open])"));
  for (const part of openedForPrint) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of openedForPrint) part.open = false;
});
