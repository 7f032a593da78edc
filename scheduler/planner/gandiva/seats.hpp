// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <vector>

#include "scheduler/containers/id_map.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Jobs that make steps at the same time: one job, or two packed jobs.
using Turn = std::vector<JobId>;

/// GPUs that gangs of one size hold together and use in turns.
struct Seat {
  int gang = 0;             ///< GPUs that its jobs ask for
  std::vector<GpuId> gpus;  ///< ascending; then those onto which a job alone has grown
  std::deque<Turn> turns;   ///< the jobs of the first one make steps
  Instant turn_since{};     ///< beginning of the current turn
  Bytes memory{};           ///< that its jobs need on each of the GPUs

  [[nodiscard]] std::size_t residents() const;
  [[nodiscard]] bool hosts(JobId job) const;
};

/// The places of all gangs. Nodes host gangs of one size, their affinity, as far as possible, so
/// that other gangs of this size find whole sets of GPUs (Gandiva, Xiao et al., OSDI'18 §5.1).
class Seats {
 public:
  /// `residents`: maximum number of gangs that hold a GPU.
  explicit Seats(int residents) : residents_(static_cast<std::size_t>(residents)) {}

  /// Removes jobs that are no longer in the query, and seats on GPUs that cannot be used.
  void update(const PlanQuery& query);
  /// Makes the job a resident; false if there is no room. The first possibility is taken: GPUs
  /// without residents on a node of the job's affinity, on a node without affinity, on another
  /// node; then the seat of its size with the fewest residents among those in whose memory it fits.
  bool take_in(const PlanQuery& query, const JobView& job);
  /// Moves the only job of a turn to GPUs without residents; false if there are none for it.
  bool move_out(const PlanQuery& query, Seat& seat, const JobView& job);
  /// Makes room for a gang for which no node has enough free GPUs although all nodes together do.
  /// Moves the job of the smallest gang that is alone on its GPUs, fits on another node, and leaves
  /// enough GPUs on its node. Only moves jobs for which `may_move` is true. Source: Gandiva §4.2,
  /// migration against fragmentation.
  void make_room(const PlanQuery& query, int gang,
                 const std::function<const JobView*(JobId)>& may_move);
  /// Takes back the GPUs onto which jobs have grown.
  void shrink_all(const ClusterShape& shape);
  /// What a job would gain from one more GPU on its node, relative to its speed on the GPUs that it
  /// requests; nothing for a job that must not grow.
  using Gain = std::function<std::optional<double>(JobId, int gpus)>;
  /// Gives GPUs that have been free since `since` one by one to the job on their node that gains
  /// most from it, among jobs that are alone on their GPUs. Returns when the next GPU will have
  /// been free for as long. Source: Gandiva §4.2, grow-shrink.
  [[nodiscard]] Instant grow(const ClusterShape& shape, Instant since, const Gain& gain);
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
  [[nodiscard]] Seat* gains_most(NodeId node, const ClusterShape& shape, const Gain& gain);
  void take_gpus(const Seat& seat, const ClusterShape& shape);
  void give_gpus(const Seat& seat, const ClusterShape& shape);
  [[nodiscard]] std::optional<std::vector<NodeId>> nodes_for(int gang) const;
  [[nodiscard]] Seat& seat_on(std::span<const NodeId> nodes, int gang, const ClusterShape& shape);
  [[nodiscard]] Seat* new_seat(int gang, const ClusterShape& shape);
  void put(Seat& seat, const JobView& job, const ClusterShape& shape);
  void take_out(Seat& seat, const JobView& job, const ClusterShape& shape);
  [[nodiscard]] static NodeId node_of(const Seat& seat, const ClusterShape& shape);
  [[nodiscard]] NodeId fullest_with(int gpus, NodeId except) const;
  [[nodiscard]] Seat* least_full(int gang, Bytes memory, Bytes capacity);

  std::size_t residents_;
  std::list<Seat> seats_;  ///< in the order in which they were made
  IdMap<JobId, Seat*> seat_of_;
  std::vector<int> affinity_;  ///< by node, as above
  std::vector<Node> nodes_;
  std::vector<bool> free_;  ///< by GPU: usable and of no seat
  std::vector<Instant> free_since_;
  int largest_node_ = 0;  ///< GPUs of the node that has most, of those that can be used
};

}  // namespace mimus::scheduler
