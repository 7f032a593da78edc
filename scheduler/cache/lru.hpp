// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "scheduler/cache/cache.hpp"

namespace mimus::scheduler {

/// The least recently used pages of all tenants are dropped, as in a shared page cache.
///
/// Readers draw samples at random, each replica at the same rate. A page of data set s, of size S_s
/// with n_s replicas reading, is then resident if it was read within the last T, where T is such
/// that the cache is full (Che et al., JSAC 2002, eq. 5 and 6):
///   resident share of s = 1 − exp(−n_s·T/S_s),  Σ_s S_s·share = capacity
/// Data sets without readers keep what the others leave, the most recently read ones first.
class LruCache final : public Cache {
 public:
  [[nodiscard]] CacheDecision decide(const CacheQuery& query) override;

 private:
  struct Known {
    Bytes size{};
    int readers = 0;  ///< replicas
    Instant read{};   ///< last
  };
  void look(const CacheQuery& query);

  std::map<std::string, Known> sets_;
};

}  // namespace mimus::scheduler
