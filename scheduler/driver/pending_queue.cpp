// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/pending_queue.hpp"

#include "base/error.hpp"

namespace mimus::scheduler {

RequestClass& PendingQueue::add(const RequestKey& key, const Rank& rank) {
  RequestClass& request = classes_.try_emplace(key).first->second;
  request.key = key;
  const bool first = request.waiting.empty() || rank < *request.waiting.begin();
  if (first && !request.waiting.empty()) heads_.erase({*request.waiting.begin(), &request});
  ensure(request.waiting.insert(rank).second, "a job waits twice");
  if (first) heads_.insert({rank, &request});
  ++size_;
  return request;
}

void PendingQueue::remove(RequestClass& request, const Rank& rank) {
  const auto found = request.waiting.find(rank);
  ensure(found != request.waiting.end(), "a job that does not wait is taken from the queue");
  const bool first = found == request.waiting.begin();
  request.waiting.erase(found);
  --size_;
  if (!first) return;
  heads_.erase({rank, &request});
  if (!request.waiting.empty()) heads_.insert({*request.waiting.begin(), &request});
}

}  // namespace mimus::scheduler
