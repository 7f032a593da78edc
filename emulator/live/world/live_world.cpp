// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/world/live_world.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sched.h>
#include <unistd.h>

#include <fmt/format.h>

#include "emulator/live/mpi/survival.hpp"
#include "emulator/live/world/launch_note.hpp"
#include "kernels/mpi/mpi_error.hpp"

namespace mimus::emulator {
namespace {

using kernels::check_mpi;

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

const WorldShape& checked(const MpiWorld& mpi, const WorldShape& shape) {
  shape.check_size(mpi.size());
  return shape;
}

}  // namespace

void WorldShape::check_size(int world_size) const {
  if (world_size == ranks()) return;
  throw EnvironmentError(
      fmt::format("the MPI world has {} ranks, but this run needs {}: 1 scheduler + {} GPUs x {} "
                  "lanes; start it with \"mpirun -n {} mimus ...\", or without mpirun, so that "
                  "mimus starts the right number",
                  world_size, ranks(), gpus, lanes_per_gpu, ranks()));
}

LiveWorld::LiveWorld(const MpiWorld& mpi, const WorldShape& shape)
    : mpi_(mpi), shape_(checked(mpi, shape)), host_(mpi, shape.gpus, shape.nodes) {
  gather_facts();
  check_nodes();
  measure_rates();
}

void LiveWorld::abort(int exit_code) const {
  host_.own_status().aborts = 1;
  note_leaving(exit_code);
  if (outlives_others()) {  // MPI would end only this rank
    leave_exit_code(exit_code);
    constexpr Duration kForwardsOutput = std::chrono::seconds{2};  // on a busy host
    end_launcher_after(kForwardsOutput);
    (void)std::fflush(nullptr);
    std::_Exit(exit_code);
  }
  mpi_.abort(exit_code);
}

void LiveWorld::gather_facts() {
  RankFacts own;
  ::gethostname(own.host, sizeof own.host - 1);
  own.pid = ::getpid();
  own.local_rank = host_.local_rank();
  own.cores = usable_cores();
  ranks_.resize(static_cast<std::size_t>(mpi_.size()));
  const auto exchange = [&] {
    check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, ranks_.data(), sizeof own, MPI_BYTE,
                            mpi_.communicator()),
              "MPI_Allgather");
  };
  exchange();
  measure_clock_offset(own);
  exchange();
}

/// Ranks of rank 0's host share its clock. Other ranks exchange messages with rank 0 and use the
/// offset of the fastest round trip (Cristian, 1989).
void LiveWorld::measure_clock_offset(RankFacts& own) {
  constexpr int kRounds = 20;
  constexpr int kTag = 99;
  for (int rank = 1; rank < mpi_.size(); ++rank) {
    const auto& facts = ranks_[static_cast<std::size_t>(rank)];
    if (std::strcmp(facts.host, ranks_.front().host) == 0) continue;
    std::int64_t best_trip = INT64_MAX;
    for (int round = 0; round < kRounds; ++round) {
      std::int64_t stamp = wall_now().time_since_epoch().count();
      if (mpi_.rank() == 0) {
        MPI_Recv(&stamp, 1, MPI_INT64_T, rank, kTag, mpi_.communicator(), MPI_STATUS_IGNORE);
        stamp = wall_now().time_since_epoch().count();
        MPI_Send(&stamp, 1, MPI_INT64_T, rank, kTag, mpi_.communicator());
      } else if (mpi_.rank() == rank) {
        const std::int64_t sent = stamp;
        MPI_Send(&stamp, 1, MPI_INT64_T, 0, kTag, mpi_.communicator());
        MPI_Recv(&stamp, 1, MPI_INT64_T, 0, kTag, mpi_.communicator(), MPI_STATUS_IGNORE);
        const std::int64_t received = wall_now().time_since_epoch().count();
        if (received - sent >= best_trip) continue;
        best_trip = received - sent;
        own.clock_offset = stamp - (sent + received) / 2;
      }
    }
  }
}

/// One rank per host measures while the others sleep, so that it has a core to itself.
void LiveWorld::measure_rates() {
  constexpr Duration kBudget = std::chrono::milliseconds{150};
  constexpr double kUnmeasured = 1e300;
  kernels::HostRates own;
  for (auto& rate : own.flop) rate = FlopPerSecond{kUnmeasured};
  for (auto& rate : own.traffic) rate = BytesPerSecond{kUnmeasured};
  if (host_.local_rank() == 0) own = kernels::measure_host_rates(kBudget);
  static_assert(sizeof own == 2 * kernels::kKernelKinds * sizeof(double));
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(&own, &rates_, 2 * kernels::kKernelKinds, MPI_DOUBLE, MPI_MIN,
                           mpi_.communicator(), &request),
            "MPI_Iallreduce");
  await(request, {std::chrono::milliseconds{1}, std::chrono::milliseconds{5}});
}

/// Lanes of one emulated node share books in memory, so they must be on the same host.
void LiveWorld::check_nodes() const {
  const int lanes = shape_.gpus_per_node * shape_.lanes_per_gpu;
  for (int rank = 1; rank < mpi_.size(); ++rank) {
    const int first = 1 + (rank - 1) / lanes * lanes;
    const auto& mine = ranks_[static_cast<std::size_t>(rank)];
    const auto& theirs = ranks_[static_cast<std::size_t>(first)];
    if (std::strcmp(mine.host, theirs.host) == 0) continue;
    throw EnvironmentError(
        fmt::format("emulated node {} is split over hosts {} and {}: its {} ranks must be on one "
                    "host; choose a number of ranks per host that is a multiple of that",
                    (rank - 1) / lanes, theirs.host, mine.host, lanes));
  }
}

std::vector<std::string> LiveWorld::hosts() const {
  std::vector<std::string> hosts;
  for (const auto& facts : ranks_) hosts.emplace_back(facts.host);
  return hosts;
}

Duration LiveWorld::clock_offset() const {
  return Duration{ranks_[static_cast<std::size_t>(mpi_.rank())].clock_offset};
}

int LiveWorld::gpus_on_fullest_host() const {
  std::map<std::string, int> workers;
  for (std::size_t rank = 1; rank < ranks_.size(); ++rank) ++workers[ranks_[rank].host];
  int most = 1;
  for (const auto& [host, count] : workers) {
    most = std::max(most, (count + shape_.lanes_per_gpu - 1) / shape_.lanes_per_gpu);
  }
  return most;
}

int LiveWorld::cores_of_fullest_host() const {
  int fewest = ranks_.front().cores;
  for (const auto& facts : ranks_) fewest = std::min(fewest, static_cast<int>(facts.cores));
  return fewest;
}

std::string LiveWorld::describe() const {
  std::map<std::string, std::vector<int>> by_host;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    by_host[ranks_[rank].host].push_back(static_cast<int>(rank));
  }
  std::string out = fmt::format("world of {} ranks: 1 scheduler, {} GPUs x {} lanes", mpi_.size(),
                                shape_.gpus, shape_.lanes_per_gpu);
  for (const auto& [host, ranks] : by_host) {
    const auto& facts = ranks_[static_cast<std::size_t>(ranks.front())];
    out += fmt::format("; host {} ({} cores): ranks {}-{}", host, facts.cores, ranks.front(),
                       ranks.back());
  }
  return out;
}

std::string LiveWorld::where_is(int rank) const {
  const auto& facts = ranks_[static_cast<std::size_t>(rank)];
  const auto& status = host_.statuses()[static_cast<std::size_t>(rank)];
  if (status.pid == 0) return fmt::format("rank {} on host {}", rank, facts.host);
  return fmt::format("rank {} on host {} ({})", rank, facts.host, text_of(status));
}

std::vector<results::RankRow> LiveWorld::rows(const scheduler::ClusterShape& cell) const {
  std::vector<results::RankRow> rows;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const auto& facts = ranks_[rank];
    results::RankRow row;
    row.rank = static_cast<std::int64_t>(rank);
    row.role = rank == 0 ? "scheduler" : "worker";
    row.host = facts.host;
    row.pid = facts.pid;
    row.local_rank = facts.local_rank;
    const auto lane = static_cast<std::int64_t>(rank) - 1;
    const std::int64_t gpu = rank == 0 ? -1 : lane / cell.lanes_per_gpu;
    if (gpu >= 0 && gpu < cell.gpus()) {
      row.gpu = gpu;
      row.node = cell.node_of(GpuId{gpu}).value();
      row.lane = lane;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace mimus::emulator
