// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "base/time.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"

namespace mimus::kernels::cuda {

/// Times what one stream waits for others, by an event on either side of each wait. Events are used
/// again once the device has passed them, so there are as many as the host is waits ahead.
class WaitTimer {
 public:
  /// The stream is about to wait. The event marks the point: what is waited for may begin after it.
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
