// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "emulator/campaign/check/cell_check.hpp"
#include "emulator/modelled_throughput.hpp"
#include "kernels/parallel/split_plan.hpp"
#include "kernels/parallel/split_step_time.hpp"

namespace mimus::emulator {
namespace {

kernels::StepShape requested_shape(const workloads::Job& job, const workloads::Model& model) {
  const std::int64_t share = std::max<std::int64_t>(1, job.total_batch / job.gang);
  const std::int64_t most = std::max<std::int64_t>(1, model.batch.per_gpu_max);
  const std::int64_t accumulation = (share + most - 1) / most;
  return {.per_gpu_batch = std::max<std::int64_t>(1, share / accumulation),
          .accumulation = static_cast<int>(accumulation),
          .replicas = job.gang};
}

/// The narrowest link of a gang that is packed as tightly as possible.
kernels::GangLink packed_link(const ClusterConfig& cluster, int replicas) {
  if (replicas <= cluster.shape.gpus_per_island) return {cluster.gpu.island_link.reached(), {}};
  if (replicas <= cluster.shape.gpus_per_node) return {cluster.gpu.node_link.reached(), {}};
  return {cluster.network.reached(), cluster.network_latency};
}

/// Samples at M₀ that one step achieves half way through the job.
double step_gain(const workloads::Model& model, const kernels::StepShape& shape) {
  const double total =
      static_cast<double>(shape.per_gpu_batch * shape.accumulation * shape.replicas);
  const auto reference = static_cast<double>(model.batch.reference);
  return total * workloads::statistical_efficiency(model.noise_scale.at(0.5), reference, total);
}

class StepTimes {
 public:
  explicit StepTimes(const ClusterConfig& cluster) : cluster_(cluster) {}

  const kernels::StepTime& of(const workloads::Model& model, const kernels::StepShape& shape) {
    const auto [entry, is_new] = known_.try_emplace({model.name, shape});
    if (is_new) {
      const auto link = packed_link(cluster_, shape.replicas);
      const int on_node = std::min(shape.replicas, cluster_.shape.gpus_per_node);
      const kernels::GangLinks links(
          static_cast<std::size_t>(model.split.pipeline),
          {.data = link, .tensor = packed_link(cluster_, model.split.tensor), .pipeline = link});
      entry->second =
          slowest_step(cluster_, model, shape, scheduler::kAllTypes, links, on_node).time;
    }
    return entry->second;
  }

 private:
  const ClusterConfig& cluster_;
  std::map<std::pair<std::string, kernels::StepShape>, kernels::StepTime> known_;
};

}  // namespace

Duration makespan_estimate(const CellConfig& config, const workloads::Workload& workload,
                           const workloads::ModelCatalogue& models) {
  StepTimes step_times(config.cluster);
  double longest = 0.0;
  double device_seconds = 0.0;
  double one_by_one = 0.0;
  for (const workloads::Job& job : workload.jobs) {
    const workloads::Model& model = models.at(job.model);
    const kernels::StepShape shape = requested_shape(job, model);
    const kernels::StepTime& step = step_times.of(model, shape);
    const double steps = job.work_samples / step_gain(model, shape);
    const double run = to_seconds(model.startup) + steps * to_seconds(step.total);
    longest = std::max(longest, (config.jobs_at_once ? 0.0 : to_seconds(job.arrival)) + run);
    one_by_one += run;
    device_seconds += steps * to_seconds(step.device) * job.gang;
  }
  if (config.jobs_at_once) longest = std::max(longest, one_by_one / *config.jobs_at_once);
  return from_seconds(std::max(longest, device_seconds / config.cluster.shape.gpus()));
}

}  // namespace mimus::emulator
