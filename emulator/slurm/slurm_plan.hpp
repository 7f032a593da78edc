// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// The options of `mimus submit`.
struct SubmitOptions {
  std::string campaign_path;
  std::vector<std::string> settings;  ///< "PATH=VALUE", each for a --set
  std::string output_dir;
  std::string program;    ///< absolute path of the mimus that the jobs run
  bool array = false;     ///< one task per cell or share of the cells
  bool aggregate = true;  ///< a job that follows and merges the results
};

/// One batch job: a script of slurm/ with its own directives.
struct SlurmJob {
  std::string script;                   ///< name of the script in slurm/, e.g. "campaign.sbatch"
  std::vector<std::string> directives;  ///< words after #SBATCH
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> arguments;  ///< of the script
};

/// The jobs of a campaign in the order of submission: those that run the cells, then those that
/// follow.
struct SlurmPlan {
  std::string folder;  ///< where the scripts are written; logs go there too
  std::string headline;
  std::vector<SlurmJob> jobs;
};

/// How the ranks of a live world are distributed over hosts.
struct HostLayout {
  int ranks = 1;           ///< of the world
  int ranks_per_host = 1;  ///< of the fullest host: its workers, and the rank that schedules
  /// Of each host, in their order, where they differ; else empty.
  std::vector<int> by_host;
};

/// The ranks of an emulated node share memory and so stay on one host: emulated nodes are spread
/// evenly over hosts, in their order. Nodes of several kinds have different numbers of ranks, and
/// so have their hosts. If that is not possible, throws ConfigError at `resources.nodes`, or
/// UsageError if live cells have clusters of groups that differ.
[[nodiscard]] HostLayout host_layout(const Campaign& campaign);

/// Computes the jobs from the campaign's `resources:`. Throws ConfigError or UsageError.
[[nodiscard]] SlurmPlan plan_submission(const Campaign& campaign, const SubmitOptions& options);

/// The script of a job as written: the shipped text with its directives replaced by the job's
/// directives and environment.
[[nodiscard]] std::string script_text(const SlurmPlan& plan, const SlurmJob& job);

/// A shipped file of slurm/ as it is: "env.sh", "lib.sh", "campaign.sbatch", ...
[[nodiscard]] std::string shipped_script(const std::string& name);

/// `text` as one word of a POSIX shell.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace mimus::emulator
