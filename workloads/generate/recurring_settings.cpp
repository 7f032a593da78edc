// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/recurring_settings.hpp"

#include <set>

#include <fmt/format.h>

#include "base/mapping_fields.hpp"
#include "base/random.hpp"
#include "workloads/generate/model_mix.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus::workloads {
namespace {

using G = RecurringGroup;

constexpr double kMostGroups = 1e6;  ///< including copies, each of which takes some memory

template <class Value>
auto refuse_empty(const char* key, Value RecurringGroup::*member) {
  return [key, member](const YamlReader& reader, const G& group) {
    if ((group.*member).empty()) reader.fail(key, "must not be empty");
  };
}

void check_group_share(const YamlReader& reader, const G& group) {
  if (group.gpu_share == 1.0 || group.gang == 1) return;
  reader.fail(
      "gpu_share",
      fmt::format("a gang of {} cannot have parts of GPUs; only a gang of 1 can", group.gang));
}

void check_batch(YamlReader& reader, const G& group) {
  if (reader.has("batch") && !group.model) {
    reader.fail("batch", "needs \"model\": a run time alone has no batch");
  }
}

void check_jitter(const YamlReader& reader, const G& group) {
  if (group.jitter > group.period) reader.fail("jitter", "must not be longer than the period");
}

Field<G> gang_field() {
  return field("gang", &G::gang, between(1, 1e6), "GPUs of a job")
      .then([](YamlReader& reader, G& group) {
        group.gang_where = reader.has("gang") ? reader.node("gang").where : reader.mapping().where;
      });
}

Field<G> group_model_field() {
  const Param<std::optional<std::string>> name(
      "model", std::optional<std::string>{}, {},
      "model in the catalogue; without it jobs are run times alone");
  return {name.info(), [name](YamlReader& reader, G& group) {
            const auto given = name.read(reader);
            if (!given) return;
            group.model =
                ModelReference{*given, reader.node("model").where, reader.child_path("model")};
          }};
}

Fields<G> recurrence_fields() {
  return {required_field("tag", &G::tag, {}, "names the group").then(refuse_empty("tag", &G::tag)),
          required_field("period", &G::period, {{.min = kPositive.min, .max = 1e9}},
                         "time from one run to the next"),
          required_field("run_time", &G::run_time, kPositive, "mean run time on the gang"),
          field("run_time_sigma", &G::run_time_sigma, between(0, 5),
                "lognormal spread of the run time"),
          field("offset", &G::offset, between(0, 1e9), "when the first run is submitted"),
          field("jitter", &G::jitter, kNotNegative, "submissions are late by up to this")
              .then(check_jitter),
          field("copies", &G::copies, between(1, kMostGroups),
                "number of copies of the group, each with its own tag and offset")};
}

Fields<G> recurring_job_fields() {
  return {gang_field(),
          field("gpu_share", &G::gpu_share, {{.min = kPositive.min, .max = 1.0}},
                "share of its GPU, for a gang of 1")
              .then(check_group_share),
          group_model_field(),
          field("batch", &G::batch, batch_choices(), "total batch; needs model").then(check_batch),
          field("user", &G::user, "user who submits the jobs").then(refuse_empty("user", &G::user)),
          field("virtual_cluster", &G::virtual_cluster, "virtual cluster of the jobs")
              .then(refuse_empty("virtual_cluster", &G::virtual_cluster))};
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

}  // namespace

Fields<RecurringSettings> recurring_fields() {
  using R = RecurringSettings;
  return {
      jobs_field(),
      required_list("groups", &R::groups, all_of<G>({recurrence_fields(), recurring_job_fields()}),
                    "needs at least one group",
                    "tag, period, run_time (mean on the gang); optionally copies (each with "
                    "its own tag and offset), offset, jitter (up to this much late; 0 s), "
                    "run_time_sigma (0.2), gang, gpu_share, model, batch, user, "
                    "virtual_cluster"),
      optional_estimate_field<R>()};
}

void settle(YamlReader& reader, RecurringSettings& settings) {
  settings.name = "recurring";
  check_tags(reader, settings);
  settings.hash =
      fmt::format("{:016x}", stable_hash("recurring 1 " + canonical_text(reader.mapping())));
}

}  // namespace mimus::workloads
