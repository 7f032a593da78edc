// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/search/growth.hpp"

#include <algorithm>
#include <utility>

namespace mimus::scheduler {
namespace {

constexpr int kOffers = 3;

/// Number of GPUs of the node among these cells.
int taken_on(std::size_t node, std::span<const Cell> cells) {
  for (const Cell& cell : cells) {
    if (static_cast<std::size_t>(cell.node) == node) return cell.gpus;
  }
  return 0;
}

bool is_before(const Cell& a, const Cell& b) {
  return a.node < b.node;
}

}  // namespace

void Growth::give_out(std::size_t most_nodes) {
  free_nodes_.clear();
  for (std::size_t node = 0; node < draft_.nodes(); ++node) {
    if (draft_.left(node) > 0) free_nodes_.push_back(node);
  }
  const std::size_t count = std::min(most_nodes, free_nodes_.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto others = static_cast<std::int64_t>(free_nodes_.size() - i);
    std::swap(free_nodes_[i], free_nodes_[i + static_cast<std::size_t>(random_.below(others))]);
    give_out_on(free_nodes_[i]);
  }
}

void Growth::give_out_on(std::size_t node) {
  while (draft_.left(node) > 0) {
    std::optional<Offer> best;
    for (int i = 0; i < kOffers; ++i) {
      auto offer = draw_offer(node);
      if (offer && offer->gain > (best ? best->gain : 0.0)) best = std::move(offer);
    }
    if (!best) return;
    draft_.change(best->job, best->cells, best->worth);
  }
}

/// A job that is already on the node, or any job.
std::size_t Growth::draw_job(std::size_t node) {
  const auto& there = draft_.on(node);
  if (!there.empty() && random_.below(2) == 0) {
    return there[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(there.size())))];
  }
  return static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(draft_.jobs())));
}

std::optional<Growth::Offer> Growth::draw_offer(std::size_t node) {
  const std::size_t job = draw_job(node);
  SearchJob& owner = problem_.jobs[job];
  Offer offer;
  offer.job = job;
  const bool starts = draft_.gene(job).gpus == 0;
  const bool needs_several = owner.is_rigid() || (starts && owner.least_gpus() > 1);
  offer.cells = needs_several ? smallest_gang(job, node) : grown(job, node);
  if (offer.cells.empty() || !draft_.may_be_on(job, offer.cells)) return std::nullopt;
  offer.worth = owner.worth(offer.cells);
  const int more = taken_on(node, offer.cells) - taken_on(node, draft_.cells(job));
  offer.gain = (draft_.gene(job).worth.cost - offer.worth.cost) / std::max(more, 1);
  return offer;
}

/// Adds some GPUs of the node to those of the job, or replaces them.
Cells Growth::grown(std::size_t job, std::size_t node) {
  const auto cells = draft_.cells(job);
  const auto at = std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return static_cast<std::size_t>(cell.node) == node;
  });
  const bool moves = at == cells.end() && !cells.empty() && random_.below(3) == 0;
  const int has = moves ? 0 : draft_.gene(job).gpus;
  const int most = std::min(draft_.left(node), problem_.jobs[job].most_gpus() - has);
  if (most <= 0) return {};
  const Cell added{static_cast<std::int32_t>(node),
                   static_cast<std::int32_t>(1 + random_.below(most))};
  if (moves) return added.gpus < problem_.jobs[job].least_gpus() ? Cells{} : Cells{added};
  Cells grown(cells.begin(), cells.end());
  if (at != cells.end()) {
    grown[static_cast<std::size_t>(at - cells.begin())].gpus += added.gpus;
  } else {
    grown.insert(std::upper_bound(grown.begin(), grown.end(), added, is_before), added);
  }
  return grown;
}

/// As many GPUs as a job needs at least, from this node and, if needed, from others.
Cells Growth::smallest_gang(std::size_t job, std::size_t node) const {
  const int gang = problem_.jobs[job].least_gpus();
  if (gang > problem_.jobs[job].most_gpus()) return {};
  if (draft_.gene(job).gpus > 0) return {};
  int missing = gang;
  Cells cells;
  const auto take = [&](std::size_t from) {
    const int given = std::min(missing, draft_.left(from));
    if (given <= 0) return;
    cells.push_back({static_cast<std::int32_t>(from), given});
    missing -= given;
  };
  take(node);
  for (const std::size_t other : free_nodes_) {
    if (missing > 0 && other != node && draft_.may_span(job, other)) take(other);
  }
  if (missing > 0) return {};
  std::sort(cells.begin(), cells.end(), is_before);
  return cells;
}

}  // namespace mimus::scheduler
