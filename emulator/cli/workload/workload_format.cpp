// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_format.hpp"

#include <algorithm>
#include <filesystem>
#include <ios>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "workloads/traces/input/input_file.hpp"
#include "workloads/traces/no_jobs_error.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr int kAnyGang = 1'000'000;

/// Whether the reader accepts the first line, even if it is the only one. Parsed traces are cached,
/// so the trace that fits is not read again.
bool accepts(const std::string& format, const std::string& path,
             const workloads::ModelCatalogue& models) {
  ConfigNode node = ConfigNode::mapping();
  node.members.emplace_back("source", ConfigNode::text(format));
  ConfigNode where = ConfigNode::text(path);
  where.quoted = true;
  node.members.emplace_back("path", std::move(where));
  try {
    (void)workloads::make_workload_source(node, "")->open({models, 0, kAnyGang});
    return true;
  } catch (const workloads::NoJobsError&) {
    return true;
  } catch (const ConfigError& error) {
    return error.where().file == path && error.where().line > 1;
  } catch (const Error&) {
    return false;
  } catch (const std::ios_base::failure&) {
    return false;  // a folder instead of a file
  }
}

}  // namespace

std::vector<std::string> trace_formats() {
  std::vector<std::string> formats;
  for (const auto& source : workloads::workload_sources().choices()) {
    const bool has_path = std::any_of(source.parameters.begin(), source.parameters.end(),
                                      [](const ParameterInfo& p) { return p.name == "path"; });
    if (has_path) formats.push_back(source.name);
  }
  return formats;
}

std::string guessed_format(const std::string& path) {
  const std::string expanded = workloads::expanded_path(path);
  if (!std::filesystem::is_directory(expanded)) (void)workloads::file_identity(expanded);
  const auto models = workloads::ModelCatalogue::built_in();
  const std::vector<std::string> all = trace_formats();
  std::vector<std::string> fitting;
  for (const std::string& format : all) {
    if (accepts(format, path, models)) fitting.push_back(format);
  }
  if (fitting.size() == 1) return fitting.front();
  if (fitting.empty()) {
    throw UsageError(
        fmt::format("\"{}\" has the header of no known trace; name its format with "
                    "--format: {}",
                    path, fmt::join(all, ", ")));
  }
  throw UsageError(fmt::format("\"{}\" can be read as {}; say which with --format", path,
                               fmt::join(fitting, " or ")));
}

}  // namespace mimus::emulator::cli
