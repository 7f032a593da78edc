// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/muri/job_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

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
  return placed(without_slow());
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
    if (states[i] == State::admitted) add(i);
  }
}

void JobGroups::add(std::size_t contender) {
  const int gang = contenders_[contender].gang;
  auto size = std::ranges::find(sizes_, gang, &Size::gang);
  if (size == sizes_.end()) size = sizes_.insert(size, {gang, {}});
  size->drafts.push_back({contender});
  asked_ += gang;
}

void JobGroups::merge_round() {
  for (Size& size : sizes_) {
    if (asked_ > room_.left()) merge_size(size);
  }
}

EdgeWeights JobGroups::weights_of(std::span<const Draft> drafts) const {
  std::map<Signature, std::size_t> kinds;
  std::vector<std::size_t> kind_of;
  std::vector<const Draft*> examples;
  for (const Draft& draft : drafts) {
    const auto [kind, is_new] =
        kinds.try_emplace(signature_of(contenders_, draft), examples.size());
    if (is_new) examples.push_back(&draft);
    kind_of.push_back(kind->second);
  }
  EdgeWeights of_kinds(examples.size());
  for (std::size_t a = 0; a < examples.size(); ++a) {
    for (std::size_t b = a; b < examples.size(); ++b) {
      of_kinds.set(a, b, weight(*examples[a], *examples[b]));
    }
  }
  EdgeWeights weights(drafts.size());
  for (std::size_t a = 0; a < drafts.size(); ++a) {
    for (std::size_t b = a + 1; b < drafts.size(); ++b) {
      weights.set(a, b, of_kinds.at(kind_of[a], kind_of[b]));
    }
  }
  return weights;
}

/// A pair takes the place of its second draft, and pairs are merged in the order of these places.
/// Muri's figures depend on it, because rounds end with the first merge that is enough.
void JobGroups::merge_size(Size& size) {
  const auto mates = maximum_weight_matching(weights_of(size.drafts));
  std::vector<Draft> merged;
  for (std::size_t i = 0; i < size.drafts.size(); ++i) {
    if (mates[i] && *mates[i] > i) continue;
    Draft& draft = size.drafts[i];
    if (mates[i]) {
      Draft& first = size.drafts[*mates[i]];
      if (asked_ > room_.left()) {
        draft.insert(draft.end(), first.begin(), first.end());
        std::ranges::sort(draft);
        asked_ -= size.gang;
      } else {
        merged.push_back(std::move(first));
      }
    }
    merged.push_back(std::move(draft));
  }
  size.drafts = std::move(merged);
}

/// Zero where the two cannot run together.
std::int64_t JobGroups::weight(const Draft& a, const Draft& b) const {
  if (a.size() + b.size() > limits_.members) return 0;
  Draft members = a;
  members.insert(members.end(), b.begin(), b.end());
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

/// Of all sizes, by rank.
std::vector<JobGroups::Draft> JobGroups::without_slow() const {
  std::vector<Draft> kept;
  for (const Size& size : sizes_) {
    for (const Draft& draft : size.drafts) {
      if (draft.size() == 1 || !slower_than_in_turn(stages_of(draft))) {
        kept.push_back(draft);
        continue;
      }
      for (const std::size_t member : draft) kept.push_back({member});
    }
  }
  std::ranges::sort(kept, {}, [](const Draft& draft) { return draft.front(); });
  return kept;
}

std::vector<JobGroup> JobGroups::placed(std::span<const Draft> drafts) const {
  std::vector<JobGroup> groups;
  NodeRoom room = room_;
  for (const Draft& draft : drafts) {
    const int gang = contenders_[draft.front()].gang;
    if (auto gpus = room.take(gang)) groups.push_back({draft, std::move(*gpus)});
  }
  return groups;
}

}  // namespace mimus::scheduler
