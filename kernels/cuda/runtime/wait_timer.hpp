// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "base/time.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"

namespace mimus::kernels::cuda {

/// Times the waits of one stream for others, by an event on either side of each wait. Events are
/// reused once the device has passed them, so their number is the number of waits that the host is
/// ahead.
class WaitTimer {
 public:
  /// The stream is about to wait. The event marks this point; the awaited work may begin after it.
  [[nodiscard]] cudaEvent_t begin(const Stream& stream);
  /// The wait has been put on the stream.
  void end(const Stream& stream);
  /// Sum of the waits since the last call, all of which the device has passed.
  [[nodiscard]] Duration take();

 private:
  struct Marks {
    Event begin{Event::Timing::on};
    Event end{Event::Timing::on};
  };

  void collect();

  std::deque<Marks> under_way_;  ///< the last may not have ended
  std::vector<Marks> unused_;
  Duration waited_{};
};

}  // namespace mimus::kernels::cuda
