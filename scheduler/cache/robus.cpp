// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/robus.hpp"

#include <algorithm>

#include "scheduler/cache/fair_lottery.hpp"

namespace mimus::scheduler {

/// What is asked of the cache in one epoch.
struct Robus::Epoch {
  std::vector<std::string> names;  ///< of the views, ascending
  std::vector<View> views;
  std::vector<double> weights;  ///< of the tenants

  Epoch(const CacheQuery& query, const Robus& robus) {
    std::map<std::string, std::size_t> tenants;
    for (const JobView* job : query.readers) tenants.emplace(job->virtual_cluster, 0);
    for (auto& [name, number] : tenants) {
      number = weights.size();
      weights.push_back(robus.weight(name));
    }
    std::map<std::string, View> by_name;
    for (const JobView* job : query.readers) {
      View& view = by_name[job->data.set];
      const double size = job->data.size.value;
      view.size = std::min(size, query.capacity.value);
      view.benefits.resize(weights.size());
      view.benefits[tenants.at(job->virtual_cluster)] += job->data.rate.value * view.size / size;
    }
    for (auto& [name, view] : by_name) {
      names.push_back(name);
      views.push_back(std::move(view));
    }
  }

  [[nodiscard]] Worth benefits(const std::vector<ViewSet>& sets) const {
    Worth worth(sets.size(), std::vector<double>(weights.size(), 0.0));
    for (std::size_t s = 0; s < sets.size(); ++s) {
      for (const std::size_t view : sets[s]) {
        for (std::size_t i = 0; i < weights.size(); ++i) worth[s][i] += views[view].benefits[i];
      }
    }
    return worth;
  }
};

double Robus::weight(const std::string& tenant) const {
  const auto found = settings_.weights.find(tenant);
  return found == settings_.weights.end() ? 1.0 : found->second;
}

CacheDecision Robus::decide(const CacheQuery& query) {
  if (!query.readers.empty() && query.now >= end_) {
    const std::int64_t number = query.now.time_since_epoch() / settings_.epoch;
    end_ = Instant{(number + 1) * settings_.epoch};
    const Epoch epoch(query, *this);
    const auto tenants = static_cast<int>(epoch.weights.size());
    const int draws = settings_.draws > 0 ? settings_.draws : 5 * tenants * tenants;
    const double capacity = query.capacity.value;
    const auto sets = view_sets(epoch.views, capacity, draws, lots_.at(2 * number));
    keep(epoch, sets[drawn(epoch, sets, lots_.at(2 * number + 1))], capacity);
  }
  CacheDecision decision;
  for (const auto& [name, bytes] : kept_) decision.kept.push_back({name, Bytes{bytes}});
  if (!query.readers.empty()) decision.next = end_;
  return decision;
}

std::size_t Robus::drawn(const Epoch& epoch, const std::vector<ViewSet>& sets,
                         RandomStream random) const {
  Worth worth = epoch.benefits(sets);
  if (settings_.objective == Objective::utilitarian) {
    const auto sum = [](const std::vector<double>& of) {
      double all = 0.0;
      for (const double one : of) all += one;
      return all;
    };
    const auto most = std::ranges::max_element(worth, {}, sum);
    return static_cast<std::size_t>(most - worth.begin());
  }
  for (std::size_t i = 0; i < epoch.weights.size(); ++i) {
    double best = 0.0;
    for (const auto& of : worth) best = std::max(best, of[i]);
    for (auto& of : worth) of[i] /= best;
  }
  return random.weighted(fair_lottery(worth, epoch.weights));
}

void Robus::keep(const Epoch& epoch, const ViewSet& set, double capacity) {
  std::map<std::string, double> before;
  before.swap(kept_);
  for (const std::size_t view : set) {
    kept_[epoch.names[view]] = epoch.views[view].size;
    capacity -= epoch.views[view].size;
  }
  for (const auto& [name, bytes] : before) {
    if (kept_.contains(name)) continue;
    const double stays = std::min(bytes, std::max(0.0, capacity));
    if (stays <= 0.0) continue;
    kept_[name] = stays;
    capacity -= stays;
  }
}

}  // namespace mimus::scheduler
