// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "base/ids.hpp"
#include "base/shared_memory.hpp"
#include "emulator/live/host/decision_board.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "kernels/pacing/ledger.hpp"
#include "kernels/pacing/link_book.hpp"
#include "kernels/pacing/pace_clock.hpp"
#include "kernels/pacing/turn_book.hpp"

namespace mimus::emulator {

/// Stage in the life of a rank; named in every message about a rank that died or hangs.
enum class Stage : std::int32_t {
  starting,
  idle,
  gang_creation,
  memory,
  startup,
  restore,
  broadcast,
  compute,
  all_reduce,
  optimiser,
  input_copy,
  tensor_exchange,
  pipeline_transfer,
  agreement,
  checkpoint,
  leaving,
  joining,
  state_transfer,
  suspended,
};
[[nodiscard]] const char* name(Stage stage);

/// A tenant's use of its GPU, as written by TenantPace; all 0: none.
struct TenantWords {
  std::uint64_t tenant = 0;
  std::array<std::uint64_t, 2> stages{};
  bool operator==(const TenantWords&) const = default;
};

/// A rank's latest uses of its GPU, and since when by the pace clock, so that others can look at an
/// instant that has passed. Zero-filled initially.
class TenantNotes {
 public:
  /// From `at` on; replaces what was to begin later.
  void add(const TenantWords& tenant, WallInstant at) noexcept;
  void clear() noexcept { count_ = 0; }
  [[nodiscard]] TenantWords tenant_at(WallInstant at) const noexcept;

 private:
  struct Note {
    std::atomic<std::uint64_t> tenant;
    std::array<std::atomic<std::uint64_t>, 2> stages;
    std::atomic<std::int64_t> from_ns;
  };
  static constexpr std::int64_t kKept = 4;  ///< one of them may just be written
  std::array<Note, kKept> notes_;
  std::atomic<std::int64_t> count_;
};

/// What one rank is doing, kept where rank 0 can read it even after the rank has been killed.
struct RankStatus {
  std::atomic<std::int64_t> pid;      ///< 0: not a rank of this host
  std::atomic<std::int64_t> job;      ///< -1: none
  std::atomic<std::int64_t> attempt;  ///< -1: none
  std::atomic<Stage> stage;
  std::atomic<std::int32_t> told_to_end;  ///< 1: a worker got SIGTERM, as launchers send it
  std::atomic<std::int32_t> aborts;       ///< 1: rank 0 ends the world, and has said why
  TenantNotes tenant;                     ///< TenantPace
  std::atomic<std::int64_t> gathering;    ///< GangGathering
  char padding[8];
};
static_assert(sizeof(RankStatus) == 192);
/// For people: "job 3, attempt 7, stage "compute"", or "no job, ...".
[[nodiscard]] std::string text_of(const RankStatus& status);

/// The memory that all ranks of one host share: a status per rank of the world, their clock, the
/// ledger of the emulated devices, the books of their links and turns, and rank 0's decisions.
class HostSegment {
 public:
  /// Collective over the ranks of `world`. Sizes are those of the largest cell.
  HostSegment(const MpiWorld& world, int gpus, int nodes);

  /// The ranks of this host, as an MPI communicator's size and this rank's number in it.
  [[nodiscard]] int local_rank() const { return local_rank_; }
  [[nodiscard]] int local_size() const { return local_size_; }
  [[nodiscard]] std::span<RankStatus> statuses() const { return statuses_; }
  [[nodiscard]] RankStatus& own_status() const { return statuses_[own_rank_]; }
  [[nodiscard]] std::span<std::byte> ledger_memory() const { return ledger_memory_; }
  [[nodiscard]] kernels::LinkBook links() const { return {link_memory_, channels(), link_count()}; }
  [[nodiscard]] kernels::TurnBook turns() const { return {turn_memory_, gpus_, ranks_}; }
  /// Number of the host of every rank; rank 0 is on host 0.
  [[nodiscard]] const std::vector<int>& hosts() const { return hosts_; }
  [[nodiscard]] int own_host() const { return hosts_[own_rank_]; }
  [[nodiscard]] bool is_one_of_several() const {
    return local_size_ < static_cast<int>(statuses_.size());
  }
  [[nodiscard]] DecisionBoard decisions() const { return {board_memory_, ranks_, own_host() != 0}; }
  /// This rank's view of the host's clock.
  [[nodiscard]] kernels::PaceClock clock(kernels::PaceClock::Kind kind) const {
    const int ranks = static_cast<int>(statuses_.size());
    return {kind, clock_memory_, ranks, static_cast<int>(own_rank_), own_host() != 0};
  }

 private:
  /// A rank of a split model is in up to seven groups, each of two or more.
  [[nodiscard]] int channels() const { return 4 * ranks_; }
  /// Of GPUs, nodes and racks, of which there are no more than nodes.
  [[nodiscard]] int link_count() const { return gpus_ + 2 * nodes_; }

  SharedMemory memory_;
  std::span<RankStatus> statuses_;
  std::span<std::byte> clock_memory_;
  std::span<std::byte> ledger_memory_;
  std::span<std::byte> link_memory_;
  std::span<std::byte> turn_memory_;
  std::span<std::byte> board_memory_;
  std::vector<int> hosts_;
  int gpus_;
  int nodes_;
  int ranks_;
  std::size_t own_rank_ = 0;
  int local_rank_ = 0;
  int local_size_ = 1;
};

}  // namespace mimus::emulator
