// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/types_of_job.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "scheduler/batch/batch_split.hpp"

namespace mimus::scheduler {
namespace {

bool is_allowed(const JobView& job, const std::string& type) {
  return job.gpu_types.empty() || std::ranges::find(job.gpu_types, type) != job.gpu_types.end();
}

bool could_run_on(const JobView& job, const std::string& type) {
  const auto is_of = [&](const auto& rate) { return rate.first == type; };
  return job.rates.empty() || std::ranges::any_of(job.rates, is_of);
}

std::string names_of(const ClusterShape& shape) {
  std::vector<std::string> names;
  for (int type = 0; type < shape.types(); ++type) names.push_back(shape.type_name(type));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Of a job that may use no type.
std::string why_no_type(const ClusterShape& shape, const JobView& job) {
  std::vector<std::string> too_small;
  for (int type = 0; type < shape.types(); ++type) {
    if (!is_allowed(job, shape.type_name(type))) continue;
    too_small.push_back(fmt::format("a {} has {}", shape.type_name(type),
                                    format_bytes(shape.memory_of_type(type))));
  }
  if (too_small.empty()) {
    return fmt::format("may use GPUs of type {} only, but the cluster has {}",
                       fmt::join(job.gpu_types, ", "), names_of(shape));
  }
  return fmt::format("needs {} per GPU with its smallest batch of {}, but {}",
                     format_bytes(job.model.memory(job.model.per_gpu_batch_min)),
                     job.model.per_gpu_batch_min, fmt::join(too_small, " and "));
}

/// Most replicas of the job's gang for which an empty node has GPUs, cores and memory; for a job
/// without GPUs 1 or 0.
int replicas_on(const ClusterShape& shape, NodeId node, const JobView& job) {
  const int most = job.gang == 0 ? 1 : std::min(job.gang, shape.gpus_on(node));
  const HostNeed one = job.host.largest_part(std::max(1, job.gang));
  const HostNeed has = shape.host_of(node);
  if (job.gang <= most) return job.host.within(has) ? most : 0;
  std::int64_t fit = most;
  if (one.milli_cores > 0) fit = std::min(fit, has.milli_cores / one.milli_cores);
  if (one.memory > 0) fit = std::min(fit, has.memory / one.memory);
  return static_cast<int>(fit);
}

/// Whether some type's empty nodes, or one of them if any is large enough for the gang, take it.
bool has_nodes_for(const ClusterShape& shape, const JobView& job) {
  int widest = 0;
  int on_one = 0;
  std::vector<int> of_type(static_cast<std::size_t>(shape.types()), 0);
  for (std::int64_t n = 0; n < shape.nodes; n += shape.group_size(NodeId{n})) {
    const int type = shape.type_of(NodeId{n});
    if (!has_type(job.types, type)) continue;
    const int here = replicas_on(shape, NodeId{n}, job);
    widest = std::max(widest, shape.gpus_on(NodeId{n}));
    on_one = std::max(on_one, here);
    of_type[static_cast<std::size_t>(type)] += here * shape.group_size(NodeId{n});
  }
  const int wanted = std::max(1, job.gang);
  return wanted <= widest ? on_one >= wanted : std::ranges::max(of_type) >= wanted;
}

}  // namespace

std::string fits_no_node(const Cluster& cluster, const JobView& job) {
  if (!job.host.any() || has_nodes_for(cluster.shape(), job)) return "";
  const HostNeed& need = job.host;
  return fmt::format("needs {:g} cores and {} for {} GPUs, which no node that it may use has",
                     static_cast<double>(need.milli_cores) / 1000.0,
                     format_bytes(Bytes{static_cast<double>(need.memory)}), job.gang);
}

bool has_memory(const ModelFacts& model, Bytes gpu_memory) {
  return limits_within(model, gpu_memory).per_gpu_max >= model.per_gpu_batch_min;
}

GpuTypes types_for(const ClusterShape& shape, const JobView& job, bool relaxed) {
  const auto allows = relaxed ? could_run_on : is_allowed;
  if (shape.types() == 1) return allows(job, shape.gpu_type) ? kAllTypes : 0;
  GpuTypes types = 0;
  for (int type = 0; type < shape.types(); ++type) {
    const bool fits = has_memory(job.model, shape.memory_of_type(type));
    if (fits && allows(job, shape.type_name(type))) types |= only_type(type);
  }
  return types;
}

std::string fits_no_type(const Cluster& cluster, const JobView& job) {
  const ClusterShape& shape = cluster.shape();
  if (job.types == 0) return why_no_type(shape, job);
  if (shape.types() == 1) return "";
  std::vector<std::string> left;
  for (int type = 0; type < shape.types(); ++type) {
    if (!has_type(job.types, type)) continue;
    if (cluster.gpus_left(type) >= job.gang) return "";
    left.push_back(fmt::format("{} of type {}", cluster.gpus_left(type), shape.type_name(type)));
  }
  return fmt::format("asks for {} GPUs of one type, but the cluster has {}", job.gang,
                     fmt::join(left, ", "));
}

}  // namespace mimus::scheduler
