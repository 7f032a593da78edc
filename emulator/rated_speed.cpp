// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/rated_speed.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"

namespace mimus::emulator {

double stated_rate(const workloads::Job& job, const scheduler::ClusterShape& shape,
                   std::span<const scheduler::Slot> slots) {
  std::optional<double> slowest;
  for (const scheduler::Slot& slot : slots) {
    const std::string& type = shape.type_name(shape.type_of(slot.gpu));
    const auto rate = std::ranges::find(job.rates, type, &workloads::TypeRates::value_type::first);
    ensure(rate != job.rates.end(), "a job runs on a GPU type for which it has no rate");
    slowest = slowest ? std::min(*slowest, rate->second) : rate->second;
  }
  ensure(slowest.has_value(), "a gang without GPUs has no speed");
  return *slowest;
}

std::optional<double> stated_rate_beside(const workloads::Job& job, const workloads::Job& other,
                                         const std::string& type) {
  if (!job.pair_rates || job.gang != other.gang) return std::nullopt;
  const auto pair = job.pair_rates->find({job.kind, other.kind});
  if (pair == job.pair_rates->end()) return std::nullopt;
  const auto rate = std::ranges::find(pair->second, type, &workloads::TypeRates::value_type::first);
  return rate == pair->second.end() ? std::nullopt : std::optional(rate->second);
}

double rated_speed(const workloads::Job& job, const scheduler::ClusterShape& shape,
                   std::span<const scheduler::Slot> slots) {
  if (job.rates.empty()) return 1.0;
  return stated_rate(job, shape, slots) / job.rates.front().second;
}

}  // namespace mimus::emulator
