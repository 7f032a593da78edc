// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "base/log.hpp"
#include "emulator/cli/text/one_of.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/workload/workload_job_list.hpp"
#include "workloads/traces/native/native_csv_writer.hpp"

namespace mimus::emulator::cli {
namespace {

using workloads::Job;
using workloads::JobStream;
using workloads::Workload;

/// Writes to stdout, or to a file that gets its final name when it is complete.
class Target {
 public:
  explicit Target(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
    if (path_.empty()) return;
    file_.open(part_, std::ios::binary | std::ios::trunc);
    check();
  }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  ~Target() {
    std::error_code ignored;
    if (!path_.empty() && !complete_) std::filesystem::remove(part_, ignored);
  }

  void write(std::string_view text) {
    if (path_.empty()) return print(text);
    file_.write(text.data(), static_cast<std::streamsize>(text.size()));
    check();
  }

  void finish() {
    if (path_.empty()) return;
    file_.close();
    check();
    std::error_code error;
    std::filesystem::rename(part_, path_, error);
    if (error) throw IoError(path_, "cannot be written: " + error.message());
    complete_ = true;
  }

 private:
  void check() const {
    if (!file_) throw IoError(path_, std::string("cannot be written: ") + std::strerror(errno));
  }

  std::string path_, part_;
  std::ofstream file_;
  bool complete_ = false;
};

/// Number of jobs that are converted to text at a time.
constexpr std::size_t kBlock = 10'000;

/// The rows of a block. The first block also contains the header.
std::string csv_text(const Workload& block, bool with_header) {
  std::ostringstream out;
  workloads::write_csv(block, out);
  std::string text = std::move(out).str();
  if (!with_header) text.erase(0, text.find('\n') + 1);
  return text;
}

std::int64_t write_as_csv(JobStream& jobs, Target& target) {
  std::int64_t written = 0;
  Workload block;
  bool more = true;
  while (more) {
    block.jobs.clear();
    while (more && block.jobs.size() < kBlock) {
      auto job = jobs.next();
      more = job.has_value();
      if (more) block.jobs.push_back(std::move(*job));
    }
    if (written == 0 || !block.jobs.empty()) target.write(csv_text(block, written == 0));
    written += static_cast<std::int64_t>(block.jobs.size());
  }
  return written;
}

std::int64_t write_as_list(JobStream& jobs, Target& target, const std::string& from) {
  const Workload workload = workloads::drain(jobs);
  target.write(job_list_yaml(workload, from));
  for (const std::string& loss : job_list_losses(workload)) log::warn("{}", loss);
  return static_cast<std::int64_t>(workload.jobs.size());
}

void write_provenance(const JobStream& jobs, const std::string& path, std::int64_t written,
                      const std::string& from) {
  const std::string version = program_text();
  const nlohmann::ordered_json document{{"file", std::filesystem::path(path).filename().string()},
                                        {"format", "csv"},
                                        {"jobs", written},
                                        {"from", from},
                                        {"source", jobs.source()},
                                        {"source_hash", jobs.source_hash()},
                                        {"notes", jobs.notes()},
                                        {"program", version.substr(0, version.find('\n'))}};
  Target sidecar(path + ".provenance.json");
  sidecar.write(json_text(document, 2) + "\n");
  sidecar.finish();
}

}  // namespace

void add_output_options(CLI::App& verb, OutputArguments& arguments) {
  verb.add_option("-o,--output", arguments.path, "file to write; stdout if not given")
      ->option_text("FILE")
      ->group("Output");
  verb.add_option("--to", arguments.to,
                  "csv, the native table (default), or jobs, a list in YAML to name as base:")
      ->option_text("FORMAT")
      ->check(one_of({"csv", "jobs"}))
      ->group("Output");
}

void write_workload(JobStream& jobs, const OutputArguments& arguments, const std::string& from) {
  Target target(arguments.path);
  const bool as_csv = arguments.to == "csv";
  const std::int64_t written =
      as_csv ? write_as_csv(jobs, target) : write_as_list(jobs, target, from);
  target.finish();
  for (const std::string& note : jobs.notes()) log::info("{}", note);
  if (as_csv && !arguments.path.empty()) write_provenance(jobs, arguments.path, written, from);
  log::info("{} jobs written{}", written,
            arguments.path.empty() ? std::string() : " to " + arguments.path);
}

}  // namespace mimus::emulator::cli
