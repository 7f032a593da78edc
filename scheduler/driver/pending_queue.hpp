// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "scheduler/order/order.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// What decides whether a waiting job can start, besides its rank: jobs that are equal here can
/// start or cannot start alike.
struct RequestKey {
  int gang = 1;
  double memory = 0.0;  ///< of one replica [bytes]
  int level = 0;
  std::string group;  ///< that admission counts it in
  auto operator<=>(const RequestKey&) const = default;
  [[nodiscard]] PlacementRequest request() const { return {gang, Bytes{memory}, level}; }
};

/// The waiting jobs with one request, best rank first.
struct RequestClass {
  RequestKey key;
  std::set<Rank> waiting;
  /// Capacity epoch in which the request was found not to fit; not to be tried again in it.
  std::uint64_t blocked_in = 0;
  bool over_quota = false;  ///< admission, not placement, stopped it then
  WaitCause cause = WaitCause::capacity;
  std::uint64_t cause_version = 0;  ///< of the decision that `cause` belongs to
};

/// The jobs that could start if there were room, indexed by request, so that a pass costs the
/// number of different requests and of started jobs rather than the length of the queue.
class PendingQueue {
 public:
  struct Head {
    Rank rank;
    RequestClass* request;
    auto operator<=>(const Head& other) const { return rank <=> other.rank; }
    bool operator==(const Head& other) const { return rank == other.rank; }
  };

  /// The class stays valid for the life of the queue.
  RequestClass& add(const RequestKey& key, const Rank& rank);
  void remove(RequestClass& request, const Rank& rank);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// The first job of every request that has one, best rank first.
  [[nodiscard]] const std::set<Head>& heads() const { return heads_; }

 private:
  std::map<RequestKey, RequestClass> classes_;
  std::set<Head> heads_;
  std::size_t size_ = 0;
};

}  // namespace mimus::scheduler
