// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Which stretch of time [s] a timeline shows. Arithmetic only: it knows nothing of the page.
"use strict";

class TimelineView {
  constructor(end) {
    this.end = end;
    this.shortest = end / 20000;
    this.all();
  }

  all() {
    this.from = 0;
    this.to = this.end;
  }

  get span() {
    return this.to - this.from;
  }

  // Makes the stretch `factor` times as long, and keeps the moment at `share` of it in its place.
  zoom(factor, share = 0.5) {
    const fixed = this.from + share * this.span;
    const span = Math.min(this.end, Math.max(this.shortest, this.span * factor));
    this.moveTo(fixed - share * span, span);
  }

  // Moves by a share of the stretch that is shown.
  pan(share) {
    this.moveTo(this.from + share * this.span, this.span);
  }

  moveTo(from, span) {
    this.from = Math.min(Math.max(0, from), this.end - span);
    this.to = this.from + span;
  }

  // Round moments within the stretch, at most `most` of them.
  ticks(most) {
    const units = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 21600,
      43200, 86400, 172800, 432000, 864000, 1728000, 4320000, 8640000];
    const rough = this.span / Math.max(1, most);
    const fine = 10 ** Math.ceil(Math.log10(rough));
    const step = rough < 0.5 ? fine : units.find((unit) => unit >= rough) || fine;
    const found = [];
    for (let at = Math.ceil(this.from / step - 1e-9) * step; at <= this.to; at += step) {
      found.push(at);
    }
    return found;
  }
}

// A moment or a span as people say it: 12.5 s, 3:20 min, 2:05 h, 1 d 4 h.
function timeText(seconds) {
  const two = (value) => String(Math.floor(value)).padStart(2, "0");
  if (seconds < 120) return `${Number(seconds.toPrecision(4))} s`;
  const whole = Math.round(seconds);
  if (whole < 7200) return `${Math.floor(whole / 60)}:${two(whole % 60)} min`;
  if (whole < 172800) return `${Math.floor(whole / 3600)}:${two((whole % 3600) / 60)} h`;
  return `${Math.floor(whole / 86400)} d ${Math.floor((whole % 86400) / 3600)} h`;
}
