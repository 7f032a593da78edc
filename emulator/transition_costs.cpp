// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/transition_costs.hpp"

#include <array>

#include <fmt/format.h>

#include "emulator/modelled_throughput.hpp"
#include "kernels/footprint/collective_time.hpp"

namespace mimus::emulator {
namespace {

Duration storage_time(const Attempt& attempt, const ClusterConfig& cluster) {
  if (attempt.model == nullptr) return Duration{};
  return checkpoint_bytes(*attempt.model) / cluster.storage;
}

}  // namespace

const char* name(Transition transition) {
  switch (transition) {
    case Transition::fresh:
      return "fresh";
    case Transition::resumed:
      return "resumed";
    case Transition::migrated:
      return "migrated";
    case Transition::resized:
      return "resized";
    case Transition::in_place:
      return "in_place";
    case Transition::moved:
      return "moved";
  }
  return "fresh";
}

Bytes checkpoint_bytes(const workloads::Model& model) {
  // A registration goes on from its velocity, which has three components.
  if (model.grid.used()) return 3.0 * model.grid.field();
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

Duration state_transfer(const workloads::Model& model, const ClusterConfig& cluster,
                        std::span<const scheduler::Slot> slots) {
  return kernels::collective_time(kernels::CollectiveOp::broadcast, checkpoint_bytes(model),
                                  static_cast<int>(slots.size()), gang_link(cluster, slots));
}

Duration state_transfer(const workloads::Model& model, const ClusterConfig& cluster,
                        const scheduler::Slot& from, const scheduler::Slot& to) {
  return state_transfer(model, cluster, std::array{from, to});
}

Duration resize_cost(const Attempt& before, const Attempt& after, const ClusterConfig& cluster,
                     const TransitionCosts& stated) {
  if (stated.resize) return *stated.resize;
  const auto& slots = after.allocation.slots;
  const bool grew = slots.size() > before.allocation.slots.size();
  return grew && after.model != nullptr ? state_transfer(*after.model, cluster, slots) : Duration{};
}

Duration move_cost(const Attempt& before, const Attempt& after, const ClusterConfig& cluster,
                   const TransitionCosts& stated) {
  if (stated.move) return *stated.move;
  if (after.model == nullptr) return Duration{};
  return state_transfer(*after.model, cluster, before.allocation.slots.front(),
                        after.allocation.slots.front());
}

Duration cost_after_move(const Attempt& after, const ClusterConfig& cluster,
                         const TransitionCosts& stated) {
  if (stated.move || after.model == nullptr) return Duration{};
  return state_transfer(*after.model, cluster, after.allocation.slots);
}

Duration resume_cost(const TransitionCosts& stated) {
  return stated.resume.value_or(Duration{});
}

std::string followed_text(const scheduler::Allocation& before, const scheduler::Allocation& after) {
  const std::size_t had = before.slots.size();
  const std::size_t has = after.slots.size();
  if (is_move(before, after)) return fmt::format("goes on with {} other GPUs", has);
  if (has < had) return fmt::format("goes on with {} of {} GPUs", has, had);
  return fmt::format("goes on with {} GPUs, {} more", has, has - had);
}

Duration checkpoint_cost(const Attempt& attempt, const ClusterConfig& cluster,
                         const TransitionCosts& stated) {
  return stated.checkpoint ? *stated.checkpoint : storage_time(attempt, cluster);
}

}  // namespace mimus::emulator
