// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/host/host_segment.hpp"

#include <array>
#include <map>
#include <new>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "emulator/live/mpi/all_or_none.hpp"
#include "kernels/mpi/mpi_error.hpp"

namespace mimus::emulator {
namespace {

using kernels::check_mpi;
/// Memory that all ranks of `host` share. One of them creates it.
SharedMemory shared_among(const MpiWorld& world, MPI_Comm host, bool creates, std::size_t bytes) {
  std::array<char, 64> path{};
  SharedMemory memory;
  all_or_none(world.communicator(), [&] {
    if (!creates) return;
    memory = SharedMemory::create(bytes);
    fmt::format_to_n(path.data(), path.size() - 1, "{}", memory.path());
  });
  check_mpi(MPI_Bcast(path.data(), static_cast<int>(path.size()), MPI_CHAR, 0, host), "MPI_Bcast");
  all_or_none(world.communicator(), [&] {
    if (!creates) memory = SharedMemory::open(path.data(), bytes);
  });
  return memory;
}

/// Hosts are identified by their lowest rank, because several may have the same name.
std::vector<int> hosts_of(const MpiWorld& world, MPI_Comm host) {
  int first = world.rank();
  check_mpi(MPI_Bcast(&first, 1, MPI_INT, 0, host), "MPI_Bcast");
  std::vector<int> hosts(static_cast<std::size_t>(world.size()));
  check_mpi(MPI_Allgather(&first, 1, MPI_INT, hosts.data(), 1, MPI_INT, world.communicator()),
            "MPI_Allgather");
  std::map<int, int> numbers;  // the lowest ranks ascend, and rank 0 is one of them
  for (const int each : hosts) numbers.emplace(each, 0);
  int next = 0;
  for (auto& [rank, number] : numbers) number = next++;
  for (int& each : hosts) each = numbers.at(each);
  return hosts;
}

}  // namespace

const char* name(Stage stage) {
  constexpr std::array<const char*, 19> kNames{"start",
                                               "idle",
                                               "gang creation",
                                               "memory allocation",
                                               "start-up",
                                               "checkpoint read",
                                               "buffer broadcast",
                                               "compute",
                                               "gradient all-reduce",
                                               "optimiser",
                                               "input copy",
                                               "tensor-parallel exchange",
                                               "transfer between stages",
                                               "step agreement",
                                               "checkpoint write",
                                               "leaving",
                                               "joining a gang",
                                               "transfer of the gang's state",
                                               "suspended"};
  return kNames.at(static_cast<std::size_t>(stage));
}

void TenantNotes::add(const TenantWords& tenant, WallInstant at) noexcept {
  const std::int64_t number = count_.load(std::memory_order_relaxed);
  Note& note = notes_[static_cast<std::size_t>(number % kKept)];
  note.tenant = tenant.tenant;
  for (std::size_t i = 0; i < note.stages.size(); ++i) note.stages[i] = tenant.stages[i];
  note.from_ns = at.time_since_epoch().count();
  count_.store(number + 1, std::memory_order_release);
}

TenantWords TenantNotes::tenant_at(WallInstant at) const noexcept {
  const std::int64_t count = count_.load(std::memory_order_acquire);
  for (std::int64_t number = count - 1; number >= 0 && number > count - kKept; --number) {
    const Note& note = notes_[static_cast<std::size_t>(number % kKept)];
    if (note.from_ns > at.time_since_epoch().count()) continue;
    return {note.tenant, {note.stages[0], note.stages[1]}};
  }
  return {};
}

std::string text_of(const RankStatus& status) {
  const std::int64_t job = status.job;
  const std::string work = job < 0 ? std::string("no job")
                                   : fmt::format("job {}, attempt {}", job, status.attempt.load());
  return fmt::format("{}, stage \"{}\"", work, name(status.stage.load()));
}

HostSegment::HostSegment(const MpiWorld& world, int gpus, int nodes)
    : gpus_(gpus),
      nodes_(nodes),
      ranks_(world.size()),
      own_rank_(static_cast<std::size_t>(world.rank())) {
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(world.communicator(), MPI_COMM_TYPE_SHARED, world.rank(),
                                MPI_INFO_NULL, &host),
            "MPI_Comm_split_type");
  MPI_Comm_rank(host, &local_rank_);
  MPI_Comm_size(host, &local_size_);
  const auto ranks = static_cast<std::size_t>(world.size());
  const std::size_t status_bytes = ranks * sizeof(RankStatus);
  const std::size_t ledger_bytes = kernels::Ledger::bytes_needed(gpus);
  const std::size_t link_bytes = kernels::LinkBook::bytes_needed(channels(), link_count());
  const std::size_t clock_bytes = kernels::PaceClock::bytes_needed(world.size());
  const std::size_t turn_bytes = kernels::TurnBook::bytes_needed(gpus, world.size());
  const std::size_t board_bytes = DecisionBoard::bytes_needed(world.size());
  const std::size_t bytes =
      status_bytes + clock_bytes + ledger_bytes + link_bytes + turn_bytes + board_bytes;

  memory_ = shared_among(world, host, local_rank_ == 0, bytes);
  hosts_ = hosts_of(world, host);
  MPI_Comm_free(&host);

  auto* next = static_cast<std::byte*>(memory_.data());
  const auto take = [&next](std::size_t size) {
    return std::span(std::exchange(next, next + size), size);
  };
  void* first = take(status_bytes).data();
  statuses_ = {static_cast<RankStatus*>(first), ranks};
  clock_memory_ = take(clock_bytes);
  ledger_memory_ = take(ledger_bytes);
  link_memory_ = take(link_bytes);
  turn_memory_ = take(turn_bytes);
  board_memory_ = take(board_bytes);
  own_status().job = -1;
  own_status().attempt = -1;
  own_status().stage = Stage::idle;
  own_status().pid = ::getpid();
}

}  // namespace mimus::emulator
