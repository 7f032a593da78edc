// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/no_cache.hpp"

namespace mimus::scheduler {

const Registry<Cache>& cache_choices() {
  static const Registry<Cache> table(
      "cache", {{"none", "every job reads its data from storage", {}, [](YamlReader&) {
                   return std::make_unique<NoCache>();
                 }}});
  return table;
}

}  // namespace mimus::scheduler
