// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/operation_timer.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace mimus::kernels::cuda {
namespace {

/// Number of timings that are kept until they are read. Then the oldest is dropped.
constexpr std::size_t kMostKept = 4096;

}  // namespace

void OperationTimer::begin(const Stream& stream, CollectiveOp op, std::int64_t bytes,
                           std::optional<Duration> estimate) {
  capture_ = stream.capture();
  if (!capture_) collect();
  // Plain operations, or another capture, mean that the captured graph is not replayed again.
  if (capture_ != last_capture_ && (capture_ || !captured_.empty())) {
    std::move(captured_.begin(), captured_.end(), std::back_inserter(retired_));
    captured_.clear();
    last_capture_ = capture_;
  }
  open_ = unused_marks();
  open_.op = op;
  open_.bytes = bytes;
  open_.estimate = estimate;
  open_.begin.record_in_capture(stream.get());
}

void OperationTimer::end(const Stream& stream) {
  open_.end.record_in_capture(stream.get());
  if (capture_) {
    captured_.push_back(std::move(open_));
  } else {
    under_way_.push_back(std::move(open_));
  }
}

void OperationTimer::check(WallInstant now, Duration deadline, std::string_view what) {
  const std::size_t before = under_way_.size();
  collect();
  if (under_way_.empty()) {
    waiting_since_.reset();
    return;
  }
  if (under_way_.size() < before || !waiting_since_) waiting_since_ = now;
  const Duration waited = now - *waiting_since_;
  if (waited <= deadline) return;
  throw PeerLostError(fmt::format(
      "{}: an operation of {} bytes and {} after it have not ended for {:.1f} s (half of "
      "engine.stage_timeout); one of the {} members does not take part",
      what, under_way_.front().bytes, under_way_.size() - 1, to_seconds(waited), members_));
}

std::vector<TimedOperation> OperationTimer::take() {
  if (!under_way_.empty()) collect();
  for (const Marks& marks : captured_) keep(marks);
  std::vector<TimedOperation> taken(ended_.begin(), ended_.end());
  ended_.clear();
  return taken;
}

void OperationTimer::collect() {
  while (!under_way_.empty() && under_way_.front().end.passed()) {
    keep(under_way_.front());
    unused_.push_back(std::move(under_way_.front()));
    under_way_.pop_front();
  }
}

void OperationTimer::keep(const Marks& marks) {
  const std::optional<Duration> time = elapsed(marks.begin, marks.end);
  if (!time) return;
  const Bytes size{static_cast<double>(marks.bytes)};
  ended_.push_back({marks.op, marks.bytes, *time, marks.estimate,
                    collective_bandwidth(marks.op, size, members_, *time)});
  if (ended_.size() > kMostKept) ended_.pop_front();
}

OperationTimer::Marks OperationTimer::unused_marks() {
  if (unused_.empty()) return Marks{};
  Marks marks = std::move(unused_.back());
  unused_.pop_back();
  return marks;
}

}  // namespace mimus::kernels::cuda
