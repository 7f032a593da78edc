// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/lru.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace mimus::scheduler {
namespace {

/// Where an increasing function that is 0 at 0 reaches `value`.
double reached_at(double value, const std::function<double(double)>& function) {
  double low = 0.0, high = 1.0;
  while (function(high) < value) high *= 2.0;
  constexpr int kBits = 60;
  for (int i = 0; i < kBits; ++i) {
    const double middle = 0.5 * (low + high);
    (function(middle) < value ? low : high) = middle;
  }
  return low;
}

}  // namespace

void LruCache::look(const CacheQuery& query) {
  for (auto& [name, set] : sets_) set.readers = 0;
  for (const JobView* job : query.readers) {
    Known& set = sets_[job->data.set];
    set.size = job->data.size;
    set.readers += job->replicas();
    set.read = query.now;
  }
}

CacheDecision LruCache::decide(const CacheQuery& query) {
  look(query);
  double in_use = 0.0;
  std::vector<std::map<std::string, Known>::iterator> idle;
  for (auto set = sets_.begin(); set != sets_.end(); ++set) {
    if (set->second.readers == 0) {
      idle.push_back(set);
    } else {
      in_use += set->second.size.value;
    }
  }
  std::stable_sort(idle.begin(), idle.end(),
                   [](auto a, auto b) { return a->second.read > b->second.read; });
  const double capacity = query.capacity.value;
  double age = std::numeric_limits<double>::infinity();
  const auto resident = [](const Known& set, double within) {
    return set.size.value * -std::expm1(-set.readers * within / set.size.value);
  };
  if (in_use > capacity) {
    age = reached_at(capacity, [&](double within) {
      double sum = 0.0;
      for (const auto& [name, set] : sets_) sum += resident(set, within);
      return sum;
    });
  }
  double left = std::max(0.0, capacity - in_use);
  for (const auto set : idle) {
    const double kept = std::min(left, set->second.size.value);
    left -= kept;
    if (kept == 0.0) {
      sets_.erase(set);
    } else {
      set->second.size = Bytes{kept};  // the rest has left, and nobody reads it
    }
  }
  CacheDecision decision;
  for (const auto& [name, set] : sets_) {
    const bool read = set.readers > 0 && std::isfinite(age);
    decision.kept.push_back({name, Bytes{read ? resident(set, age) : set.size.value}});
  }
  return decision;
}

}  // namespace mimus::scheduler
