// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang_channels.hpp"

#include "emulator/live/replica_backends.hpp"
#include "kernels/parallel/rank_groups.hpp"

namespace mimus::emulator {

GangChannels::GangChannels(const WorkerContext& context, const GangCommunicator& gang,
                           const std::vector<scheduler::Slot>& slots, std::int64_t tag,
                           const kernels::ParallelShape& shape) {
  if (shape.tensor * shape.pipeline == 1) {
    collectives_.push_back(make_collective(context, gang, slots));
    gang_.data = collectives_.back().get();
    return;
  }
  // Everybody makes them in this order: kind by kind, and down the pipeline, so that nobody waits
  // for one who waits for him.
  const kernels::RankGroups groups = kernels::groups_of(gang.rank(), shape);
  gang_.tensor = open(context, slots, tag, groups.tensor);
  gang_.data = open(context, slots, tag, groups.data);
  gang_.tied = open(context, slots, tag, groups.tied);
  gang_.activations_in = open(context, slots, tag, groups.activations_in);
  gang_.gradients_out = open(context, slots, tag, groups.gradients_out);
  gang_.activations_out = open(context, slots, tag, groups.activations_out);
  gang_.gradients_in = open(context, slots, tag, groups.gradients_in);
}

GangChannels::~GangChannels() {
  collectives_.clear();
}

kernels::Collective* GangChannels::open(const WorkerContext& context,
                                        const std::vector<scheduler::Slot>& slots, std::int64_t tag,
                                        const std::vector<int>& ranks) {
  if (ranks.empty()) return nullptr;
  std::vector<scheduler::Slot> members;
  members.reserve(ranks.size());
  for (const int rank : ranks) members.push_back(slots[static_cast<std::size_t>(rank)]);
  groups_.push_back(std::make_unique<GangCommunicator>(context.world.communicator(), members, tag));
  collectives_.push_back(make_collective(context, *groups_.back(), members));
  return collectives_.back().get();
}

void GangChannels::set_wall_per_emulated(double factor) {
  for (const auto& collective : collectives_) collective->set_wall_per_emulated(factor);
}

void GangChannels::abandon() {
  for (const auto& group : groups_) group->abandon();
}

}  // namespace mimus::emulator
