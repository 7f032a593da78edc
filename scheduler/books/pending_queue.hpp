// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "scheduler/books/wait_clock.hpp"
#include "scheduler/containers/sorted_blocks.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// All that decides whether a waiting job can start, except its rank. Of jobs that are equal here,
/// all can start or none.
struct RequestKey {
  int gang = 1;
  int level = 0;
  int group = 0;                  ///< group in which admission counts it
  double memory = 0.0;            ///< of one replica [bytes]; zero if no sharing choice needs it
  MilliGpus share = kWholeGpu;    ///< of a GPU, for one replica
  const JobKind* kind = nullptr;  ///< null if no choice distinguishes kinds of jobs
  GpuTypes types = kAllTypes;     ///< all if the cluster has one type
  HostNeed host{};                ///< none if the cluster states neither cores nor memory
  bool operator==(const RequestKey&) const = default;
  [[nodiscard]] PlacementRequest request() const {
    return {.gang = gang,
            .memory = Bytes{memory},
            .level = level,
            .share = share,
            .kind = kind,
            .types = types,
            .host = host};
  }
};

struct RequestKeyHash {
  [[nodiscard]] std::size_t operator()(const RequestKey& key) const noexcept;
};

struct JobRecord;

/// A waiting job in its place; ordered by rank.
struct WaitingJob {
  Rank rank;
  JobRecord* job = nullptr;
  std::strong_ordering operator<=>(const WaitingJob& other) const { return rank <=> other.rank; }
  bool operator==(const WaitingJob& other) const { return rank == other.rank; }
};

/// The waiting jobs with one request, best rank first.
struct RequestClass {
  RequestKey key;
  SortedBlocks<WaitingJob> waiting;
  /// Capacity epoch in which the request did not fit; it is not tried again in this epoch.
  std::uint64_t blocked_in = 0;
  bool over_quota = false;  ///< admission, not placement, was the reason
  WaitCause cause = WaitCause::capacity;
  std::uint64_t cause_version = 0;  ///< of the decision that `cause` belongs to
  WaitClock clock;                  ///< of all its jobs
};

/// The jobs that could start if there were room, indexed by request, so that a pass costs the
/// number of different requests and of started jobs rather than the length of the queue.
class PendingQueue {
 public:
  struct Head : WaitingJob {
    RequestClass* request = nullptr;
  };

  /// Adds the job; its request stays valid while a job waits in it.
  RequestClass& add(const RequestKey& key, const Rank& rank, JobRecord& job);
  void remove(RequestClass& request, const Rank& rank);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Requests that are kept, with or without waiting jobs.
  [[nodiscard]] std::size_t classes() const { return classes_.size(); }
  /// The first job of every request that has one, best rank first.
  [[nodiscard]] const std::vector<Head>& heads() const { return heads_; }

 private:
  RequestClass& class_of(const RequestKey& key);
  void drop_empty_classes();
  void insert_head(const Head& head);
  /// Replaces the head of the same request, which was at `before`, by `after`.
  void replace_head(const WaitingJob& before, const Head& after);

  std::unordered_map<RequestKey, RequestClass, RequestKeyHash> classes_;
  RequestClass* last_ = nullptr;  ///< that was asked for
  std::vector<Head> heads_;
  std::size_t size_ = 0;
};

}  // namespace mimus::scheduler
