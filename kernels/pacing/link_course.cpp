// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/link_course.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

constexpr std::int64_t kNoEnd = INT64_MAX;

/// In whole ns, so that values computed from an end are the same on every rank.
std::int64_t end_at(const LinkFlow& flow, int sharing) {
  return flow.position + static_cast<std::int64_t>(std::ceil(flow.remaining * sharing));
}

void move(LinkFlow& flow, std::int64_t to, int sharing) {
  if (to <= flow.position) return;
  flow.remaining -= static_cast<double>(to - flow.position) / sharing;
  flow.remaining = std::max(flow.remaining, 0.0);
  flow.position = to;
}

/// The number of transfers on the fullest link of each of `flows`.
class Sharing {
 public:
  explicit Sharing(int links) : on_link_(static_cast<std::size_t>(links)) {}

  [[nodiscard]] std::vector<int> at(std::int64_t instant, const std::vector<LinkFlow>& flows) {
    std::fill(on_link_.begin(), on_link_.end(), 0);
    for (const LinkFlow& flow : flows) {
      if (flow.begin > instant) continue;
      for (const int link : flow.links) ++on_link_[static_cast<std::size_t>(link)];
    }
    std::vector<int> most;
    most.reserve(flows.size());
    for (const LinkFlow& flow : flows) {
      int here = 1;
      for (const int link : flow.links) {
        here = std::max(here, on_link_[static_cast<std::size_t>(link)]);
      }
      most.push_back(here);
    }
    return most;
  }

 private:
  std::vector<int> on_link_;
};

std::int64_t first_begin_after(std::int64_t instant, const std::vector<LinkFlow>& flows) {
  std::int64_t first = kNoEnd;
  for (const LinkFlow& flow : flows) {
    if (flow.begin > instant) first = std::min(first, flow.begin);
  }
  return first;
}

}  // namespace

std::int64_t move_to_first_end(std::vector<LinkFlow>& flows, int links) {
  ensure(!flows.empty(), "no transfers to move on");
  Sharing sharing(links);
  std::int64_t at = kNoEnd;
  for (const LinkFlow& flow : flows) at = std::min(at, flow.position);
  std::vector<int> before = sharing.at(at, flows);
  while (true) {
    std::int64_t end = kNoEnd;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (flows[i].begin <= at) end = std::min(end, end_at(flows[i], before[i]));
    }
    const std::int64_t come = first_begin_after(at, flows);
    if (end <= come) {
      for (std::size_t i = 0; i < flows.size(); ++i) {
        if (flows[i].begin > at) continue;
        if (end_at(flows[i], before[i]) == end) flows[i].end = end;
        move(flows[i], end, before[i]);
      }
      return end;
    }
    at = come;
    std::vector<int> now = sharing.at(at, flows);
    // Advanced only where the rate changes, so an end does not depend on transfers elsewhere.
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (now[i] != before[i]) move(flows[i], at, before[i]);
    }
    before = std::move(now);
  }
}

void move_to_all_ends(std::vector<LinkFlow>& flows, int links) {
  std::vector<LinkFlow> ended;
  while (!flows.empty()) {
    const std::int64_t end = move_to_first_end(flows, links);
    const auto first = std::partition(flows.begin(), flows.end(),
                                      [end](const LinkFlow& flow) { return flow.end != end; });
    std::move(first, flows.end(), std::back_inserter(ended));
    flows.erase(first, flows.end());
  }
  flows = std::move(ended);
}

}  // namespace mimus::kernels
