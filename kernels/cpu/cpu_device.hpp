// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host_ordered/host_ordered_device.hpp"
#include "kernels/pacing/device_cap.hpp"
#include "kernels/pacing/ledger.hpp"
#include "kernels/pacing/pace_clock.hpp"
#include "kernels/pacing/turn_book.hpp"

namespace mimus::kernels {

/// Settings of an emulated GPU on CPU cores.
struct CpuDeviceOptions {
  int gpu = 0;            ///< index in the ledger
  int first_of_node = 0;  ///< index of the first GPU of its node
  int gpus_per_node = 1;
  std::int64_t milli_cores = 0;  ///< of its node, thousandths; 0: jobs never lack any
  TurnBook* turns = nullptr;  ///< of all tenants; outlives the device. Null: it has no other tenant
  TurnSeat seat;              ///< in that book
  bool paced = true;          ///< to the stated GPU; otherwise the core itself is the device
  double work_scale = 1.0;    ///< executed work = footprint ÷ this
  Duration quantum = std::chrono::milliseconds{2};  ///< a tenant's time slice, on the clock
  double switching = 0.0;  ///< extra cost of a slice after another tenant's, as a fraction of it
  /// For tenants that run side by side instead of taking turns: factor on the time of kernels, host
  /// and input copies, depending on which tenants ran at an instant.
  std::function<double(WallInstant)> slowdown{};
  Bytes arena{4.0 * kMi};
  std::string description;
  PaceClock* clock = nullptr;  ///< the wall clock unless given; outlives the device
};

/// An emulated GPU. It executes every segment's work on the CPU, divided by the work scale, and
/// paces it to the device time of the segment, quantum by quantum, in turns with its other tenants.
///
/// The stream keeps its own schedule. A quantum begins where the previous one was due to end, not
/// where the process woke up, so late wake-ups are made up for and delays do not add up. Unpaced, a
/// quantum ends when its work is done.
class CpuDevice : public HostOrderedDevice {
 public:
  CpuDevice(Ledger& ledger, CpuDeviceOptions options);
  ~CpuDevice() override;

  [[nodiscard]] std::string description() const override { return options_.description; }
  void reserve(const FootprintPlan& plan) override {
    reserve_memory(plan.memory);
    milli_cores_ = static_cast<std::int32_t>(plan.milli_cores);
  }
  void reserve_memory(Bytes amount);
  void release() noexcept override;
  void keep(Bytes amount) override;
  void busy_from(WallInstant at) noexcept override;
  void quiet_until(WallInstant at) noexcept override;
  void idle_from(WallInstant at) noexcept override;
  void set_stretch(const StepStretch& stretch) override { stretch_ = stretch; }
  void set_cap(double share, WallInstant at) override { cap_.set(share, std::max(stream_, at)); }
  [[nodiscard]] PaceClock& clock() override { return options_.clock ? *options_.clock : wall_; }
  void align(WallInstant at) override;
  void launch(const Segment& segment) override;
  void copy_input(Bytes input, Duration duration, Duration reading, WallInstant at) override;
  void copy_spilled(Bytes spilled, Duration duration) override;
  [[nodiscard]] WallInstant input_ready() const override { return input_ready_; }
  void progress(WallInstant now) override;
  [[nodiscard]] std::int64_t completed() const override { return completed_; }
  [[nodiscard]] WallInstant last_completion() const override { return stream_; }
  [[nodiscard]] WallInstant no_earlier(std::int64_t number) const override;
  [[nodiscard]] WallInstant wake() const override;
  [[nodiscard]] WallInstant due() const override;
  [[nodiscard]] Duration busy() const override { return busy_; }
  [[nodiscard]] int co_tenants() const override;
  [[nodiscard]] const WorkAmount& executed() const { return kernels_.executed(); }

 private:
  /// The segment at the head of the stream.
  struct Running {
    const Segment* segment = nullptr;
    Duration device_time{};  ///< wall
    WallInstant launched;    ///< when the host began to launch it
    WallInstant host_end;    ///< when its last kernel is launched
    int quanta = 1;
    int next = 0;  ///< quantum to begin next
    bool in_quantum = false;
  };

  void give_back() noexcept;
  void leave_ledger(WallInstant at) noexcept;
  void copy(Bytes amount);
  [[nodiscard]] Duration wall(Duration emulated) const;
  [[nodiscard]] Duration slowed(Duration time, WallInstant at) const;
  [[nodiscard]] Duration host_time(const Segment& segment) const;
  void open(const Segment& segment);
  [[nodiscard]] WallInstant launched_of(int quantum) const;
  [[nodiscard]] WallInstant next_begin() const;
  [[nodiscard]] bool may_begin(WallInstant now);
  [[nodiscard]] bool has_turn(WallInstant now);
  void begin_quantum();
  void take_turn(Duration turn);
  [[nodiscard]] Duration next_turn() const;
  [[nodiscard]] Duration ready_work(Duration turn, WallInstant begin) const;
  void execute(double fraction);
  void complete();

  Ledger& ledger_;
  std::int32_t milli_cores_ = 0;  ///< that its replica asks for, thousandths
  CpuDeviceOptions options_;
  PaceClock wall_;
  CpuKernels kernels_;
  StepStretch stretch_;
  Bytes reserved_{};
  bool tenant_ = false;  ///< has launched kernels since reserve()
  bool seated_ = false;  ///< others wait for its promises in the book of turns
  std::deque<const Segment*> queue_;
  Running running_;
  WallInstant stream_{};  ///< end of the work done so far
  WallInstant host_{};    ///< when the host can launch the next segment
  WallInstant quantum_end_{};
  DeviceCap cap_;
  WallInstant slice_begin_{};  ///< start of the rest of the time slice that is held
  Duration slice_left_{};
  bool asked_ = false;       ///< for a slice that it has not got yet
  bool has_turn_ = false;    ///< the next quantum is part of the slice that is held
  WallInstant expected_{};   ///< the requested slice begins no earlier
  WallInstant next_look_{};  ///< at the book, for that slice
  WallInstant input_ready_{};
  std::vector<float> staging_;
  std::int64_t completed_ = 0;
  Duration busy_{};
};

}  // namespace mimus::kernels
