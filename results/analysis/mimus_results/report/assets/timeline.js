// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The timeline's hands: choice of the cell, wheel, drag, pinch, keys, tooltips.
"use strict";

class Timeline {
  constructor(data) {
    this.models = data.models;
    this.states = Object.keys(data.states);
    this.stateNames = Object.values(data.states);
    this.cells = data.cells;
    this.canvas = document.getElementById("timeline-canvas");
    this.tip = document.getElementById("timeline-tip");
    this.pointers = new Map();
    this.fillChoice();
    this.show(0);
    this.listen();
  }

  fillChoice() {
    this.choice = document.getElementById("timeline-cell");
    this.cells.forEach((cell, index) => this.choice.add(new Option(cell.name, index)));
    this.choice.addEventListener("change", () => this.show(Number(this.choice.value)));
  }

  show(index) {
    this.cell = this.cells[index];
    this.view = new TimelineView(this.cell.end);
    document.getElementById("timeline-note").textContent = this.cell.note;
    this.paint();
    this.paintLegend();
  }

  paint() {
    this.layout = paintTimeline(this.canvas, this.cell, this.models, this.states,
      this.view);
    this.canvas.dataset.from = this.view.from;
    this.canvas.dataset.to = this.view.to;
    document.getElementById("timeline-range").textContent =
      `${timeText(this.view.from)} to ${timeText(this.view.to)}`;
  }

  paintLegend() {
    const list = document.getElementById("timeline-models");
    list.replaceChildren();
    this.addKeys(list, this.cell.model, timelineFills, this.models, this.models);
    this.addKeys(list, this.cell.nodes.state, nodeFills, this.states, this.stateNames);
  }

  // A swatch and a name for each index that is used.
  addKeys(list, used, fillsOf, keys, names) {
    for (const index of [...new Set(used)].sort((a, b) => a - b)) {
      const swatch = document.createElement("canvas");
      swatch.className = "swatch";
      swatch.width = 28;
      swatch.height = 12;
      const context = swatch.getContext("2d");
      context.fillStyle = fillsOf(context, keys)[index];
      context.fillRect(4, 0, 20, 12);
      const item = document.createElement("li");
      item.append(swatch, names[index]);
      list.append(item);
    }
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    }
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("keydown", (event) => this.key(event));
    for (const button of document.querySelectorAll("[data-do]")) {
      button.addEventListener("click", () => this.act(button.dataset.do));
    }
    const repaint = () => { this.paint(); this.paintLegend(); };
    new ResizeObserver(() => {
      if (canvas.parentElement.clientWidth !== this.layout.width) this.paint();
    }).observe(canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    const printing = (on) => () => {
      document.documentElement.classList.toggle("printing", on);
      repaint();
    };
    addEventListener("beforeprint", printing(true));
    addEventListener("afterprint", printing(false));
  }

  act(what) {
    const view = this.view;
    const acts = {
      in: () => view.zoom(0.5), out: () => view.zoom(2), left: () => view.pan(-0.25),
      right: () => view.pan(0.25), all: () => view.all(),
    };
    acts[what]();
    this.paint();
  }

  key(event) {
    const keys = { "+": "in", "=": "in", "-": "out", ArrowLeft: "left", ArrowRight: "right",
      0: "all", Home: "all" };
    if (!(event.key in keys) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.act(keys[event.key]);
  }

  share(x) {
    const inside = this.layout.width - this.layout.left - 6;
    return Math.min(1, Math.max(0, (x - this.layout.left) / inside));
  }

  // Without Ctrl the wheel moves the page, unless somebody has clicked into the timeline.
  wheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.view.pan(event.deltaX / 800);
    else {
      const step = Math.max(-100, Math.min(100, event.deltaY * (event.deltaMode ? 30 : 1)));
      this.view.zoom(Math.exp(step * (event.ctrlKey ? 0.008 : 0.003)), this.share(event.offsetX));
    }
    this.paint();
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, event.offsetX);
    this.tip.hidden = true;
  }

  move(event) {
    if (!this.pointers.has(event.pointerId)) {
      this.explain(event);
      return;
    }
    const inside = this.layout.width - this.layout.left - 6;
    const before = [...this.pointers.values()];
    this.pointers.set(event.pointerId, event.offsetX);
    const after = [...this.pointers.values()];
    if (after.length === 1) this.view.pan((before[0] - after[0]) / inside);
    else {
      const apart = (pair) => Math.max(8, Math.abs(pair[0] - pair[1]));
      this.view.zoom(apart(before) / apart(after), this.share((after[0] + after[1]) / 2));
    }
    this.paint();
  }

  barAt(x, y) {
    const { cell, layout, view } = this;
    const row = layout.tops.findIndex((top) => y >= top && y < top + layout.line);
    if (row < 0 || x < layout.left) return -1;
    const moment = (view.from + this.share(x) * view.span) / cell.tick;
    const slack = (2 * view.span) / layout.width / cell.tick;
    return cell.row.findIndex((at, index) => at === row && cell.begin[index] <= moment + slack
      && cell.begin[index] + cell.length[index] >= moment - slack);
  }

  explain(event) {
    const { cell, tip } = this;
    const at = this.barAt(event.offsetX, event.offsetY);
    tip.hidden = at < 0;
    if (at < 0) return;
    const begin = cell.begin[at] * cell.tick;
    const length = cell.length[at] * cell.tick;
    const row = cell.row[at];
    tip.textContent = `job ${cell.job[at]}, ${this.models[cell.model[at]]}\n`
      + `node ${cell.node[row]}, GPU ${cell.gpu[row]}${cell.type.length ? `, ${cell.type[row]}` : ""}\n`
      + `${timeText(begin)} to ${timeText(begin + length)} (${timeText(length)})`;
    const room = this.layout.width - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(4, Math.min(event.offsetX + 12, room))}px`;
    const below = event.offsetY + 16;
    const above = event.offsetY - tip.offsetHeight - 10;
    const fits = below + tip.offsetHeight <= this.layout.height;
    tip.style.top = `${fits ? below : Math.max(0, above)}px`;
  }
}

const timelineData = document.getElementById("timeline-data");
if (timelineData) window.mimusTimeline = new Timeline(JSON.parse(timelineData.textContent));
