// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/cpu_device.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::kernels {
namespace {

constexpr std::size_t kStagingFloats = 64 * 1024;
/// Every rank has noted what it did this long ago. A working rank does so while the clock is at
/// most a window ahead of it, and what follows from an event when member 0 has acted on that.
/// Looking back this far makes the cost of neighbours independent of which rank looks first.
constexpr Duration kNeighboursHaveSaid = PaceClock::kHaveTold + std::chrono::milliseconds{1};

/// A tenant that waits for a turn waits for tenants that are behind, and looks again this often.
constexpr Duration kLookAtTurns = std::chrono::microseconds{100};

/// Length of turn `index` of `quanta`. Cuts at i/quanta of the whole, so rounding errors do not add
/// up.
Duration turn_of(Duration whole, int quanta, int index) {
  return whole * (index + 1) / quanta - whole * index / quanta;
}

}  // namespace

CpuDevice::CpuDevice(Ledger& ledger, CpuDeviceOptions options)
    : ledger_(ledger),
      options_(std::move(options)),
      kernels_(options_.arena),
      staging_(2 * kStagingFloats, 0.5F) {}

CpuDevice::~CpuDevice() {
  release();
}

void CpuDevice::reserve_memory(Bytes amount) {
  give_back();
  ledger_.reserve_memory(options_.gpu, amount);
  reserved_ = amount;
}

void CpuDevice::release() noexcept {
  give_back();
  idle_from(stream_);
}

/// The ledger counts whole bytes.
void CpuDevice::keep(Bytes amount) {
  const Bytes held{std::floor(reserved_.value)};
  const Bytes kept{std::floor(std::min(amount, held).value)};
  ledger_.release_memory(options_.gpu, held - kept);
  reserved_ = kept;
}

/// The seat in the book of turns stays: a replica that is retuned takes its memory again and goes
/// on.
void CpuDevice::give_back() noexcept {
  ledger_.release_memory(options_.gpu, reserved_);
  reserved_ = Bytes{};
  leave_ledger(stream_);
  queue_.clear();
  running_ = Running{};
}

void CpuDevice::busy_from(WallInstant at) noexcept {
  cap_.idle_until(at);
  if (options_.turns == nullptr || !options_.paced || options_.slowdown) return;
  seated_ = true;
  quiet_until(at);
}

void CpuDevice::quiet_until(WallInstant at) noexcept {
  if (seated_ && !asked_) options_.turns->quiet_until(options_.seat, at);
}

void CpuDevice::idle_from(WallInstant at) noexcept {
  if (seated_) options_.turns->leave(options_.seat);
  seated_ = asked_ = has_turn_ = false;
  leave_ledger(at);
}

void CpuDevice::leave_ledger(WallInstant at) noexcept {
  if (tenant_) ledger_.remove_tenant(options_.gpu, at, milli_cores_);
  tenant_ = false;
}

void CpuDevice::align(WallInstant at) {
  stream_ = std::max(stream_, at);
  host_ = std::max(host_, at);
}

void CpuDevice::launch(const Segment& segment) {
  if (!tenant_) ledger_.add_tenant(options_.gpu, stream_, milli_cores_);
  tenant_ = true;
  queue_.push_back(&segment);
}

void CpuDevice::progress(WallInstant now) {
  while (true) {
    if (running_.segment == nullptr) {
      if (queue_.empty()) return;
      open(*queue_.front());
    }
    if (running_.in_quantum) {
      if (now < quantum_end_) return;
      running_.in_quantum = false;
      stream_ = quantum_end_;
    }
    if (running_.next == running_.quanta) {
      if (now < running_.host_end) return;
      complete();
      return;  // one completion per call, so that the caller can read its instant
    }
    if (!may_begin(now)) return;
    begin_quantum();
  }
}

WallInstant CpuDevice::wake() const {
  if (running_.segment == nullptr) return queue_.empty() ? kWallNever : WallInstant{};
  if (running_.in_quantum) return quantum_end_;
  if (running_.next == running_.quanta) return running_.host_end;
  return asked_ ? next_look_ : next_begin();
}

/// Later than now even for a turn that takes no time, because others may wait until the clock shows
/// that this device asks for nothing earlier.
WallInstant CpuDevice::due() const {
  return asked_ ? expected_ + std::max(next_turn(), Duration{1}) : wake();
}

/// Computed as if the device had no other tenant and all kernels had been launched.
WallInstant CpuDevice::no_earlier(std::int64_t number) const {
  WallInstant at = running_.in_quantum ? quantum_end_ : stream_;
  if (asked_) at = std::max(at, expected_);
  const auto ahead = static_cast<std::size_t>(std::max<std::int64_t>(0, number - completed_));
  for (std::size_t i = 0; i < std::min(ahead, queue_.size()); ++i) {
    const bool runs = i == 0 && running_.segment != nullptr;
    const Duration whole = runs ? running_.device_time : wall(queue_[i]->device_time);
    at += runs ? whole - whole * running_.next / running_.quanta : whole;
  }
  return queue_.empty() ? at : std::max(at, due());
}

int CpuDevice::co_tenants() const {
  return std::max(0, ledger_.tenants(options_.gpu) - (tenant_ ? 1 : 0));
}

Duration CpuDevice::wall(Duration emulated) const {
  return scale(emulated, stretch_.wall_per_emulated);
}

/// `time`, stretched by what neighbours do to work that begins at `at`.
Duration CpuDevice::slowed(Duration time, WallInstant at) const {
  return options_.slowdown ? scale(time, options_.slowdown(at - kNeighboursHaveSaid)) : time;
}

/// The input pipelines of all GPUs in use on the node share its cores.
Duration CpuDevice::host_time(const Segment& segment) const {
  const auto others = ledger_.use_of_others(options_.gpu, options_.first_of_node,
                                            options_.gpus_per_node, host_ - kNeighboursHaveSaid);
  const std::int64_t asked = ledger_.milli_cores(options_.gpu) + others.milli_cores;
  return segment.host_time_on(NodeUse::of(1 + others.gpus, asked, options_.milli_cores));
}

void CpuDevice::open(const Segment& segment) {
  running_ = Running{};
  running_.segment = &segment;
  running_.launched = host_;
  if (!options_.paced) return;
  running_.device_time = wall(segment.device_time);
  host_ += slowed(wall(host_time(segment)), host_);
  running_.host_end = host_;
  const double quanta = to_seconds(running_.device_time) / to_seconds(options_.quantum);
  running_.quanta = std::max(1, static_cast<int>(std::ceil(quanta)));
}

/// Kernels of a segment are launched at a steady rate, so its i-th quantum cannot begin before
/// i/quanta of its launches are done.
WallInstant CpuDevice::launched_of(int quantum) const {
  const Duration launching = running_.host_end - running_.launched;
  return running_.launched + launching * quantum / running_.quanta;
}

WallInstant CpuDevice::next_begin() const {
  if (!options_.paced) return stream_;
  const WallInstant ready = std::max(stream_, launched_of(running_.next));
  return cap_.bounds() ? std::max(ready, cap_.earliest()) : ready;
}

bool CpuDevice::may_begin(WallInstant now) {
  const bool in_turns = options_.paced && !options_.slowdown && options_.turns != nullptr;
  if (in_turns && !has_turn(now)) return false;
  return now >= next_begin();
}

Duration CpuDevice::next_turn() const {
  return turn_of(running_.device_time, running_.quanta, running_.next);
}

/// Uses the time slice that the tenant holds, or asks for a new one. Tenants alternate by slices of
/// equal length, as processes on a GPU do, and not by kernels. Many short segments thus get as much
/// of the device as few long ones.
bool CpuDevice::has_turn(WallInstant now) {
  const WallInstant begin = next_begin();
  if (!asked_) {
    const bool holds =
        slice_left_ >= next_turn() && slice_begin_ >= begin && slice_begin_ == stream_;
    has_turn_ = has_turn_ || holds;
    if (has_turn_) return true;
    slice_left_ = cap_.bounds() ? next_turn() : ready_work(next_turn(), begin);
    seated_ = asked_ = true;
    options_.turns->ask(options_.seat, {.earliest = begin,
                                        .slice = slice_left_,
                                        .first = next_turn(),
                                        .switching = options_.switching});
  }
  const TurnBook::Turn turn = options_.turns->look(options_.seat);
  slice_begin_ = expected_ = std::max(begin, turn.begin);
  next_look_ = std::max(begin, now + kLookAtTurns);
  asked_ = !turn.granted;
  has_turn_ = turn.granted;
  return has_turn_;
}

void CpuDevice::begin_quantum() {
  const double fraction = 1.0 / running_.quanta;
  if (!options_.paced) {
    const WallInstant begin = wall_now();
    execute(fraction);
    quantum_end_ = wall_now();
    busy_ += quantum_end_ - begin;
  } else {
    const Duration turn = next_turn();
    take_turn(turn);
    busy_ += turn;
    execute(fraction);
  }
  running_.in_quantum = true;
  ++running_.next;
}

void CpuDevice::take_turn(Duration turn) {
  if (!has_turn_) {
    const WallInstant begin = next_begin();
    quantum_end_ = begin + slowed(turn, begin);
    cap_.use(begin, quantum_end_ - begin, wall(DeviceCap::kSavedUp));
    return;
  }
  has_turn_ = false;
  cap_.use(slice_begin_, turn, wall(DeviceCap::kSavedUp));
  slice_begin_ += turn;
  slice_left_ -= turn;
  quantum_end_ = slice_begin_;
  quiet_until(quantum_end_);
}

/// The length of a slice: `turn`, which begins at `begin`, and the work that follows without a gap.
/// Kernels that wait for their launches or for those of the previous segment are left out. The
/// device would idle until they begin, and the rest of the slice would be lost.
Duration CpuDevice::ready_work(Duration turn, WallInstant begin) const {
  Duration sum = turn;
  const auto fits = [&](Duration more, WallInstant launched) {
    return launched <= begin + sum && sum + more <= options_.quantum;
  };
  for (int quantum = running_.next + 1; quantum < running_.quanta; ++quantum) {
    const Duration more = turn_of(running_.device_time, running_.quanta, quantum);
    if (!fits(more, launched_of(quantum))) return sum;
    sum += more;
  }
  WallInstant launched = running_.host_end;
  for (std::size_t i = 1; i < queue_.size(); ++i) {
    const Duration more = wall(queue_[i]->device_time);
    const Duration launching = wall(host_time(*queue_[i]));
    if (!fits(more, launched) || launching > more) return sum;
    launched += launching;
    sum += more;
  }
  return sum;
}

void CpuDevice::execute(double fraction) {
  const double scaled = fraction * stretch_.steps / options_.work_scale;
  for (const KernelGroup& group : running_.segment->kernels) kernels_.run(group, scaled);
}

void CpuDevice::complete() {
  stream_ = std::max(stream_, running_.host_end);
  ++completed_;
  queue_.pop_front();
  running_ = Running{};
}

}  // namespace mimus::kernels
