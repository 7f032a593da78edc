// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/gpu_time.hpp"

#include <algorithm>
#include <limits>

namespace mimus::results {

namespace {

constexpr TimeWindow kEver{-std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::infinity()};

bool has_job(const UtilisationRow& row) {
  return row.gpus_held > 0 || row.queued_jobs > 0 || row.running_jobs > 0;
}

}  // namespace

void GpuTime::add(const UtilisationRow& row) {
  // Files of the first releases have no fractional GPUs.
  const bool knows_shares = row.gpus_allocated >= 0;
  const double held = knows_shares ? row.gpus_allocated : static_cast<double>(row.gpus_held);
  const Piece piece{row.begin, row.end, held, static_cast<double>(row.gpus), row.memory_used};
  observed_end_ = std::max(observed_end_, row.end);
  add_while_arriving(piece);
  const bool job = has_job(row);
  if (!job_seen_) {
    append(head_, piece);
    job_seen_ = job;
    return;
  }
  if (job) {
    integrate(tail_, kEver, between_);
    tail_.clear();
  }
  append(tail_, piece);
}

void GpuTime::arrived(double time) {
  arrivals_ = {arrivals_ ? arrivals_->begin : time, time};
  while_arriving_ = since_first_;
}

void GpuTime::add_while_arriving(const Piece& piece) {
  if (!arrivals_) return;
  add_part(piece, *arrivals_, while_arriving_);
  add_part(piece, {arrivals_->begin, kEver.end}, since_first_);
}

GpuTime::Sums GpuTime::within(const TimeWindow& window) const {
  Sums sums = between_;
  integrate(head_, window, sums);
  integrate(tail_, window, sums);
  return sums;
}

// Merges pieces of the same height. The number of pieces then grows with the outages of nodes while
// the cluster is empty, and not with the number of rows.
void GpuTime::append(std::vector<Piece>& pieces, const Piece& piece) {
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.end == piece.begin && last.held == piece.held && last.up == piece.up &&
        last.memory == piece.memory) {
      last.end = piece.end;
      return;
    }
  }
  pieces.push_back(piece);
}

void GpuTime::add_part(const Piece& piece, const TimeWindow& window, Sums& sums) {
  const double length = std::min(piece.end, window.end) - std::max(piece.begin, window.begin);
  if (length <= 0) return;
  sums.held += piece.held * length;
  sums.up += piece.up * length;
  if (piece.memory < 0) return;
  sums.memory += piece.memory * length;
  sums.memory_known += piece.up * length;
}

void GpuTime::integrate(const std::vector<Piece>& pieces, const TimeWindow& window, Sums& sums) {
  for (const auto& piece : pieces) add_part(piece, window, sums);
}

}  // namespace mimus::results
