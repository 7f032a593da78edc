// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/pai_like_settings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "workloads/jobs/estimate_error.hpp"

// Alibaba PAI, July and August 2020 (Weng et al., NSDI'22). [paper]: stated there. [summary]: in
// AcmeTrace's summary of production clusters, over 1,037,085 GPU jobs of PAI. [assumed]: ours.
namespace mimus::workloads {
namespace {

/// [paper] 85 % of the instances are scheduled as gangs, and 20 % belong to gangs of more than 100
/// GPUs. [assumed] Instances spread evenly over the sizes 2 to 64 (65 %), 12 % in gangs of 128 and
/// 8 % of 256, whole GPUs in gangs of several. A size's share of the jobs is its share of the
/// instances over the size: 0.15 for 1, 0.65/6/2 for 2, ..., in thousandths of their sum 0.2577.
const GangDefaults kGangs{{1, 582},   {2, 210},   {4, 105},    {8, 52.5},  {16, 26.3},
                          {32, 13.1}, {64, 6.57}, {128, 3.64}, {256, 1.21}};

/// [paper] Requests per instance: median 0.5 GPU, 95th percentile 1. [summary] Mean 0.683 GPU.
/// [assumed] These three values; their mean is 0.675.
const std::vector<WeightedShare> kGpuShares{{0.25, 0.20}, {0.5, 0.35}, {1.0, 0.45}};

/// [summary] Median 480.7 s, mean 4,787 s, longest 626,371 s.
constexpr Duration kMedian = std::chrono::milliseconds(480'667);
constexpr Duration kMean = std::chrono::seconds(4787);
constexpr Duration kLongest = std::chrono::seconds(626'371);

/// [paper] 65 % of the tasks run at least five times. [assumed] Twenty times on average, with which
/// nearly all groups come to five.
constexpr double kRecurring = 0.65;
constexpr std::int64_t kRuns = 20;
/// [paper] Predictions from such history are less than 25 % off for 78 % of the instances. A normal
/// logarithm of sigma 0.2 lies between ln 0.75 and ln 1.25 with probability 0.79.
constexpr double kGroupSpread = 0.2;

/// [paper] More than 1,300 users, of which 5 % submit 77 % of the instances. [assumed] The same of
/// jobs, after Zipf's law.
constexpr std::int64_t kUsers = 1300;
constexpr double kTopUsers = 0.77;

std::vector<WeightedShare> read_gpu_shares(YamlReader& reader) {
  if (!reader.has("gpu_shares")) return kGpuShares;
  std::vector<WeightedShare> shares;
  YamlReader weights = reader.map("gpu_shares");
  for (const auto& [text, node] : weights.mapping().members) {
    const auto share = parse_number(text);
    if (!share || *share <= 0.0 || *share > 1.0) {
      weights.fail(text, "a share of a GPU is a number above 0 and at most 1");
    }
    shares.push_back({*share, weights.get<double>(text, {.min = 0.0, .max = 1e9})});
  }
  refuse_all_zero(reader, "gpu_shares", shares);
  std::sort(shares.begin(), shares.end(),
            [](const auto& a, const auto& b) { return a.share < b.share; });
  return shares;
}

RunTimeLaw read_law(YamlReader& reader) {
  try {
    return RunTimeLaw::fitted(reader.get_or<Duration>("median_run_time", kMedian, kMedianRunTime),
                              reader.get_or<Duration>("mean_run_time", kMean, kPositive),
                              reader.get_or<Duration>("max_run_time", kLongest, kPositive));
  } catch (const UsageError& error) {
    reader.fail(reader.has("mean_run_time") ? "mean_run_time" : "median_run_time", error.what());
  }
}

}  // namespace

PaiLikeSettings read_pai_like_settings(YamlReader& reader) {
  PaiLikeSettings settings;
  settings.name = "pai-like";
  settings.jobs = reader.get<std::int64_t>("jobs", kGeneratedJobs);
  settings.rate = read_arrival_rate(reader);
  const bool weekly = reader.choice_or("arrivals", {"diurnal", "poisson"}, "diurnal") == "diurnal";
  if (weekly) settings.week = read_week_shape(reader);
  settings.gangs = read_gang_mix(reader, kGangs);
  settings.gpu_shares = read_gpu_shares(reader);
  settings.run_times = read_law(reader);
  settings.recurring = reader.get_or<double>("recurring", kRecurring, kFraction);
  settings.runs = reader.get_or<std::int64_t>("runs_per_group", kRuns, {.min = 1.0, .max = 1e6});
  settings.group_spread =
      reader.get_or<double>("group_spread", kGroupSpread, {.min = 0.0, .max = 5.0});
  settings.users = reader.get_or<std::int64_t>("users", kUsers, {.min = 1.0, .max = 1e6});
  settings.top_users = reader.get_or<double>("top_users", kTopUsers, kFraction);
  settings.models = read_optional_models(reader);
  settings.estimate_error = reader.get_if<double>("estimate_error", kEstimateError);
  settings.hash =
      fmt::format("{:016x}", stable_hash("pai-like 1 " + canonical_text(reader.mapping())));
  return settings;
}

std::vector<ParameterInfo> pai_like_parameters() {
  std::vector<ParameterInfo> all{jobs_parameter()};
  const auto append = [&all](const std::vector<ParameterInfo>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  append(arrival_rate_parameters());
  append({{"arrivals", "text", "diurnal", "diurnal, poisson", "with or without a week's shape"}});
  append(week_shape_parameters());
  append({gang_parameter(kGangs),
          {"gpu_shares", "mapping", "{0.25: 0.2, 0.5: 0.35, 1: 0.45}", "weights >= 0",
           "share of its GPU that a gang of 1 asks for, to weight"},
          {"median_run_time", "duration", "480.667 s", ">= 1 s",
           "over all groups and jobs; no group takes less than 1 s on average"},
          {"mean_run_time", "duration", "4787 s", ">= median_run_time", "over all groups and jobs"},
          {"max_run_time", "duration", "626371 s", "> mean_run_time",
           "no group takes longer on average"},
          {"recurring", "fraction", "0.65", ">= 0 and <= 1",
           "share of jobs that are runs of a group; the others run once"},
          {"runs_per_group", "integer", "20", ">= 1", "mean number of runs of a group"},
          {"group_spread", "number", "0.2", ">= 0 and <= 5",
           "lognormal spread of the run times inside a group"},
          {"users", "integer", "1300", ">= 1", "number of users"},
          {"top_users", "fraction", "0.77", ">= 0 and <= 1",
           "share of jobs that the 5 % most active users submit"}});
  append(optional_model_parameters());
  append({optional_estimate_parameter()});
  return all;
}

}  // namespace mimus::workloads
