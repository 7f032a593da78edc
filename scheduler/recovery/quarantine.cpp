// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/recovery/quarantine.hpp"

#include <algorithm>

namespace mimus::scheduler {

std::vector<NodeId> Quarantine::begin(std::span<const NodeId> nodes, Instant now) {
  std::vector<NodeId> out;
  for (const NodeId node : nodes) {
    if (!acts() || until_.contains(node) || !is_too_much(node, now)) continue;
    failures_.erase(node);
    until_[node] = now + settings_->length;
    out.push_back(node);
  }
  return out;
}

bool Quarantine::is_too_much(NodeId node, Instant now) {
  std::deque<Instant>& failures = failures_[node];
  while (!failures.empty() && now - failures.front() > settings_->within) failures.pop_front();
  if (failures.empty() || failures.back() != now) failures.push_back(now);
  return static_cast<int>(failures.size()) >= settings_->after;
}

std::vector<NodeId> Quarantine::end(Instant now) {
  std::vector<NodeId> back;
  for (const auto& [node, until] : until_) {
    if (until <= now) back.push_back(node);
  }
  for (const NodeId node : back) until_.erase(node);
  return back;
}

Instant Quarantine::next() const {
  Instant first = kNever;
  for (const auto& [node, until] : until_) first = std::min(first, until);
  return first;
}

}  // namespace mimus::scheduler
