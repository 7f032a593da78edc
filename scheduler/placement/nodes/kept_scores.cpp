// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/nodes/kept_scores.hpp"

namespace mimus::scheduler {
namespace {

std::uint64_t hashed_with(std::uint64_t hash, std::int64_t part) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  hash = (hash ^ static_cast<std::uint64_t>(part)) * kGolden;
  return hash ^ (hash >> 32U);
}

}  // namespace

bool KeptScores::Asked::operator==(const Asked& other) const {
  const PlacementRequest& a = request;
  const PlacementRequest& b = other.request;
  return a.gang == b.gang && a.memory == b.memory && a.level == b.level && a.share == b.share &&
         a.kind == b.kind && a.types == b.types && a.host == b.host;
}

std::size_t KeptScores::AskedHash::operator()(const Asked& asked) const noexcept {
  const PlacementRequest& r = asked.request;
  std::uint64_t hash = hashed_with(hashed_with(0, r.gang), r.level);
  hash = hashed_with(hash, static_cast<std::int64_t>(r.memory.value));
  hash = hashed_with(hash, r.share.value);
  hash = hashed_with(hash, r.kind == nullptr ? -1 : r.kind->number);
  hash = hashed_with(hash, static_cast<std::int64_t>(r.types));
  hash = hashed_with(hash, r.host.milli_cores);
  return static_cast<std::size_t>(hashed_with(hash, r.host.memory));
}

}  // namespace mimus::scheduler
