// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/cli/workload/workload_input.hpp"
#include "workloads/jobs/job_stream.hpp"

namespace mimus::emulator::cli {

/// Where and how a `mimus workload` verb writes jobs.
struct OutputArguments {
  std::string path = {};   ///< stdout when empty
  std::string to = "csv";  ///< csv, or jobs: a `jobs` list in YAML
};

void add_output_options(CLI::App& verb, OutputArguments& arguments);

/// Writes all jobs of `jobs`. A file gets its name only when it is complete. The origin of the jobs
/// is written into comments of a list, and for a CSV file, which has no comments, into
/// PATH.provenance.json. Logs what the target cannot hold. `from` describes the input.
void write_workload(workloads::JobStream& jobs, const OutputArguments& arguments,
                    const std::string& from);

}  // namespace mimus::emulator::cli
