// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/registry.hpp"
#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// Table of sources: `poisson`, `pollux`, `jobs`. A campaign's `workload:` mapping names one as
/// `source:`; see docs/workloads.md.
[[nodiscard]] const Registry<WorkloadSource>& workload_sources();

/// Builds from a `workload:` mapping: `source:` names the choice, its parameters stand beside it.
/// Throws ConfigError. `node` need not outlive the source.
[[nodiscard]] std::unique_ptr<WorkloadSource> make_workload_source(const ConfigNode& node,
                                                                   const std::string& path);

}  // namespace mimus::workloads
