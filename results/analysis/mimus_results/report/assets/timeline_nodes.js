// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The spans for which nodes took no jobs, behind the bars of a timeline.
"use strict";

// How each state looks: its grey, and the stripes on it (none, one way, or both ways).
const NODE_LOOKS = {
  asleep: { shade: 0.12, stripes: 0 },
  booting: { shade: 0.12, stripes: 1 },
  quarantined: { shade: 0, stripes: 2 },
  down: { shade: 0.4, stripes: 0 },
};

// Fills for the names of states, on the colours of the page.
function nodeFills(context, states) {
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  return states.map((state) => {
    const look = NODE_LOOKS[state];
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const brush = tile.getContext("2d");
    brush.fillStyle = brush.strokeStyle = ink;
    brush.globalAlpha = look.shade;
    brush.fillRect(0, 0, 8, 8);
    brush.globalAlpha = 0.5;
    brush.beginPath();
    const lines = [[-2, 2, 2, -2], [0, 8, 8, 0], [6, 10, 10, 6]];
    for (const [x, y, toX, toY] of look.stripes > 0 ? lines : []) {
      brush.moveTo(x, y);
      brush.lineTo(toX, toY);
      if (look.stripes < 2) continue;
      brush.moveTo(8 - x, y);
      brush.lineTo(8 - toX, toY);
    }
    brush.stroke();
    return context.createPattern(tile, "repeat");
  });
}

function paintNodes(context, cell, states, layout, view) {
  const { node, state, begin, length } = cell.nodes;
  const fills = nodeFills(context, states);
  for (let at = 0; at < node.length; ++at) {
    const from = begin[at] * cell.tick;
    const to = from + length[at] * cell.tick;
    if (to < view.from || from > view.to) continue;
    const left = Math.max(layout.left, timelineX(layout, view, from));
    const right = Math.min(layout.width - 6, timelineX(layout, view, to));
    context.fillStyle = fills[state[at]];
    for (const band of layout.bands) {
      if (band.node !== node[at]) continue;
      context.fillRect(left, band.top, right - left, band.bottom - band.top);
    }
  }
}
