// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/recurring_settings.hpp"

#include <set>

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/generate/model_mix.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus::workloads {
namespace {

constexpr Limits kTime{.min = kPositive.min, .max = 1e9};
constexpr Limits kLater{.min = 0.0, .max = 1e9};
constexpr double kMostGroups = 1e6;  ///< copies included: each holds some memory

void read_request(YamlReader& reader, RecurringGroup& group) {
  group.gang = static_cast<int>(reader.get_or<std::int64_t>("gang", 1, {.min = 1.0, .max = 1e6}));
  group.gang_where = reader.has("gang") ? reader.node("gang").where : reader.mapping().where;
  group.gpu_share = reader.get_or<double>("gpu_share", 1.0, {.min = kPositive.min, .max = 1.0});
  if (group.gpu_share < 1.0 && group.gang > 1) {
    reader.fail("gpu_share", fmt::format("a gang of {} cannot have parts of GPUs; only gangs of 1 "
                                         "can",
                                         group.gang));
  }
  if (!reader.has("model")) return;
  group.model = ModelReference{reader.get<std::string>("model"), reader.node("model").where,
                               reader.child_path("model")};
  group.batch = read_batch_choice(reader);
}

RecurringGroup read_group(const ConfigNode& node, const std::string& path) {
  YamlReader reader(node, path);
  RecurringGroup group;
  group.tag = reader.get<std::string>("tag");
  if (group.tag.empty()) reader.fail("tag", "must not be empty");
  group.period = reader.get<Duration>("period", kTime);
  group.offset = reader.get_or<Duration>("offset", Duration{}, kLater);
  group.jitter = reader.get_or<Duration>("jitter", Duration{}, kNotNegative);
  if (group.jitter > group.period) reader.fail("jitter", "must not be longer than the period");
  group.copies = reader.get_or<std::int64_t>("copies", 1, {.min = 1.0, .max = kMostGroups});
  group.run_time = reader.get<Duration>("run_time", kPositive);
  group.run_time_sigma = reader.get_or<double>("run_time_sigma", 0.2, {.min = 0.0, .max = 5.0});
  read_request(reader, group);
  group.user = reader.get_or<std::string>("user", "user");
  group.virtual_cluster = reader.get_or<std::string>("virtual_cluster", "default");
  for (const char* key : {"user", "virtual_cluster"}) {
    if (reader.has(key) && reader.node(key).scalar.empty()) reader.fail(key, "must not be empty");
  }
  reader.finish();
  return group;
}

void check_tags(YamlReader& reader, const RecurringSettings& settings) {
  std::set<std::string> seen;
  double groups = 0.0;
  for (const RecurringGroup& group : settings.groups) {
    groups += static_cast<double>(group.copies);
    if (seen.insert(group.tag).second) continue;
    reader.fail("groups", fmt::format("two groups have the tag \"{}\"", group.tag));
  }
  if (groups > kMostGroups) {
    reader.fail("groups",
                fmt::format("{:.0f} with all copies; allowed are {:.0f}", groups, kMostGroups));
  }
}

std::vector<ParameterInfo> group_fields() {
  return {{"tag", "text", "", "", "names the group"},
          {"period", "duration", "", "> 0", "from one run to the next"},
          {"run_time", "duration", "", "> 0", "mean, on the gang"},
          {"run_time_sigma", "number", "0.2", ">= 0 and <= 5", "lognormal spread of the run time"},
          {"offset", "duration", "0 s", ">= 0", "when the first run is submitted"},
          {"jitter", "duration", "0 s", ">= 0", "submissions come up to this much late"},
          {"copies", "integer", "1", ">= 1 and <= 1000000",
           "so many groups, each with its own tag and offset"},
          {"gang", "integer", "1", ">= 1 and <= 1000000", "GPUs of a job"},
          {"gpu_share", "number", "1", "> 0 and <= 1", "of its GPU, for a gang of 1"},
          {"model", "text", "-", "", "in the catalogue; run times alone without it"},
          {"batch", "text", "reference", "reference, scaled", "total batch; needs model"},
          {"user", "text", "user", "", "who submits"},
          {"virtual_cluster", "text", "default", "", "where it is submitted"}};
}

}  // namespace

RecurringSettings read_recurring_settings(YamlReader& reader) {
  RecurringSettings settings;
  settings.name = "recurring";
  settings.jobs = reader.get<std::int64_t>("jobs", kGeneratedJobs);
  settings.estimate_error = reader.get_if<double>("estimate_error", kEstimateError);
  const auto& items = reader.sequence("groups");
  if (items.empty()) reader.fail("groups", "needs at least one group");
  for (std::size_t i = 0; i < items.size(); ++i) {
    settings.groups.push_back(
        read_group(items[i], fmt::format("{}[{}]", reader.child_path("groups"), i)));
  }
  check_tags(reader, settings);
  settings.hash =
      fmt::format("{:016x}", stable_hash("recurring 1 " + canonical_text(reader.mapping())));
  return settings;
}

std::vector<ParameterInfo> recurring_parameters() {
  return {jobs_parameter(),
          {"groups", "list of mappings", "", "at least one",
           "tag, period, run_time (mean on the gang); optionally copies (each with its own tag and "
           "offset), offset, jitter (up to this much late; 0 s), run_time_sigma (0.2), gang, "
           "gpu_share, model, batch, user, virtual_cluster",
           group_fields()},
          optional_estimate_parameter()};
}

}  // namespace mimus::workloads
