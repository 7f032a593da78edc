// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <list>
#include <optional>
#include <vector>

#include "scheduler/containers/id_map.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// GPUs that gangs of one size hold together and take turns on.
struct Seat {
  std::vector<GpuId> gpus;      ///< ascending
  std::deque<JobId> residents;  ///< by turn: the first one makes steps
  Bytes memory{};               ///< that residents need on each of the GPUs

  [[nodiscard]] int gang() const { return static_cast<int>(gpus.size()); }
};

/// Which gangs are where. Nodes host gangs of one size, their affinity, as far as possible, so that
/// others of that size find whole sets of GPUs (Gandiva, Xiao et al., OSDI'18 §5.1).
class Seats {
 public:
  /// `residents`: most gangs that hold a GPU.
  explicit Seats(int residents) : residents_(static_cast<std::size_t>(residents)) {}

  /// Removes jobs that are not in the query any more and seats of GPUs that cannot be used.
  void update(const PlanQuery& query);
  /// Makes the job a resident; false when there is no room for it. The first that applies: GPUs
  /// without residents on a node of its affinity, on one without affinity, on another; then a seat
  /// of its size with the fewest residents, whose memory it still fits into.
  bool take_in(const PlanQuery& query, const JobView& job);
  [[nodiscard]] bool holds(JobId job) const { return seat_of_.find(job) != nullptr; }
  [[nodiscard]] std::list<Seat>& all() { return seats_; }

 private:
  struct Node {
    int free = 0;      ///< GPUs
    int gangs = 0;     ///< GPUs that its residents ask for together
    int affinity = 0;  ///< size of gangs; 0: none
    int seats = 0;
  };
  void count(const PlanQuery& query);
  void take_gpus(const Seat& seat, const ClusterShape& shape);
  [[nodiscard]] std::optional<std::vector<NodeId>> nodes_for(int gang) const;
  [[nodiscard]] Seat* new_seat(int gang, const ClusterShape& shape);
  [[nodiscard]] Seat* least_full(int gang, Bytes memory, Bytes capacity);

  std::size_t residents_;
  std::list<Seat> seats_;  ///< in the order in which they were made
  IdMap<JobId, Seat*> seat_of_;
  std::vector<int> affinity_;  ///< by node, as above
  std::vector<Node> nodes_;
  std::vector<bool> free_;  ///< by GPU: usable and of no seat
  int largest_node_ = 0;    ///< GPUs of the node that has most, of those that can be used
};

}  // namespace mimus::scheduler
