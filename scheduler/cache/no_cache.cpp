// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/no_cache.hpp"

namespace mimus::scheduler {

double NoCache::admit(const JobView&) {
  return 0.0;
}

void NoCache::leave(const JobView&) {}

}  // namespace mimus::scheduler
