// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/pending_queue.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "base/error.hpp"
#include "scheduler/books/job_table.hpp"

namespace mimus::scheduler {
namespace {

/// Number of empty classes that are kept for the next job of their kind.
constexpr std::size_t kSpareClasses = 64;

/// Loads a job that is next to start into the cache. A long queue does not fit there, and waiting
/// for memory would take as long as the rest of a start.
void fetch(const JobRecord& job) {
  constexpr std::size_t kLine = 64;
  const auto* begin = reinterpret_cast<const std::byte*>(&job);
  for (std::size_t at = 0; at < sizeof(job); at += kLine) __builtin_prefetch(begin + at);
}

}  // namespace

std::size_t RequestKeyHash::operator()(const RequestKey& key) const noexcept {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  std::uint64_t hash = std::bit_cast<std::uint64_t>(key.memory);
  const auto share = static_cast<int>(key.share.value);
  for (const int part : {key.gang, key.level, key.group, share}) {
    hash = (hash ^ static_cast<std::uint32_t>(part)) * kGolden;
    hash ^= hash >> 32;
  }
  if (key.kind != nullptr) {
    hash = (hash ^ static_cast<std::uint32_t>(key.kind->number + 1)) * kGolden;
  }
  if (key.types != kAllTypes) hash = (hash ^ key.types) * kGolden;
  if (key.host.any()) {
    hash = (hash ^ static_cast<std::uint64_t>(key.host.milli_cores)) * kGolden;
    hash = (hash ^ static_cast<std::uint64_t>(key.host.memory)) * kGolden;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash);
}

RequestClass& PendingQueue::class_of(const RequestKey& key) {
  if (last_ != nullptr && last_->key == key) return *last_;
  auto [found, is_new] = classes_.try_emplace(key);
  if (is_new && classes_.size() > 2 * (heads_.size() + kSpareClasses)) {
    drop_empty_classes();
    found = classes_.try_emplace(key).first;
  }
  last_ = &found->second;
  last_->key = key;
  return *last_;
}

void PendingQueue::drop_empty_classes() {
  std::erase_if(classes_, [](const auto& entry) { return entry.second.waiting.empty(); });
}

RequestClass& PendingQueue::add(const RequestKey& key, const Rank& rank, JobRecord& job) {
  RequestClass& request = class_of(key);
  const Head head{{rank, &job}, &request};
  if (request.waiting.empty()) {
    insert_head(head);
  } else if (const WaitingJob first = request.waiting.front(); head < first) {
    replace_head(first, head);
  }
  ensure(request.waiting.insert(head), "a job waits twice");
  ++size_;
  return request;
}

void PendingQueue::remove(RequestClass& request, const Rank& rank) {
  const WaitingJob job{rank, nullptr};
  const bool first = !request.waiting.empty() && request.waiting.front() == job;
  ensure(request.waiting.erase(job), "a job that does not wait is taken from the queue");
  --size_;
  if (!first) return;
  if (request.waiting.empty()) {
    heads_.erase(std::lower_bound(heads_.begin(), heads_.end(), job));
  } else {
    replace_head(job, {request.waiting.front(), &request});
  }
}

void PendingQueue::insert_head(const Head& head) {
  heads_.insert(std::lower_bound(heads_.begin(), heads_.end(), head), head);
  fetch(*head.job);
}

void PendingQueue::replace_head(const WaitingJob& before, const Head& after) {
  const auto from = std::lower_bound(heads_.begin(), heads_.end(), before);
  const auto to = std::lower_bound(heads_.begin(), heads_.end(), after);
  if (from < to) {
    *std::move(std::next(from), to, from) = after;
  } else {
    std::move_backward(to, from, std::next(from));
    *to = after;
  }
  fetch(*after.job);
}

}  // namespace mimus::scheduler
