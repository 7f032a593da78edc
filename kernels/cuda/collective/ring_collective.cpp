// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/ring_collective.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/cuda/collective/ring_load.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"

namespace mimus::kernels::cuda {
namespace {

/// What arrives in one launch (128 MiB): more than a gradient bucket of 25 MiB and more than a
/// cache holds. Longer operations take several launches.
constexpr std::int64_t kArrivingElements = std::int64_t{32} << 20U;
constexpr std::int64_t kBytesPerElement = 4;  // fp32
constexpr int kDefaultCtas = 2;

}  // namespace

RingCollective::RingCollective(const RingOptions& options)
    : options_(options),
      stream_(Stream::for_communication(options.device)),
      timer_(options.size),
      arriving_(static_cast<std::size_t>(kArrivingElements * kBytesPerElement)) {
  constexpr int kNonZero = 0x3c;  // each float 0.0115
  check_cuda(cudaMemsetAsync(arriving_.as<void>(), kNonZero,
                             static_cast<std::size_t>(arriving_.bytes()), stream_.get()),
             "cudaMemsetAsync");
  stream_.synchronize();
}

std::string RingCollective::description() const {
  return fmt::format("emulated ring of {}, {:.0f} GB/s", options_.size,
                     options_.link.bandwidth.value / 1e9);
}

void RingCollective::enqueue(CollectiveOp op, const void* /*send*/, void* receive,
                             std::int64_t bytes, Arithmetic /*arithmetic*/, cudaEvent_t after) {
  const RingLoad load = ring_load(op, bytes, options_.size, options_.link);
  stream_.wait(after);
  timer_.begin(stream_, op, bytes);
  RingShape shape;
  shape.ranks = options_.size;
  shape.ctas = static_cast<unsigned>(options_.ctas > 0 ? options_.ctas : kDefaultCtas);
  shape.bandwidth = load.bandwidth.value;
  const std::int64_t launches = (load.elements + kArrivingElements - 1) / kArrivingElements;
  for (std::int64_t first = 0; first < load.elements; first += kArrivingElements) {
    shape.elements = std::min(kArrivingElements, load.elements - first);
    shape.latency = to_seconds(load.latency) / static_cast<double>(launches);
    enqueue_ring(shape, static_cast<float*>(receive) + first, arriving_.as<float>(), stream_.get());
  }
  timer_.end(stream_);
  done_.record(stream_.get());
}

void RingCollective::check(WallInstant now) {
  timer_.check(now, Duration::max(), description());
}

}  // namespace mimus::kernels::cuda
