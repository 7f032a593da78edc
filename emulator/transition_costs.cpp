// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/transition_costs.hpp"

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

Duration storage_time(const Attempt& attempt, const ClusterConfig& cluster) {
  if (attempt.model == nullptr) return Duration{};
  return checkpoint_bytes(*attempt.model) / cluster.storage;
}

}  // namespace

Bytes checkpoint_bytes(const workloads::Model& model) {
  return Bytes{4.0 * static_cast<double>(model.parameters())} + model.optimiser_state();
}

Duration start_cost(const Attempt& attempt, const ClusterConfig& cluster,
                    const TransitionCosts& stated) {
  if (attempt.transition == Transition::migrated && stated.migrate) return *stated.migrate;
  if (attempt.transition == Transition::resized && stated.resize) return *stated.resize;
  const Duration start = join_cost(attempt, stated);
  if (!attempt.from_checkpoint) return start;
  return start + (stated.restore ? *stated.restore : storage_time(attempt, cluster));
}

Duration join_cost(const Attempt& attempt, const TransitionCosts& stated) {
  if (attempt.model == nullptr) return stated.start.value_or(Duration{});
  const auto of_model = stated.start_of.find(attempt.model->name);
  if (of_model != stated.start_of.end()) return of_model->second;
  return stated.start.value_or(attempt.model->startup);
}

Duration resize_cost(Duration transfer, const TransitionCosts& stated) {
  return stated.resize.value_or(transfer);
}

Duration resume_cost(const TransitionCosts& stated) {
  return stated.resume.value_or(Duration{});
}

std::string resized_text(std::size_t before, std::size_t after) {
  if (after < before) return fmt::format("goes on with {} of {} GPUs", after, before);
  return fmt::format("goes on with {} GPUs, {} more", after, after - before);
}

Duration checkpoint_cost(const Attempt& attempt, const ClusterConfig& cluster,
                         const TransitionCosts& stated) {
  return stated.checkpoint ? *stated.checkpoint : storage_time(attempt, cluster);
}

}  // namespace mimus::emulator
