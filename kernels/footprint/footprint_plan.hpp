// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/units.hpp"
#include "kernels/footprint/collective_time.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

struct LaunchPlan;
struct RankCommunication;

/// The synthetic kernels that a device has to provide.
enum class KernelKind {
  convolution,
  gemm,
  batched_gemm,
  recurrent,
  normalisation,
  elementwise,
  embedding,
  sgd_update,
  adam_update,
  lamb_update,
};
inline constexpr int kKernelKinds = 10;
[[nodiscard]] const char* name(KernelKind kind);

/// Kernels of one kind, at full size: work for a device to execute.
struct KernelGroup {
  KernelKind kind = KernelKind::elementwise;
  workloads::GemmShape shape;  ///< of one product with the batch in its rows; zero rows if none
  Flop flop{};
  Bytes traffic{};
};

/// What is in use of the node of a replica; of the fullest one of a gang.
struct NodeUse {
  int gpus = 1;                 ///< of all jobs, including its own
  double core_load = 1.0;       ///< cores that jobs there ask for ÷ those that it has; at least 1
  double device_stretch = 1.0;  ///< factor on the time of kernels, where its GPU has other tenants
  /// `has`: 0 for a node whose cores are never short.
  [[nodiscard]] static NodeUse of(int gpus, std::int64_t asked, std::int64_t has) {
    const double load = has > 0 ? static_cast<double>(asked) / static_cast<double>(has) : 1.0;
    return {.gpus = gpus, .core_load = std::max(1.0, load)};
  }
};

/// A run of kernels that is launched and paced together. Times are emulated, for a solo tenant.
struct Segment {
  std::vector<KernelGroup> kernels;
  Duration device_time{};  ///< kernels resident on the GPU
  Duration host_time{};    ///< CPU time to launch them; the host runs ahead of the device
  Duration input_time{};   ///< of it: the input pipeline, which slows down where cores are short
  /// What every further GPU in use on the node adds to `host_time`, because input pipelines share
  /// its cores.
  Duration host_time_per_neighbour{};
  int contended_gpus = std::numeric_limits<int>::max();  ///< as in workloads::HostWork
  int releases_bucket = -1;  ///< index of the gradient bucket that is complete after it, or -1

  [[nodiscard]] Duration host_time_on(const NodeUse& node) const {
    const Duration grown = (std::min(node.gpus, contended_gpus) - 1) * host_time_per_neighbour;
    const Duration all = host_time + grown;
    return node.core_load > 1.0 ? all + scale(input_time + grown, node.core_load - 1.0) : all;
  }
};

/// How a model's step is split over a gang.
struct StepShape {
  std::int64_t per_gpu_batch = 1;
  int accumulation = 1;
  int replicas = 1;
  auto operator<=>(const StepShape&) const = default;
};

/// One training step of one replica on one GPU type: the concrete form of the footprint.
struct FootprintPlan {
  StepShape shape;
  std::vector<Segment> forward;   ///< of one micro-batch
  std::vector<Segment> backward;  ///< of one micro-batch; buckets are released on the last one
  Segment optimiser;
  std::vector<Bytes> buckets;    ///< all-reduced in this order; empty for a single replica
  Bytes buffer_broadcast{};      ///< before the first forward pass; zero for a single replica
  Bytes input{};                 ///< host to device, per step
  Duration input_copy{};         ///< of `input`, overlapped with the previous step
  Duration reading{};            ///< of the samples of a step from storage, likewise; 0: at hand
  std::int64_t milli_cores = 0;  ///< thousandths of a core that the replica asks for
  Bytes memory{};                ///< device memory of the replica
  Bytes state{};                 ///< of it: what is kept between steps, whatever the batch
  Bytes spilled{};               ///< host memory of the replica, in place of the device's
  Duration spill_copy{};         ///< of `spilled`, per micro-batch; no kernel runs meanwhile
  /// Every single launch, for devices that run the footprint at full size; else null.
  std::shared_ptr<const LaunchPlan> launches;
  /// For a model that is split over GPUs, whose share of one rank this is: what the rank exchanges,
  /// counted in launches if there are any, else in segments. Else null.
  std::shared_ptr<const RankCommunication> split;

  [[nodiscard]] Duration device_time() const;  ///< all kernels of a step
};

/// Roofline per layer group: device time = max(FLOP / (η_c·peak), bytes / (η_m·bandwidth)), η from
/// efficiency(); host time = launches × launch gap + host_work(), spread over the segments in
/// proportion to their launches.
[[nodiscard]] FootprintPlan make_plan(const workloads::Model& model, const GpuSpec& gpu,
                                      const StepShape& shape);

/// Leaves at most `device` bytes of the plan's memory on the device. The others cross the host link
/// once per micro-batch.
void spill_beyond(FootprintPlan& plan, Bytes device, BytesPerSecond host_link);

/// Fixes the time of the input pipelines at that for `gpus_in_use` GPUs in use on the node. Other
/// jobs on the node no longer change it.
void fix_gpus_in_use(FootprintPlan& plan, int gpus_in_use);

/// The modelled time of a solo step, spilled memory left out.
struct StepTime {
  Duration total{};
  Duration device{};                 ///< kernels resident, without device_stretch
  Duration exposed_communication{};  ///< between the last backward kernel and the last bucket
};

/// Replays the plan: the host runs ahead of the device, buckets are reduced one after another as
/// the backward pass releases them, and the optimiser runs after the last bucket.
[[nodiscard]] StepTime solo_step_time(const FootprintPlan& plan, const GangLink& link,
                                      const NodeUse& node = {});

}  // namespace mimus::kernels
