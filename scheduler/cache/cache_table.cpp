// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/cache/no_cache.hpp"

namespace mimus::scheduler {

const Registry<Cache>& cache_choices() {
  static const Registry<Cache> table(
      "cache", {choice<Cache, NoCache>("none", "every job reads its data from storage")});
  return table;
}

}  // namespace mimus::scheduler
