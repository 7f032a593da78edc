// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// Rates of one GPU for one model, apart from the batch.
struct RooflineRates {
  FlopPerSecond compute{};
  BytesPerSecond memory{};
  double width = 1.0;  ///< activation and weight bytes relative to fp32
  Duration launch_gap{};
};

[[nodiscard]] RooflineRates roofline_rates(const workloads::Model& model, const GpuSpec& gpu);

enum class Direction { forward, backward };

/// The kernels of one layer in one pass over `batch` samples; `width` as in RooflineRates.
[[nodiscard]] KernelGroup group_of(const workloads::Layer& layer, Direction direction, double batch,
                                   double width);
/// Appends a group of `launches` kernels to the segment, for max(FLOP ÷ rate, bytes ÷ bandwidth) on
/// the device and a launch gap each on the host.
void append(Segment& segment, const KernelGroup& group, int launches, const RooflineRates& rates);

/// Data-parallel frameworks copy gradients into the bucket and back: two reads, two writes.
[[nodiscard]] KernelGroup bucket_copies(Bytes size);
/// The update of all parameters of `model`.
[[nodiscard]] Segment optimiser_segment(const workloads::Model& model, const RooflineRates& rates);
/// Spreads host work that belongs to the model rather than to its launches over both passes. It
/// grows with the GPUs in use on the node as `host` says.
void spread_host_work(FootprintPlan& plan, Duration host_work, const workloads::HostWork& host);

}  // namespace mimus::kernels
