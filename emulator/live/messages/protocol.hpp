// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/engine.hpp"
#include "emulator/live/messages/wire.hpp"
#include "kernels/device_report.hpp"
#include "results/schema/rows.hpp"

namespace mimus::emulator {

// What rank 0 and the workers say to each other. The tag of an MPI message is its kind; a struct
// lists its members once, for both directions of the wire.

enum class MessageKind : int {
  begin_cell = 1,
  start_attempt,
  stop_attempt,
  retune_attempt,
  end_cell,
  shutdown,
  cell_ready,
  attempt_started,
  attempt_progress,
  attempt_ended,
  worker_failed,
  sample_devices,
  device_sample,
  resize_attempt,
  joiner_ready,
  join_gang,
  cancel_join,
  begin_clock,
  attempt_alive,
  worker_leaves,
  measure_link,
  link_times,
  host_report,
  host_answer,
  worker_serves,
  gang_meets,
  abandon_attempt,
  attempt_abandoned,
  rank_lost,
  host_alive,
  forget_gpu,
  suspend_attempt,
  resume_attempt,
  limit_attempt,
  read_attempt,
  attempt_suspended,
  attempt_resumed,
  attempt_limited,
  command_limit,
  save_attempt,
  attempt_saved,
};

/// A worker's messages to rank 0 about its attempt: the clock waits until rank 0 has read them.
[[nodiscard]] constexpr bool holds_clock(MessageKind kind) {
  return kind == MessageKind::attempt_started || kind == MessageKind::attempt_progress ||
         kind == MessageKind::attempt_ended || kind == MessageKind::attempt_suspended ||
         kind == MessageKind::attempt_resumed || kind == MessageKind::attempt_limited ||
         kind == MessageKind::attempt_saved || kind == MessageKind::joiner_ready;
}

/// Times in messages are nanoseconds of the world's clock, which is rank 0's.
struct BeginCell {
  static constexpr auto kKind = MessageKind::begin_cell;
  std::int32_t cell = 0;  ///< index into the campaign, which every rank has loaded
  double work_scale = 1.0;
  std::string checkpoint_dir;
  void visit(auto&& f) { f(cell), f(work_scale), f(checkpoint_dir); }
};

/// To all workers once every one of them is ready for the cell: its emulated time begins.
struct BeginClock {
  static constexpr auto kKind = MessageKind::begin_clock;
  std::int64_t epoch_ns = 0;  ///< of the cell's emulated time 0
  void visit(auto&& f) { f(epoch_ns); }
};

struct StartMessage {
  static constexpr auto kKind = MessageKind::start_attempt;
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  std::int64_t at_ns = 0;   ///< when it begins: the message may take longer than the clock waits
  std::int64_t cut_ns = 0;  ///< when one of its GPUs is taken away, if known; 0: never
  std::string model;
  std::vector<scheduler::Slot> slots;
  scheduler::HostNeed host;  ///< of the whole gang
  scheduler::BatchPlan batch;
  scheduler::DeviceLimits limits;
  double samples_done = 0;
  double samples_kept = 0;
  double work_samples = 0;
  LearningTruth learning;
  double fail_at_samples = -1;
  std::string fail_reason;
  bool from_checkpoint = false;
  scheduler::StageTimes stages;  ///< without an iteration: not stated
  std::int64_t probe_steps = 0;
  /// Above 0: it continues a gang of this number of members, whose first ones stay. Ranks that get
  /// this as a start join them.
  std::int32_t members_before = 0;
  std::int64_t attempt_before = -1;  ///< of that gang
  /// Place of the lead of that gang, if none of its members stays; else no slot.
  scheduler::Slot state_from{};
  [[nodiscard]] bool is_probe() const { return probe_steps > 0; }
  /// It continues without a restart.
  [[nodiscard]] bool follows() const { return members_before > 0; }
  [[nodiscard]] bool moves() const { return static_cast<bool>(state_from.lane); }
  void visit(auto&& f) {
    f(attempt), f(job), f(at_ns), f(cut_ns), f(model), f(slots), f(host), f(batch), f(limits),
        f(samples_done), f(samples_kept);
    f(work_samples), f(learning), f(fail_at_samples), f(fail_reason), f(from_checkpoint);
    f(stages), f(probe_steps), f(members_before), f(attempt_before), f(state_from);
  }
};

[[nodiscard]] StartMessage start_message(const Attempt& attempt);

/// To the workers of these slots, between attempts: times all-reduces of every size.
struct MeasureLink {
  static constexpr auto kKind = MessageKind::measure_link;
  std::int64_t tag = 0;  ///< distinguishes gangs
  std::vector<scheduler::Slot> slots;
  std::vector<std::int64_t> bytes;  ///< of a rank's buffer
  std::int64_t budget_ns = 0;       ///< wall time for each size
  void visit(auto&& f) { f(tag), f(slots), f(bytes), f(budget_ns); }
};

/// Of one size, from the gang's first member.
struct LinkTimes {
  static constexpr auto kKind = MessageKind::link_times;
  std::int64_t bytes = 0;
  std::vector<double> seconds;  ///< of each operation, on its slowest member
  std::string via;              ///< what moved the data
  std::string no_link;          ///< why this is not the link between two GPUs; "" if it is
  void visit(auto&& f) { f(bytes), f(seconds), f(via), f(no_link); }
};

struct EndCell {
  static constexpr auto kKind = MessageKind::end_cell;
  void visit(auto&&) {}
};

struct Shutdown {
  static constexpr auto kKind = MessageKind::shutdown;
  std::int32_t exit_code = 0;
  bool ends_mpi = true;  ///< together with all others; not if some have died
  void visit(auto&& f) { f(exit_code), f(ends_mpi); }
};

/// A worker has given back what it held and next reaches the end of MPI.
struct WorkerLeaves {
  static constexpr auto kKind = MessageKind::worker_leaves;
  void visit(auto&&) {}
};

/// A worker is ready for a cell; without a device it serves no GPU of it.
struct CellReady {
  static constexpr auto kKind = MessageKind::cell_ready;
  std::string device;                ///< its device, for people
  std::int32_t gpus_per_device = 1;  ///< of the cluster; above 1 the cell is functional only
  std::string mps;                   ///< of a CUDA device: mps_state(); else empty
  bool samples = false;              ///< it sends samples of a physical device
  std::string samples_missing;       ///< why it does not if it should
  void visit(auto&& f) { f(device), f(gpus_per_device), f(mps), f(samples), f(samples_missing); }
};

/// Asks a worker that samples a device for one sample now.
struct SampleDevices {
  static constexpr auto kKind = MessageKind::sample_devices;
  void visit(auto&&) {}
};

/// A physical device at one moment.
struct DeviceSampleMessage {
  static constexpr auto kKind = MessageKind::device_sample;
  std::int32_t cell = 0;  ///< for which it was taken: it may arrive in the next one
  std::int64_t time_ns = 0;
  bool was_asked_for = false;
  results::DeviceSampleRow row;  ///< without its time
  std::string energy_source;     ///< counter | power | none
  std::string missing;           ///< which values the row lacks, and why
  void visit(auto&& f) {
    f(cell), f(time_ns), f(was_asked_for), f(energy_source), f(missing);
    f(row.gpu), f(row.host), f(row.device);
    f(row.sm_utilisation), f(row.memory_utilisation), f(row.memory_used);
    f(row.power), f(row.energy), f(row.sm_clock), f(row.memory_clock), f(row.temperature);
    f(row.sm_activity), f(row.sm_occupancy), f(row.tensor_activity), f(row.dram_activity);
    f(row.fp32_activity), f(row.pcie_sent), f(row.pcie_received);
    f(row.nvlink_sent), f(row.nvlink_received), f(row.clock_events);
  }
};

struct StartedMessage {
  static constexpr auto kKind = MessageKind::attempt_started;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;
  void visit(auto&& f) { f(attempt), f(at_ns); }
};

/// Its last step has ended; others may use its GPUs.
struct SuspendedMessage {
  static constexpr auto kKind = MessageKind::attempt_suspended;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;
  void visit(auto&& f) { f(attempt), f(at_ns); }
};

/// Its next step begins.
struct ResumedMessage {
  static constexpr auto kKind = MessageKind::attempt_resumed;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;
  void visit(auto&& f) { f(attempt), f(at_ns); }
};

/// The limits that it was last sent are in force.
struct LimitedMessage {
  static constexpr auto kKind = MessageKind::attempt_limited;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;
  void visit(auto&& f) { f(attempt), f(at_ns); }
};

/// It has written a checkpoint, and its next step begins.
struct SavedMessage {
  static constexpr auto kKind = MessageKind::attempt_saved;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;
  double samples_done = 0;
  void visit(auto&& f) { f(attempt), f(at_ns), f(samples_done); }
};

/// The lead says it in waits that are long by nature: of a start-up, a step, a suspension or a
/// checkpoint. What
/// is too long the members know themselves.
struct AttemptAlive {
  static constexpr auto kKind = MessageKind::attempt_alive;
  std::int64_t attempt = -1;
  void visit(auto&& f) { f(attempt); }
};

struct ProgressMessage {
  static constexpr auto kKind = MessageKind::attempt_progress;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;
  std::vector<StepWindow> windows;
  double samples_done = 0;
  bool is_report = false;
  void visit(auto&& f) { f(attempt), f(at_ns), f(windows), f(samples_done), f(is_report); }
};

struct EndedMessage {
  static constexpr auto kKind = MessageKind::attempt_ended;
  std::int64_t attempt = -1;
  std::int64_t at_ns = 0;
  scheduler::EndReason reason = scheduler::EndReason::finished;
  std::string detail;
  double samples_done = 0;
  std::vector<StepWindow> windows;
  kernels::DeviceReport device;  ///< of the lead
  void visit(auto&& f) {
    f(attempt), f(at_ns), f(reason), f(detail), f(samples_done), f(windows);
    f(device.collectives), f(device.kernels), f(device.traced_steps), f(device.dropped_kernels);
    f(device.graph_kernels), f(device.held_bytes);
  }
};

struct WorkerFailed {
  static constexpr auto kKind = MessageKind::worker_failed;
  std::string what;
  std::int32_t exit_code = 1;
  void visit(auto&& f) { f(what), f(exit_code); }
};

template <class Message>
[[nodiscard]] std::vector<char> encode(Message message) {
  WireWriter writer;
  message.visit([&writer](auto& member) { writer.put(member); });
  return writer.bytes();
}

template <class Message>
[[nodiscard]] Message decode(std::span<const char> bytes) {
  Message message;
  WireReader reader(bytes);
  message.visit([&reader](auto& member) { reader.get(member); });
  return message;
}

}  // namespace mimus::emulator
