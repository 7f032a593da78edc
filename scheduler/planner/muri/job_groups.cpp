// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/muri/job_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "scheduler/planner/muri/matching.hpp"

namespace mimus::scheduler {
namespace {

constexpr int kRounds = 4;
/// Efficiencies become integers, so that matchings are exact.
constexpr double kWeightUnits = 1e9;

/// What a group's efficiency with another one depends on, in a form that can be compared.
using Signature = std::vector<std::array<double, 5>>;

Signature signature_of(std::span<const Contender> contenders, std::span<const std::size_t> group) {
  Signature signature;
  for (const std::size_t member : group) {
    const Contender& job = contenders[member];
    const StageTimes stages = job.stages.value_or(StageTimes{.iteration = -1.0});
    signature.push_back(
        {stages.input, stages.compute, stages.network, stages.iteration, job.memory.value});
  }
  std::ranges::sort(signature);
  return signature;
}

}  // namespace

std::vector<JobGroup> JobGroups::make(const std::function<bool(std::size_t)>& may_run) {
  admit(may_run);
  for (int round = 0; round < kRounds && asked_ > room_.left(); ++round) merge_round();
  dissolve_slow();
  return place();
}

void JobGroups::admit(const std::function<bool(std::size_t)>& may_run) {
  enum class State { open, admitted, refused };
  std::vector<State> states(contenders_.size(), State::open);
  std::set<int> too_large;
  NodeRoom room = room_;
  for (std::size_t first = 0; first < contenders_.size() && room.left() > 0; ++first) {
    const int gang = contenders_[first].gang;
    if (states[first] != State::open || too_large.contains(gang)) continue;
    NodeRoom before = room;
    if (!room.take(gang)) {
      too_large.insert(gang);
      continue;
    }
    std::size_t admitted = 0;
    for (std::size_t i = first; i < contenders_.size() && admitted < limits_.members; ++i) {
      if (states[i] != State::open || contenders_[i].gang != gang) continue;
      states[i] = may_run(i) ? State::admitted : State::refused;
      if (states[i] == State::admitted) ++admitted;
    }
    if (admitted == 0) room = std::move(before);
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] != State::admitted) continue;
    drafts_.push_back({.members = {i}, .gang = contenders_[i].gang});
    asked_ += contenders_[i].gang;
  }
}

void JobGroups::merge_round() {
  std::set<int> sizes;
  for (const Draft& draft : drafts_) sizes.insert(draft.gang);
  for (const int gang : sizes) {
    if (asked_ > room_.left()) merge_size(gang);
  }
}

void JobGroups::merge_size(int gang) {
  std::vector<std::size_t> nodes;
  std::map<Signature, std::size_t> kinds;
  std::vector<std::size_t> kind_of;
  std::vector<const Draft*> examples;
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    if (drafts_[i].gang != gang) continue;
    nodes.push_back(i);
    const auto [kind, is_new] =
        kinds.try_emplace(signature_of(contenders_, drafts_[i].members), examples.size());
    if (is_new) examples.push_back(&drafts_[i]);
    kind_of.push_back(kind->second);
  }
  EdgeWeights of_kinds(examples.size());
  for (std::size_t a = 0; a < examples.size(); ++a) {
    for (std::size_t b = a; b < examples.size(); ++b) {
      of_kinds.set(a, b, weight(*examples[a], *examples[b]));
    }
  }
  EdgeWeights weights(nodes.size());
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    for (std::size_t b = a + 1; b < nodes.size(); ++b) {
      weights.set(a, b, of_kinds.at(kind_of[a], kind_of[b]));
    }
  }
  const auto mates = maximum_weight_matching(weights);
  for (std::size_t a = 0; a < nodes.size() && asked_ > room_.left(); ++a) {
    if (!mates[a] || *mates[a] < a) continue;
    auto& members = drafts_[nodes[a]].members;
    auto& others = drafts_[nodes[*mates[a]]].members;
    members.insert(members.end(), others.begin(), others.end());
    std::ranges::sort(members);
    others.clear();
    asked_ -= gang;
  }
  std::erase_if(drafts_, [](const Draft& draft) { return draft.members.empty(); });
}

/// Zero where the two cannot run together.
std::int64_t JobGroups::weight(const Draft& a, const Draft& b) const {
  if (a.members.size() + b.members.size() > limits_.members) return 0;
  std::vector<std::size_t> members = a.members;
  members.insert(members.end(), b.members.begin(), b.members.end());
  Bytes memory{};
  for (const std::size_t member : members) {
    if (!contenders_[member].stages) return 0;
    memory += contenders_[member].memory;
  }
  if (limits_.gpu_memory != Bytes{} && memory > limits_.gpu_memory) return 0;
  return 1 + std::llround(kWeightUnits * interleaving_efficiency(stages_of(members)));
}

std::vector<StageTimes> JobGroups::stages_of(std::span<const std::size_t> members) const {
  std::vector<StageTimes> stages;
  for (const std::size_t member : members) stages.push_back(*contenders_[member].stages);
  return stages;
}

void JobGroups::dissolve_slow() {
  std::vector<Draft> kept;
  for (Draft& draft : drafts_) {
    if (draft.members.size() == 1 || !slower_than_in_turn(stages_of(draft.members))) {
      kept.push_back(std::move(draft));
      continue;
    }
    for (const std::size_t member : draft.members) {
      kept.push_back({.members = {member}, .gang = draft.gang});
    }
  }
  std::ranges::sort(kept, {}, [](const Draft& draft) { return draft.members.front(); });
  drafts_ = std::move(kept);
}

std::vector<JobGroup> JobGroups::place() const {
  std::vector<JobGroup> groups;
  NodeRoom room = room_;
  for (const Draft& draft : drafts_) {
    if (auto gpus = room.take(draft.gang)) groups.push_back({draft.members, std::move(*gpus)});
  }
  return groups;
}

}  // namespace mimus::scheduler
