// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/gang_channels.hpp"

#include <utility>

#include "base/error.hpp"
#include "emulator/live/gang/replica_backends.hpp"
#include "kernels/parallel/rank_groups.hpp"

namespace mimus::emulator {
namespace {

/// One group of a rank, and its role for the rank.
struct Group {
  kernels::Collective* kernels::GangCollectives::*role;
  GroupKind kind;
  std::vector<int> ranks;
};

/// Groups in the order in which all ranks create them: kind by kind and down the pipeline. This
/// order prevents ranks from waiting for each other in a circle.
std::vector<Group> groups_in_order(int rank, const kernels::ParallelShape& shape) {
  using Gang = kernels::GangCollectives;
  const kernels::RankGroups groups = kernels::groups_of(rank, shape);
  using Kind = GroupKind;
  std::vector<Group> order{{&Gang::tensor, Kind::tensor, groups.tensor},
                           {&Gang::data, Kind::data, groups.data},
                           {&Gang::tied, Kind::tied, groups.tied},
                           {&Gang::activations_in, Kind::activations, groups.activations_in},
                           {&Gang::gradients_out, Kind::gradients, groups.gradients_out},
                           {&Gang::activations_out, Kind::activations, groups.activations_out},
                           {&Gang::gradients_in, Kind::gradients, groups.gradients_in}};
  std::erase_if(order, [](const Group& group) { return group.ranks.empty(); });
  return order;
}

std::vector<scheduler::Slot> members_of(const Group& group,
                                        const std::vector<scheduler::Slot>& slots) {
  std::vector<scheduler::Slot> members;
  members.reserve(group.ranks.size());
  for (const int rank : group.ranks) members.push_back(slots[static_cast<std::size_t>(rank)]);
  return members;
}

}  // namespace

GangChannels::GangChannels(const WorkerContext& context, const GangCommunicator& gang,
                           const std::vector<scheduler::Slot>& slots, std::int64_t tag,
                           const kernels::ParallelShape& shape, GangChange change) {
  if (shape.tensor * shape.pipeline == 1) {
    collectives_.push_back(
        change.members_before > 1
            ? resize_collective(context, gang, slots, std::move(change))
            : make_collective(context, gang, slots, GroupKind::data, std::move(change.links)));
    gang_.data = collectives_.back().get();
    if (gang_.data == nullptr) collectives_.clear();
    return;
  }
  const std::vector<Group> groups = groups_in_order(gang.rank(), shape);
  // Creates all communicators first. Creating a collective may fail on some members, which would
  // then not join communicators for which others wait without a deadline.
  for (const Group& group : groups) {
    communicators_.push_back(std::make_unique<GangCommunicator>(context.world.communicator(),
                                                                members_of(group, slots), tag));
  }
  try {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      collectives_.push_back(make_collective(context, *communicators_[i],
                                             members_of(groups[i], slots), groups[i].kind));
      gang_.*groups[i].role = collectives_.back().get();
    }
  } catch (...) {
    abandon();
    throw;
  }
}

GangChannels::~GangChannels() {
  for (const auto& collective : collectives_) collective->begin_to_end();
  collectives_.clear();
}

void GangChannels::set_wall_per_emulated(double factor) {
  for (const auto& collective : collectives_) collective->set_wall_per_emulated(factor);
}

void GangChannels::quiet_until(WallInstant at) {
  for (const auto& collective : collectives_) collective->quiet_until(at);
}

void GangChannels::busy_from(WallInstant at) {
  for (const auto& collective : collectives_) collective->busy_from(at);
}

/// If all members are in one group, the busy ones report more precisely.
void GangChannels::idle_at(WallInstant now) {
  if (collectives_.size() > 1) quiet_until(now - kernels::PaceClock::kWindow);
}

std::unique_ptr<kernels::Collective> GangChannels::take_data() {
  ensure(communicators_.empty(), "gangs of split models are not resized");
  gang_ = {};
  if (collectives_.empty()) return nullptr;
  auto data = std::move(collectives_.front());
  collectives_.clear();
  return data;
}

void GangChannels::abandon() {
  for (const auto& communicator : communicators_) communicator->abandon();
}

}  // namespace mimus::emulator
