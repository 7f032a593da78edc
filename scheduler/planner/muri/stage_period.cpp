// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/muri/stage_period.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

using Sequence = std::array<const StageTimes*, kMostInterleaved>;  ///< null: nobody

/// Measured iterations of groups over their periods, by the number of members.
constexpr std::array<double, kMostInterleaved + 1> kLoss{1.0, 1.0, 1.33, 1.5, 1.37};
/// A measured iteration of a job alone over the profiled one.
constexpr double kSoloLoss = 1.015;
/// Relative difference of two periods in a row that count as equal.
constexpr double kSamePeriod = 1e-3;

/// Slots are the times in which every resource serves one member. In slot i the network serves the
/// member (i+1) mod 4 and the GPU (i+2) mod 4; the input stage of (i+3) mod 4 takes this slot and
/// the one before. Returns the length of four slots once it repeats, or that of the second four.
double period_of(const Sequence& order) {
  constexpr std::size_t kSlots = 2 * kMostInterleaved;
  std::array<double, kSlots + 1> begins{};
  double last = 0.0;
  for (std::size_t i = 0; i < kSlots; ++i) {
    const StageTimes* sends = order[(i + 1) % kMostInterleaved];
    const StageTimes* computes = order[(i + 2) % kMostInterleaved];
    const StageTimes* reads = order[(i + 3) % kMostInterleaved];
    double end = 0.0;  // not the end of the slot before, as in Muri's simulator
    if (sends != nullptr) end = begins[i] + sends->network;
    if (computes != nullptr) end = std::max(end, begins[i] + computes->compute);
    if (reads != nullptr && i > 0) end = std::max(end, begins[i - 1] + reads->input);
    begins[i + 1] = end;
    if (i + 1 < kMostInterleaved) continue;
    const double period = end - begins[i + 1 - kMostInterleaved];
    const bool repeats = std::abs(period - last) <= kSamePeriod * std::max(period, last);
    if (i >= kMostInterleaved && repeats) return period;
    last = period;
  }
  return last;
}

/// Two members have half of the slots to themselves: one reads while the other computes and sends.
double period_of_two(const StageTimes& a, const StageTimes& b) {
  return std::max(a.input, b.compute + b.network) + std::max(b.input, a.compute + a.network);
}

double sum_of_stages(std::span<const StageTimes> members) {
  double sum = 0.0;
  for (const StageTimes& member : members) sum += member.input + member.compute + member.network;
  return sum;
}

}  // namespace

double interleaved_period(std::span<const StageTimes> members) {
  const std::size_t size = members.size();
  ensure(size >= 1 && size <= kMostInterleaved, "a group of stages has one to four members");
  if (size == 1) return members.front().iteration;
  std::array<std::size_t, kMostInterleaved> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = std::numeric_limits<double>::infinity();
  if (size == 2) best = period_of_two(members[0], members[1]);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(size);
  do {
    Sequence ordered{};
    for (std::size_t i = 0; i < size; ++i) ordered[i] = &members[order[i]];
    best = std::min(best, period_of(ordered));
  } while (std::next_permutation(order.begin(), end));
  return best;
}

double group_iteration(std::span<const StageTimes> members) {
  if (members.size() == 1) return kSoloLoss * members.front().iteration;
  return interleaved_period(members) * kLoss[members.size()] / kSoloLoss;
}

double interleaving_efficiency(std::span<const StageTimes> members) {
  const double busy = sum_of_stages(members);
  const double time = group_iteration(members) * static_cast<double>(kMostInterleaved);
  return busy >= time ? 1.0 : busy / time;
}

bool slower_than_in_turn(std::span<const StageTimes> members) {
  double in_turn = 0.0;
  for (const StageTimes& member : members) in_turn += kSoloLoss * member.iteration;
  return group_iteration(members) > in_turn;
}

double interleaving_slowdown(std::span<const StageTimes> members) {
  const double alone = kSoloLoss * members.front().iteration;
  return alone > 0.0 ? std::max(1.0, group_iteration(members) / alone) : 1.0;
}

}  // namespace mimus::scheduler
