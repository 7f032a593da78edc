// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Whether a GPU has the memory for the model with its smallest batch (zero: not stated).
[[nodiscard]] bool has_memory(const ModelFacts& model, Bytes gpu_memory);

/// JobView::types of an arriving job: the cluster's types that its user allows, without those that
/// lack memory for it. None if no type is left. `relaxed`: the user's types are only a preference,
/// and all types with a stated speed are allowed, or all types if no speed is stated.
[[nodiscard]] GpuTypes types_for(const ClusterShape& shape, const JobView& job,
                                 bool relaxed = false);

/// The reason why none of the cluster's types can ever take the job's gang, or "" if one can.
[[nodiscard]] std::string fits_no_type(const Cluster& cluster, const JobView& job);

/// The reason why none of the nodes can ever take the cores and memory that the job requests, with
/// as much of its gang as fits on a node, or "" if some can.
[[nodiscard]] std::string fits_no_node(const Cluster& cluster, const JobView& job);

}  // namespace mimus::scheduler
