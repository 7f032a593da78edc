// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "kernels/cuda/collective/stream_collective.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"

namespace mimus::kernels::cuda {

/// Times the operations of one stream by events around each, and says how many are under way. Works
/// while the stream is captured: it then queries nothing, and the events are marked whenever the
/// graph runs.
class OperationTimer {
 public:
  explicit OperationTimer(int members) : members_(members) {}

  void begin(const Stream& stream, CollectiveOp op, std::int64_t bytes,
             std::optional<Duration> estimate = {});
  void end(const Stream& stream);

  /// Throws PeerLostError, naming `what`, if operations are under way and none has ended for
  /// `deadline`.
  void check(WallInstant now, Duration deadline, std::string_view what);
  [[nodiscard]] std::vector<TimedOperation> take();

 private:
  struct Marks {
    Event begin{Event::Timing::on};
    Event end{Event::Timing::on};
    CollectiveOp op = CollectiveOp::all_reduce;
    std::int64_t bytes = 0;
    std::optional<Duration> estimate;
  };

  void collect();
  void keep(const Marks& marks);
  [[nodiscard]] Marks unused_marks();

  int members_;
  Marks open_;
  std::optional<unsigned long long> capture_;       ///< to which `open_` belongs
  std::optional<unsigned long long> last_capture_;  ///< to which `captured_` belongs
  std::deque<Marks> under_way_;
  std::vector<Marks> captured_;
  std::vector<Marks> retired_;  ///< of earlier captures, whose graphs may still hold the events
  std::vector<Marks> unused_;
  std::deque<TimedOperation> ended_;
  std::optional<WallInstant> waiting_since_;
};

}  // namespace mimus::kernels::cuda
