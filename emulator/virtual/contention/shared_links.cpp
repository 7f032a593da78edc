// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/shared_links.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "emulator/links_used.hpp"
#include "kernels/pacing/fair_share.hpp"

namespace mimus::emulator {
namespace {

/// Gangs of which every set is looked at. Their number grows as 2 to this power.
constexpr std::size_t kInSets = 4;
/// Beside more gangs only their means count, which are then good enough.
constexpr std::size_t kMostOthers = 12;

/// Rounded to 0.1 %. Mean shares then recur, and a step that is known need not be replayed.
double rounded(double share) {
  constexpr double kSteps = 512;  // per factor of two
  return std::exp2(std::round(std::log2(share) * kSteps) / kSteps);
}

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

std::vector<std::size_t> SharedLinks::load(const Attempt& attempt, const Sending& sending) {
  const auto found = senders_.find(attempt.id);
  const Sending before = found == senders_.end() ? Sending{} : found->second.sending;
  if (before == sending || before.transfers + sending.transfers <= Duration{}) return {};
  std::vector<std::size_t> links = links_of(attempt.id);
  leave(attempt.id);
  enter(attempt, sending);
  return links.empty() ? links_of(attempt.id) : links;
}

void SharedLinks::enter(const Attempt& attempt, const Sending& sending) {
  if (sending.transfers <= Duration{}) return;
  const auto uses = used(attempt);
  for (const kernels::LinkUse& use : uses) {
    auto& here = on_link_[static_cast<std::size_t>(use.link)];
    const auto before = [](AttemptId id, const Passer& other) { return id < other.id; };
    here.insert(std::upper_bound(here.begin(), here.end(), attempt.id, before),
                {attempt.id, use.load, sending});
  }
  forget_activities(uses);
  senders_[attempt.id] = {uses, sending};
}

void SharedLinks::leave(AttemptId attempt) {
  const auto found = senders_.find(attempt);
  if (found == senders_.end()) return;
  forget_activities(found->second.uses);
  for (const kernels::LinkUse& use : found->second.uses) {
    std::erase_if(on_link_[static_cast<std::size_t>(use.link)],
                  [attempt](const Passer& one) { return one.id == attempt; });
  }
  senders_.erase(found);
}

/// Of all gangs on these links.
void SharedLinks::forget_activities(const std::vector<kernels::LinkUse>& uses) {
  for (const kernels::LinkUse& use : uses) {
    for (const Passer& one : on_link_[static_cast<std::size_t>(use.link)]) {
      activities_.erase(one.id);
    }
  }
}

std::vector<std::size_t> SharedLinks::links_of(AttemptId attempt) const {
  std::vector<std::size_t> links;
  const auto found = senders_.find(attempt);
  if (found == senders_.end()) return links;
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

/// The others on its links, ascending; no more than one too many for sets.
std::vector<SharedLinks::Passer> SharedLinks::others(AttemptId id) const {
  std::vector<Passer> found;
  const auto before = [](const Passer& one, const Passer& other) { return one.id < other.id; };
  for (const kernels::LinkUse& use : senders_.at(id).uses) {
    for (const Passer& one : on_link_[static_cast<std::size_t>(use.link)]) {
      if (one.id == id) continue;
      const auto at = std::lower_bound(found.begin(), found.end(), one, before);
      if (at != found.end() && at->id == one.id) continue;
      found.insert(at, one);
      if (found.size() > kMostOthers) return found;
    }
  }
  return found;
}

/// What the gang has of its narrowest link, ÷ what it has alone, if others send with the
/// probability `sends`.
template <class Sends>
double SharedLinks::narrowest(AttemptId id, const Sends& sends) const {
  double stretch = 1.0;
  kernels::FairShare link;
  for (const kernels::LinkUse& use : senders_.at(id).uses) {
    link.clear();
    for (const Passer& one : on_link_[static_cast<std::size_t>(use.link)]) {
      link.add({.load = one.load, .presence = one.id == id ? 1.0 : sends(one)});
    }
    link.divide();
    stretch = std::max(stretch, link.stretch(use.load));
  }
  return 1.0 / stretch;
}

/// Beside each set of the others that send most; the rest count with their mean.
template <class Sends>
std::vector<LinkShare> SharedLinks::shares(AttemptId id, const Sends& sends) const {
  const std::vector<Passer> beside = others(id);
  if (beside.empty()) return {};
  if (beside.size() > kMostOthers) return {{rounded(narrowest(id, sends)), 1.0}};
  std::vector<std::pair<AttemptId, double>> present;
  for (const Passer& one : beside) present.emplace_back(one.id, sends(one));
  std::vector<std::size_t> most(present.size());
  std::iota(most.begin(), most.end(), 0U);
  std::stable_sort(most.begin(), most.end(), [&](std::size_t one, std::size_t other) {
    return present[one].second > present[other].second;
  });
  most.resize(std::min(most.size(), kInSets));
  const auto is_present = [&present](const Passer& one) {
    return std::lower_bound(present.begin(), present.end(), std::pair{one.id, 0.0})->second;
  };
  const auto means = present;
  std::map<double, double> probabilities;
  for (unsigned chosen = 0; chosen < 1U << most.size(); ++chosen) {
    double probability = 1.0;
    for (std::size_t i = 0; i < most.size(); ++i) {
      const bool is_sending = (chosen >> i & 1U) != 0;
      const double mean = means[most[i]].second;
      probability *= is_sending ? mean : 1.0 - mean;
      present[most[i]].second = is_sending ? 1.0 : 0.0;
    }
    if (probability == 0.0) continue;
    const double share = narrowest(id, is_present);
    probabilities[beside.size() > kInSets ? rounded(share) : share] += probability;
  }
  std::vector<LinkShare> found;
  for (const auto& [share, probability] : probabilities) found.push_back({share, probability});
  return found;
}

/// The probability that it sends while the gang `beside` does.
double SharedLinks::activity(const Passer& one, AttemptId beside) const {
  const bool many_steps = 2 * one.sending.step < senders_.at(beside).sending.transfers;
  const std::optional<AttemptId> always = many_steps ? std::optional(beside) : std::nullopt;
  const auto [entry, is_new] = activities_[one.id].try_emplace(always);
  if (is_new) {
    double rate = 0.0;
    const auto sends = [always](const Passer& other) {
      return other.id == always ? 1.0 : other.sending.share();
    };
    for (const auto& [share, probability] : shares(one.id, sends)) rate += probability * share;
    const double longer = rate > 0.0 ? 1.0 / rate : 1.0;
    const double alone = one.sending.share();
    entry->second = alone * longer / (1.0 + alone * (longer - 1.0));
  }
  return entry->second;
}

std::vector<LinkShare> SharedLinks::shares_now(AttemptId id) const {
  return shares(id, [this, id](const Passer& one) { return activity(one, id); });
}

}  // namespace mimus::emulator
