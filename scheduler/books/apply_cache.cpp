// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/books.hpp"

namespace mimus::scheduler {

Instant apply_cache(Books& books, Instant now, Decision& decision) {
  Cache& cache = *books.policy.cache;
  const Bytes capacity = books.cluster.shape().data_cache;
  if (!cache.acts() || capacity == Bytes{}) return kNever;
  std::vector<const JobView*> readers;
  for (const JobRecord* job : books.jobs.all()) {
    const bool reads = job->view.holds_gpus() && job->view.data.rate > BytesPerSecond{};
    if (reads) readers.push_back(&job->view);
  }
  CacheDecision decided = cache.decide({readers, capacity, now});
  if (decided.kept != books.kept_data) {
    decision.data = decided.kept;
    books.kept_data = std::move(decided.kept);
  }
  return decided.next;
}

}  // namespace mimus::scheduler
