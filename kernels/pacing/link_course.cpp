// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/link_course.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "kernels/pacing/fair_share.hpp"

namespace mimus::kernels {
namespace {

constexpr std::int64_t kNoEnd = INT64_MAX;

/// In whole ns, so that values computed from an end are the same on every rank.
std::int64_t end_at(const LinkFlow& flow, double stretch) {
  return flow.position + static_cast<std::int64_t>(std::ceil(flow.remaining * stretch));
}

void move(LinkFlow& flow, std::int64_t to, double stretch) {
  if (to <= flow.position) return;
  flow.remaining -= static_cast<double>(to - flow.position) / stretch;
  flow.remaining = std::max(flow.remaining, 0.0);
  flow.position = to;
}

/// How many times as long as on idle links each of `flows` takes at an instant.
class Sharing {
 public:
  explicit Sharing(int links) : on_link_(static_cast<std::size_t>(links)) {}

  [[nodiscard]] std::vector<double> at(std::int64_t instant, const std::vector<LinkFlow>& flows) {
    for (FairShare& link : on_link_) link.clear();
    for (const LinkFlow& flow : flows) {
      if (flow.begin > instant) continue;
      for (const LinkUse& use : flow.links) on_link(use).add({.load = use.load});
    }
    for (FairShare& link : on_link_) link.divide();
    std::vector<double> stretches;
    stretches.reserve(flows.size());
    for (const LinkFlow& flow : flows) {
      double most = 1.0;
      for (const LinkUse& use : flow.links) most = std::max(most, on_link(use).stretch(use.load));
      stretches.push_back(most);
    }
    return stretches;
  }

 private:
  [[nodiscard]] FairShare& on_link(const LinkUse& use) {
    return on_link_[static_cast<std::size_t>(use.link)];
  }

  std::vector<FairShare> on_link_;
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
  std::vector<double> before = sharing.at(at, flows);
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
    std::vector<double> now = sharing.at(at, flows);
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
