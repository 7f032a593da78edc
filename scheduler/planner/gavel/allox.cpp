// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/allox.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mimus::scheduler {
namespace {

constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
constexpr double kFar = std::numeric_limits<double>::infinity();

/// LinePlaces in lines, those of one type and distance from the end together.
struct LinePlaces {
  std::size_t type;
  int from_end;  ///< from 1 on
  std::vector<std::size_t> taken_by;
  int free;
};

/// Puts one job after the other where the sum grows least, moving others from place to place: the
/// shortest augmenting paths of the assignment problem over groups of equal places.
class Lines {
 public:
  Lines(std::span<const LinedJob> jobs, std::span<const int> gpus) : jobs_(jobs) {
    for (std::size_t type = 0; type < gpus.size(); ++type) {
      if (gpus[type] <= 0) continue;
      const auto length = (jobs.size() + static_cast<std::size_t>(gpus[type]) - 1) /
                          static_cast<std::size_t>(gpus[type]);
      for (std::size_t k = 1; k <= length; ++k) {
        places_.push_back({type, static_cast<int>(k), {}, gpus[type]});
      }
    }
    place_of_.assign(jobs.size(), kNobody);
  }

  void add_all() {
    for (std::size_t job = 0; job < jobs_.size(); ++job) add(job);
  }

  [[nodiscard]] std::vector<std::optional<std::size_t>> first() const {
    // The line of a GPU has as many jobs as there are distances taken by it: the first in line is
    // the one furthest from the end. Of a type whose last group is not full, the others' lines are
    // one shorter.
    std::vector<std::optional<std::size_t>> first(jobs_.size());
    for (std::size_t at = 0; at < places_.size(); ++at) {
      const bool is_longest = at + 1 == places_.size() || places_[at + 1].type != places_[at].type;
      const std::size_t behind = is_longest ? 0 : places_[at + 1].taken_by.size();
      // The longest jobs of a group stand behind those of the next one: they come later.
      std::vector<std::size_t> members = places_[at].taken_by;
      std::ranges::sort(members, [&](std::size_t a, std::size_t b) {
        const double x = jobs_[a].times[places_[at].type];
        const double y = jobs_[b].times[places_[at].type];
        return x != y ? x < y : a < b;
      });
      for (std::size_t i = 0; i + behind < members.size(); ++i)
        first[members[i]] = places_[at].type;
    }
    return first;
  }

 private:
  [[nodiscard]] double cost(std::size_t job, std::size_t place) const {
    return places_[place].from_end * jobs_[job].times[places_[place].type];
  }

  /// Bellman's shortest path from the job to a free place, over jobs that could make way.
  void add(std::size_t job) {
    std::vector<double> distance(places_.size(), kFar);
    std::vector<std::size_t> mover(places_.size(), job);  ///< who would take this place
    for (std::size_t p = 0; p < places_.size(); ++p) distance[p] = cost(job, p);
    bool changes = true;
    for (std::size_t pass = 0; changes && pass < places_.size(); ++pass) {
      changes = false;
      for (std::size_t p = 0; p < places_.size(); ++p) {
        if (distance[p] == kFar) continue;
        for (const std::size_t other : places_[p].taken_by) {
          changes = shorten(distance, mover, p, other) || changes;
        }
      }
    }
    take(distance, mover);
  }

  bool shorten(std::vector<double>& distance, std::vector<std::size_t>& mover, std::size_t from,
               std::size_t other) const {
    bool changes = false;
    for (std::size_t q = 0; q < places_.size(); ++q) {
      if (q == from) continue;
      const double by_it = distance[from] - cost(other, from) + cost(other, q);
      const double less = distance[q] - by_it;
      constexpr double kRounding = 1e-9;
      if (!(less > kRounding * std::max(1.0, std::abs(by_it)))) continue;
      distance[q] = by_it;
      mover[q] = other;
      changes = true;
    }
    return changes;
  }

  void take(const std::vector<double>& distance, const std::vector<std::size_t>& mover) {
    std::size_t best = kNobody;
    for (std::size_t p = 0; p < places_.size(); ++p) {
      if (places_[p].free == 0 || distance[p] == kFar) continue;
      if (best == kNobody || distance[p] < distance[best]) best = p;
    }
    if (best == kNobody) return;  // it can run nowhere
    --places_[best].free;
    for (std::size_t p = best; p != kNobody;) {
      const std::size_t moved = mover[p];
      const std::size_t before = place_of_[moved];
      if (before != kNobody) std::erase(places_[before].taken_by, moved);
      places_[p].taken_by.push_back(moved);
      place_of_[moved] = p;
      p = before;
    }
  }

  std::span<const LinedJob> jobs_;
  std::vector<LinePlaces> places_;
  std::vector<std::size_t> place_of_;  ///< by job
};

}  // namespace

std::vector<std::optional<std::size_t>> first_in_line(std::span<const LinedJob> jobs,
                                                      std::span<const int> gpus) {
  Lines lines(jobs, gpus);
  lines.add_all();
  return lines.first();
}

}  // namespace mimus::scheduler
