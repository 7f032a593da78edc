// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/resources.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

constexpr Duration kSignalBefore = std::chrono::seconds{120};

bool has_blank_or_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isspace(c) != 0 || std::iscntrl(c) != 0; });
}

/// A word of a batch directive, "" when absent.
std::string read_word(YamlReader& reader, const char* key) {
  auto word = reader.get_or<std::string>(key, "");
  if (word.empty() && reader.has(key)) reader.fail(key, "expected a name, got \"\"");
  if (has_blank_or_control(word)) {
    reader.fail(key, fmt::format("\"{}\" becomes part of a batch directive: no blanks", word));
  }
  return word;
}

int read_count(YamlReader& reader, const char* key, int fallback, Limits limits) {
  return static_cast<int>(reader.get_or<std::int64_t>(key, fallback, limits));
}

std::vector<std::string> read_options(YamlReader& reader) {
  std::vector<std::string> options;
  if (!reader.has("options")) return options;
  for (const ConfigNode& item : reader.sequence("options")) {
    const std::string path = reader.child_path("options");
    auto option = read_scalar<std::string>(item, path);
    if (!option.starts_with("--") || has_blank_or_control(option)) {
      throw ConfigError(item.where, path,
                        fmt::format("\"{}\": expected an option of sbatch in its long form without "
                                    "blanks, e.g. --mail-type=END",
                                    option));
    }
    options.push_back(std::move(option));
  }
  return options;
}

std::optional<SchedulerHost> read_scheduler(YamlReader& reader) {
  if (!reader.has("scheduler")) return std::nullopt;
  YamlReader scheduler = reader.map("scheduler");
  SchedulerHost out{.partition = read_word(scheduler, "partition"),
                    .constraint = read_word(scheduler, "constraint")};
  scheduler.finish();
  return out;
}

void read_accounting(YamlReader& reader, Resources& out) {
  out.partition = read_word(reader, "partition");
  out.account = read_word(reader, "account");
  out.qos = read_word(reader, "qos");
  out.constraint = read_word(reader, "constraint");
  out.reservation = read_word(reader, "reservation");
  out.options = read_options(reader);
}

}  // namespace

Resources read_resources(YamlReader& root) {
  Resources out;
  out.signal_before = kSignalBefore;
  if (!root.has("resources")) return out;
  YamlReader reader = root.map("resources");
  out.nodes = read_count(reader, "nodes", 1, {.min = 1, .max = 1e6});
  out.ranks_per_node = read_count(reader, "ranks_per_node", 0, {.min = 1, .max = 1e5});
  out.walltime = reader.get_or<Duration>("walltime", Duration{}, kPositive);
  out.gpus_per_node = read_count(reader, "gpus_per_node", 0, {.min = 1, .max = 64});
  out.cpus_per_task = read_count(reader, "cpus_per_task", 1, {.min = 1, .max = 4096});
  out.memory_per_node = reader.get_or<Bytes>("memory_per_node", Bytes{}, kPositive);
  out.exclusive = reader.get_if<bool>("exclusive");
  out.signal_before =
      reader.get_or<Duration>("signal_before", kSignalBefore, {.min = 1, .max = 65535});
  out.launcher = reader.choice_or("launcher", {"srun", "mpirun"}, "");
  out.array_tasks = read_count(reader, "array_tasks", 0, {.min = 1, .max = 1e6});
  out.array_at_once = read_count(reader, "array_at_once", 0, {.min = 1, .max = 1e6});
  read_accounting(reader, out);
  out.scheduler = read_scheduler(reader);
  reader.finish();
  return out;
}

}  // namespace mimus::emulator
