// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/live/host/host_segment.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "kernels/cpu/host_rates.hpp"
#include "results/schema/rows.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// The world that is needed: sizes of the largest cell. Smaller cells leave ranks idle.
struct WorldShape {
  int gpus = 1;
  int nodes = 1;
  int lanes_per_gpu = 1;
  int gpus_per_node = 1;  ///< of the largest cell; decides which lanes have to share a host
  [[nodiscard]] int ranks() const { return 1 + gpus * lanes_per_gpu; }
  /// EnvironmentError, with how to start it, when an MPI world has another size.
  void check_size(int world_size) const;
};

/// The ranks, their hosts and lanes. Gathered on every rank; rank 0 prints and records it.
struct RankFacts {
  char host[64] = {};
  std::int64_t pid = 0;
  std::int32_t local_rank = 0;
  std::int32_t cores = 1;         ///< this rank may run on
  std::int64_t clock_offset = 0;  ///< ns to add to its clock to get rank 0's
};

/// The ranks of a run after they have found each other.
class LiveWorld {
 public:
  /// Collective. EnvironmentError on every rank when the world has the wrong size.
  LiveWorld(const MpiWorld& mpi, const WorldShape& shape);

  [[nodiscard]] const MpiWorld& mpi() const { return mpi_; }
  [[nodiscard]] const WorldShape& shape() const { return shape_; }
  [[nodiscard]] const HostSegment& host() const { return host_; }
  /// On rank 0: ends all ranks, which need not wait for its word. Runs no destructors.
  [[noreturn]] void abort(int exit_code) const;
  [[nodiscard]] const std::vector<RankFacts>& ranks() const { return ranks_; }
  /// Host name of every rank.
  [[nodiscard]] std::vector<std::string> hosts() const;
  [[nodiscard]] Duration clock_offset() const;
  /// What one core does, the slowest host's figures; measured once, on one rank per host.
  [[nodiscard]] const kernels::HostRates& rates() const { return rates_; }
  /// Most emulated GPUs that any host carries, and the cores of that host.
  [[nodiscard]] int gpus_on_fullest_host() const;
  [[nodiscard]] int cores_of_fullest_host() const;

  /// The printed map, one line per host.
  [[nodiscard]] std::string describe() const;
  /// A rank, its host, and what it was last busy with where that can be seen; for messages.
  [[nodiscard]] std::string where_is(int rank) const;
  /// The recorded map of one cell; without the devices, which workers name themselves.
  [[nodiscard]] std::vector<results::RankRow> rows(const scheduler::ClusterShape& cell) const;

 private:
  void gather_facts();
  void measure_clock_offset(RankFacts& own);
  void measure_rates();
  void check_nodes() const;

  const MpiWorld& mpi_;
  WorldShape shape_;
  HostSegment host_;
  std::vector<RankFacts> ranks_;
  kernels::HostRates rates_;
};

}  // namespace mimus::emulator
