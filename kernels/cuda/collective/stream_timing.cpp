// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/stream_timing.hpp"

#include <thread>

#include <fmt/format.h>

#include "kernels/cuda/runtime/cuda_error.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "kernels/cuda/runtime/cuda_memory.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Between two looks at the stream, in which the host moves staged collectives on.
constexpr Duration kTimingNap = std::chrono::microseconds{50};

}  // namespace

std::vector<Duration> time_all_reduces(StreamCollective& collective, int device,
                                       const AllReduceSeries& series) {
  check_cuda(cudaSetDevice(device), "cudaSetDevice");
  const auto bytes = static_cast<std::int64_t>(series.size.value);
  const Stream stream;
  const DeviceBuffer buffer(static_cast<std::size_t>(bytes));
  check_cuda(cudaMemsetAsync(buffer.as<void>(), 0, static_cast<std::size_t>(bytes), stream.get()),
             "cudaMemsetAsync");
  const Event filled;
  filled.record(stream.get());
  (void)collective.take_timings();
  const auto all = static_cast<std::size_t>(series.warm_up + series.count);
  for (std::size_t i = 0; i < all; ++i) {
    collective.enqueue(CollectiveOp::all_reduce, buffer.as<void>(), buffer.as<void>(), bytes,
                       Arithmetic::fp32, filled.get());
  }
  std::vector<Duration> times;
  for (WallInstant heard = wall_now(); times.size() < all;) {
    const WallInstant now = wall_now();
    collective.check(now);
    const auto ended = collective.take_timings();
    for (const TimedOperation& operation : ended) times.push_back(operation.measured);
    if (!ended.empty()) heard = now;
    if (now - heard > series.deadline) {
      throw PeerLostError(fmt::format("{}: an all-reduce of {} bytes has not ended for {:.1f} s",
                                      collective.description(), bytes, to_seconds(now - heard)));
    }
    std::this_thread::sleep_for(kTimingNap);
  }
  times.erase(times.begin(), times.begin() + series.warm_up);
  return times;
}

}  // namespace mimus::kernels::cuda
