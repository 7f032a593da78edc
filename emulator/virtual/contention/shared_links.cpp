// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/shared_links.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "emulator/links_used.hpp"
#include "kernels/pacing/fair_share.hpp"

namespace mimus::emulator {
namespace {

/// Gangs of which every set is looked at. Their number grows as 2 to this power.
constexpr std::size_t kInSets = 4;

}  // namespace

SharedLinks::SharedLinks(const ClusterConfig& cluster)
    : cluster_(cluster), on_link_(link_count(cluster.shape)) {}

bool SharedLinks::used_by(const Attempt& attempt) const {
  const auto& slots = attempt.allocation.slots;
  if (cluster_.shape.lanes_per_gpu > 1) return slots.size() > 1;
  return std::any_of(slots.begin(), slots.end(), [&](const scheduler::Slot& slot) {
    return cluster_.shape.node_of(slot.gpu) != cluster_.shape.node_of(slots.front().gpu);
  });
}

std::vector<kernels::LinkUse> SharedLinks::used(const Attempt& attempt) const {
  std::vector<kernels::LinkUse> uses = links_used(cluster_, attempt.allocation.slots);
  if (cluster_.shape.lanes_per_gpu > 1) return uses;
  std::erase_if(uses, [&](const auto& use) { return use.link < cluster_.shape.gpus(); });
  return uses;
}

void SharedLinks::enter(const Attempt& attempt, double load) {
  if (load <= 0.0) return;
  Gang gang{load, used(attempt)};
  for (const kernels::LinkUse& use : gang.uses) {
    auto& here = on_link_[static_cast<std::size_t>(use.link)];
    const auto before = [](AttemptId id, const Passer& other) { return id < other.id; };
    here.insert(std::upper_bound(here.begin(), here.end(), attempt.id, before),
                {attempt.id, use.load});
  }
  gangs_[attempt.id] = std::move(gang);
}

void SharedLinks::leave(AttemptId attempt) {
  for (const std::size_t link : links_of(attempt)) {
    std::erase_if(on_link_[link], [attempt](const Passer& one) { return one.id == attempt; });
  }
  gangs_.erase(attempt);
}

std::vector<std::size_t> SharedLinks::links_of(AttemptId attempt) const {
  std::vector<std::size_t> links;
  const auto found = gangs_.find(attempt);
  if (found == gangs_.end()) return links;
  for (const auto& use : found->second.uses) links.push_back(static_cast<std::size_t>(use.link));
  return links;
}

std::set<AttemptId> SharedLinks::on(const std::vector<std::size_t>& links) const {
  std::set<AttemptId> ids;
  for (const std::size_t link : links) {
    for (const Passer& one : on_link_[link]) ids.insert(one.id);
  }
  return ids;
}

/// The gangs on `links` and their neighbours.
std::set<AttemptId> SharedLinks::dependent_on(const std::vector<std::size_t>& links) const {
  std::set<AttemptId> ids = on(links);
  for (const AttemptId id : std::vector(ids.begin(), ids.end())) ids.merge(on(links_of(id)));
  return ids;
}

/// What the gang has of its narrowest link, ÷ what it has alone, beside `senders`.
double SharedLinks::narrowest(const Gang& gang, AttemptId id, const Activities& senders) const {
  double stretch = 1.0;
  kernels::FairShare link;
  for (const kernels::LinkUse& use : gang.uses) {
    link.clear();
    for (const Passer& one : on_link_[static_cast<std::size_t>(use.link)]) {
      link.add({.load = one.load, .presence = one.id == id ? 1.0 : senders.at(one.id)});
    }
    link.divide();
    stretch = std::max(stretch, link.stretch(use.load));
  }
  return 1.0 / stretch;
}

/// Of each set of the others that send most; the rest count with their mean.
std::vector<LinkShare> SharedLinks::shares(AttemptId id,
                                           const std::function<double(AttemptId)>& activity) const {
  const Gang& gang = gangs_.at(id);
  Activities senders;
  for (const AttemptId other : on(links_of(id))) {
    if (other != id) senders[other] = activity(other);
  }
  if (senders.empty()) return {};
  std::vector<std::pair<double, AttemptId>> most;
  for (const auto& [other, probability] : senders) most.push_back({probability, other});
  std::sort(most.begin(), most.end(), std::greater<>{});
  most.resize(std::min(most.size(), kInSets));
  std::map<double, double> probabilities;
  for (unsigned chosen = 0; chosen < 1U << most.size(); ++chosen) {
    double probability = 1.0;
    for (std::size_t i = 0; i < most.size(); ++i) {
      const bool sends = (chosen >> i & 1U) != 0;
      probability *= sends ? most[i].first : 1.0 - most[i].first;
      senders[most[i].second] = sends ? 1.0 : 0.0;
    }
    if (probability > 0.0) probabilities[narrowest(gang, id, senders)] += probability;
  }
  std::vector<LinkShare> found;
  for (const auto& [share, probability] : probabilities) found.push_back({share, probability});
  return found;
}

double SharedLinks::activity(AttemptId id, Activities& known) const {
  const auto [entry, is_new] = known.try_emplace(id);
  if (is_new) {
    double rate = 0.0;
    for (const auto& [share, probability] :
         shares(id, [&](AttemptId other) { return gangs_.at(other).load; })) {
      rate += probability * share;
    }
    const double longer = rate > 0.0 ? 1.0 / rate : 1.0;
    const double load = gangs_.at(id).load;
    entry->second = load * longer / (1.0 + load * (longer - 1.0));
  }
  return entry->second;
}

}  // namespace mimus::emulator
