// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/resources.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapping_fields.hpp"

namespace mimus::emulator {
namespace {

bool has_blank_or_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isspace(c) != 0 || std::iscntrl(c) != 0; });
}

void check_word(const YamlReader& reader, const std::string& key, const std::string& word) {
  if (word.empty()) reader.fail(key, "expected a name, got \"\"");
  if (has_blank_or_control(word)) {
    reader.fail(key, fmt::format("\"{}\" becomes part of a batch directive: no blanks", word));
  }
}

/// A word of a batch directive, or "" if the key is absent.
template <class S>
Field<S> word_field(const char* name, std::string S::*member, const char* summary) {
  Field<S> field = optional_field(name, member, {}, summary);
  return {field.info, [name, member, read = field.read](YamlReader& reader, S& settings) {
            read(reader, settings);
            if (reader.has(name)) check_word(reader, name, settings.*member);
          }};
}

Fields<SchedulerHost> scheduler_fields() {
  return {
      word_field("partition", &SchedulerHost::partition, "partition of that node"),
      word_field("constraint", &SchedulerHost::constraint, "features that this node must have")};
}

Fields<HostsOfType> type_fields() {
  using H = HostsOfType;
  return {word_field("gres", &H::gres, "name of the type in the batch system, as in gpu:NAME:4"),
          word_field("partition", &H::partition, "partition of these hosts, in place of the jobs'"),
          word_field("constraint", &H::constraint,
                     "features that these hosts must have, in place of the jobs'")};
}

void check_options(const YamlReader& reader, const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    if (option.starts_with("--") && !has_blank_or_control(option)) continue;
    reader.fail("options",
                fmt::format("\"{}\": expected an option of sbatch in its long form without "
                            "blanks, e.g. --mail-type=END",
                            option));
  }
}

Fields<Resources> size_fields() {
  using R = Resources;
  return {field("nodes", &R::nodes, between(1, 1e6), "hosts that the batch system provides"),
          optional_field(
              "ranks_per_node", &R::ranks_per_node, between(1, 1e5),
              "ranks on each host; checked against the number of ranks that the campaign needs"),
          optional_field("walltime", &R::walltime, kPositive,
                         "time limit of a job; compared with the estimate of each cell")};
}

Fields<Resources> directive_fields() {
  using R = Resources;
  return {word_field("partition", &R::partition, "partition (queue) of the jobs"),
          word_field("account", &R::account, "account that the jobs are charged to"),
          word_field("qos", &R::qos, "quality of service"),
          word_field("constraint", &R::constraint, "features that the nodes must have"),
          word_field("reservation", &R::reservation, "reservation to use"),
          optional_field("gpus_per_node", &R::gpus_per_node, between(1, 64),
                         "GPUs requested on every node"),
          field("cpus_per_task", &R::cpus_per_task, between(1, 4096),
                "cores per rank; virtual cells: number of cells at a time"),
          optional_field("memory_per_node", &R::memory_per_node, kPositive,
                         "memory requested on every node"),
          field("exclusive", &R::exclusive,
                "no other jobs on the nodes; by default for live cells only"),
          field("signal_before", &R::signal_before, between(1, 65535),
                "how long before its limit a job is asked to stop; it is then requeued")};
}

Fields<Resources> submission_fields() {
  using R = Resources;
  return {
      optional_field("launcher", &R::launcher, {"srun", "mpirun"},
                     "what starts the ranks; by default srun where Slurm has PMIx"),
      optional_field("array_tasks", &R::array_tasks, between(1, 1e6),
                     "submit --array: tasks that share the cells; by default one per cell, at "
                     "most 1000"),
      optional_field("array_at_once", &R::array_at_once, between(1, 1e6),
                     "array tasks that may run at one time"),
      optional_field("options", &R::options, {}, "further sbatch options").beyond("--NAME=VALUE"),
      mapping_field("scheduler", &R::scheduler, scheduler_fields(), "{partition, constraint}",
                    "heterogeneous job: the scheduling rank runs on a separate node"),
      named_mappings("gpu_types", &R::gpu_types, type_fields(), "a GPU type of cluster.groups",
                     "heterogeneous job: hosts of each group, one per emulated node, by their GPU "
                     "type")};
}

}  // namespace

const Fields<Resources>& resource_fields() {
  static const Fields<Resources> fields = [] {
    Fields<Resources> all;
    for (const auto& part : {size_fields(), directive_fields(), submission_fields()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return fields;
}

Resources read_resources(YamlReader& root) {
  if (!root.has("resources")) return {};
  YamlReader reader = root.map("resources");
  Resources out = read_fields(resource_fields(), reader);
  check_options(reader, out.options);
  reader.finish();
  return out;
}

}  // namespace mimus::emulator
