// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Paints one cell's timeline on a canvas: a band per GPU, in it a line per tenant.
"use strict";

const AXIS = 26;
const FILLS = 8;

// Where each line stands: lines of a GPU touch, GPUs and nodes are set apart.
function timelineLayout(cell, width) {
  const lines = cell.gpu.length;
  const height = Math.max(7, Math.min(20, 420 / lines));
  const tops = [];
  const bands = [];
  let at = AXIS + 4;
  for (let row = 0; row < lines; ++row) {
    if (row > 0 && cell.node[row] !== cell.node[row - 1]) at += 7;
    else if (row > 0 && cell.gpu[row] !== cell.gpu[row - 1]) at += 2;
    if (row === 0 || cell.gpu[row] !== cell.gpu[row - 1]) {
      bands.push({ node: cell.node[row], gpu: cell.gpu[row], type: cell.type[row], top: at, bottom: at });
    }
    tops.push(at);
    at += height;
    bands[bands.length - 1].bottom = at;
  }
  const typed = Math.max(0, ...cell.type.map((type) => 7 * type.length + 12));
  return { tops, bands, line: height, height: at + 6, left: width < 560 ? 54 : 104 + typed, width };
}

// A fill for each model; after the eighth they get stripes.
function timelineFills(context, models) {
  const style = getComputedStyle(document.documentElement);
  return models.map((_, index) => {
    const colour = style.getPropertyValue(`--f${index % FILLS}`).trim();
    if (index < FILLS) return colour;
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const brush = tile.getContext("2d");
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 8, 8);
    brush.fillStyle = "rgba(0,0,0,0.45)";
    const wide = 2 * Math.floor(index / FILLS);
    if (index % 2) brush.fillRect(0, 0, wide, 8);
    else brush.fillRect(0, 0, 8, wide);
    return context.createPattern(tile, "repeat");
  });
}

function isDark(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 110;
}

function timelineX(layout, view, seconds) {
  return layout.left + ((seconds - view.from) / view.span) * (layout.width - layout.left - 6);
}

function paintAxis(context, layout, view, colours) {
  context.fillStyle = colours.soft;
  context.strokeStyle = colours.grid;
  context.textAlign = "center";
  for (const moment of view.ticks((layout.width - layout.left) / 90)) {
    const x = timelineX(layout, view, moment);
    context.beginPath();
    context.moveTo(x, AXIS);
    context.lineTo(x, layout.height);
    context.stroke();
    if (x < layout.width - 24 && x > layout.left - 4) {
      context.fillText(timeText(moment), Math.max(x, layout.left + 10), AXIS / 2 + 2);
    }
  }
}

function paintBands(context, layout, colours) {
  const short = layout.left < 80;
  const every = Math.ceil(13 / Math.max(1, layout.bands[0].bottom - layout.bands[0].top));
  context.textAlign = "right";
  layout.bands.forEach((band, index) => {
    context.fillStyle = colours.panel;
    context.fillRect(layout.left, band.top, layout.width - layout.left - 6, band.bottom - band.top);
    if (index % every) return;
    context.fillStyle = colours.ink;
    const type = band.type ? `${band.type} · ` : "";
    const name = short ? `${band.node}·${band.gpu}` : `${type}node ${band.node} · GPU ${band.gpu}`;
    context.fillText(name, layout.left - 6, (band.top + band.bottom) / 2);
  });
}

// The job's number, where the bar is wide enough for it before its first pause.
function paintNumber(context, cell, at, bar, colours) {
  const share = cell.length[at] ? cell.head[at] / cell.length[at] : 1;
  const wide = (bar.right - bar.left) * share;
  const middle = bar.left + wide / 2;
  const text = String(cell.job[at]);
  if (bar.line < 11 || wide < 8 * text.length + 6) return;
  if (cell.model[at] >= FILLS) { // stripes would hide the number
    context.fillStyle = "#ffffff";
    context.fillRect(middle - 4 * text.length - 3, bar.top + 2, 8 * text.length + 6, bar.line - 4);
  }
  context.fillStyle = cell.model[at] < FILLS && isDark(colours.fills[cell.model[at]])
    ? "#ffffff" : "#000000";
  context.fillText(text, middle, bar.top + bar.line / 2 + 0.5);
}

function paintBars(context, cell, layout, view, colours) {
  const edge = layout.width - 6;
  context.textAlign = "center";
  for (let at = 0; at < cell.row.length; ++at) {
    const begin = cell.begin[at] * cell.tick;
    const end = begin + cell.length[at] * cell.tick;
    if (end < view.from || begin > view.to) continue;
    const left = Math.max(layout.left, timelineX(layout, view, begin));
    const right = Math.min(edge, timelineX(layout, view, end));
    const top = layout.tops[cell.row[at]];
    const wide = right - left > 3 ? right - left - 0.8 : Math.max(0.8, right - left);
    context.fillStyle = colours.fills[cell.model[at]];
    context.fillRect(left, top + 0.5, wide, layout.line - 1);
    paintNumber(context, cell, at, { left, right, top, line: layout.line }, colours);
  }
}

// Over the bars, from their tops: what of the GPU's time their attempts did without in these spans.
function paintPale(context, cell, layout, view, colours) {
  const { row, begin, length, share } = cell.pale;
  context.fillStyle = colours.paper;
  context.globalAlpha = 0.75;
  for (let at = 0; at < row.length; ++at) {
    const from = begin[at] * cell.tick;
    const to = from + length[at] * cell.tick;
    if (to < view.from || from > view.to) continue;
    const left = Math.max(layout.left, timelineX(layout, view, from));
    const right = Math.min(layout.width - 6, timelineX(layout, view, to));
    const high = ((layout.line - 1) * share[at]) / 100;
    context.fillRect(left, layout.tops[row[at]] + 0.5, right - left, high);
  }
  context.globalAlpha = 1;
}

function paintTimeline(canvas, cell, models, states, view) {
  const width = Math.max(200, canvas.parentElement.clientWidth);
  const layout = timelineLayout(cell, width);
  const dense = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(layout.height * dense);
  canvas.style.height = `${layout.height}px`;
  const context = canvas.getContext("2d");
  context.scale(dense, dense);
  context.font = '12px system-ui, "DejaVu Sans", sans-serif';
  context.textBaseline = "middle";
  const style = getComputedStyle(document.documentElement);
  const colours = { fills: timelineFills(context, models) };
  for (const name of ["paper", "ink", "soft", "grid", "panel"]) {
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  }
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, layout.height);
  paintBands(context, layout, colours);
  paintNodes(context, cell, states, layout, view);
  paintAxis(context, layout, view, colours);
  paintBars(context, cell, layout, view, colours);
  paintPale(context, cell, layout, view, colours);
  return layout;
}
