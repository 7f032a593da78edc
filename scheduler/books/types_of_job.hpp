// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// Whether a GPU has the memory for the model with its smallest batch (zero: not stated).
[[nodiscard]] bool has_memory(const ModelFacts& model, Bytes gpu_memory);

/// JobView::types of an arriving job: what its user allows of the cluster's types, without those
/// that lack memory for it. None if no type is left. `relaxed`: its user's types are but a wish,
/// and all on which its speed is stated, if any is, are allowed.
[[nodiscard]] GpuTypes types_for(const ClusterShape& shape, const JobView& job,
                                 bool relaxed = false);

/// Why none of the cluster's types can ever take the job's gang, or "" if one can.
[[nodiscard]] std::string fits_no_type(const Cluster& cluster, const JobView& job);

/// Why none of the nodes can ever take the cores and memory that the job asks for, with as much of
/// its gang as a node takes, or "" if some can.
[[nodiscard]] std::string fits_no_node(const Cluster& cluster, const JobView& job);

}  // namespace mimus::scheduler
