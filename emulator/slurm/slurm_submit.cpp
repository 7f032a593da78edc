// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/slurm/slurm_submit.hpp"

#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "emulator/slurm/slurm_command.hpp"

namespace mimus::emulator {
namespace {

namespace fs = std::filesystem;

constexpr Duration kSbatchTimeout = std::chrono::seconds{120};

/// The files that every script sources.
constexpr std::array kSourced{"env.sh", "lib.sh"};

void write_script(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw IoError(path.string(), "cannot be written; choose another folder with -o");
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec, fs::perm_options::add);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shell_word(word);
  return out;
}

std::string submit_one(const std::vector<std::string>& command) {
  const CommandResult said = run_slurm(command, kSbatchTimeout);
  if (said.exit_code != 0) {
    throw EnvironmentError(fmt::format("sbatch ended with exit code {}: {}(command: {})",
                                       said.exit_code, said.errors, joined(command)));
  }
  // sbatch prints "12345" or "12345;cluster"
  return said.output.substr(0, said.output.find_first_of(";\n"));
}

}  // namespace

std::vector<std::string> sbatch_command(const SlurmPlan& plan, std::size_t index,
                                        const std::string& before) {
  const SlurmJob& job = plan.jobs.at(index);
  std::vector<std::string> command{"sbatch", "--parsable"};
  if (!before.empty()) command.push_back("--dependency=afterany:" + before);
  command.push_back(plan.folder + "/" + job.script);
  command.insert(command.end(), job.arguments.begin(), job.arguments.end());
  return command;
}

std::string dry_run_text(const SlurmPlan& plan) {
  std::string out;
  for (const SlurmJob& job : plan.jobs) {
    out += fmt::format("### {}/{}\n{}\n", plan.folder, job.script, script_text(plan, job));
  }
  for (const char* name : kSourced) {
    out += fmt::format("### {}/{}: as shipped in slurm/\n", plan.folder, name);
  }
  out += "\n";
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    out += joined(sbatch_command(plan, i, i == 0 ? "" : "JOB")) + "\n";
  }
  return out;
}

void write_scripts(const SlurmPlan& plan) {
  create_folder(plan.folder);
  for (const char* name : kSourced) {
    write_script(fs::path(plan.folder) / name, shipped_script(name));
  }
  for (const SlurmJob& job : plan.jobs) {
    write_script(fs::path(plan.folder) / job.script, script_text(plan, job));
  }
}

std::vector<std::string> submit(const SlurmPlan& plan) {
  if (!has_program("sbatch")) {
    throw EnvironmentError(
        "there is no sbatch here: run this on a login node of the cluster (perhaps after \"module "
        "load slurm\"), or start a Slurm on this machine with slurm/local-cluster.sh up; --dry-run "
        "shows the scripts");
  }
  write_scripts(plan);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    ids.push_back(submit_one(sbatch_command(plan, i, ids.empty() ? "" : ids.back())));
  }
  return ids;
}

}  // namespace mimus::emulator
