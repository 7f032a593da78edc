// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/pai_like_settings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus {

using workloads::WeightedShare;

/// Read from `{share: weight}`, ascending by share.
template <>
struct Domain<std::vector<WeightedShare>> {
  [[nodiscard]] std::vector<WeightedShare> read(const ConfigNode& node,
                                                const std::string& path) const {
    YamlReader weights(node, path);
    std::vector<WeightedShare> shares;
    for (const auto& [text, weight] : node.members) {
      const auto share = parse_number(text);
      if (!share || *share <= 0.0 || *share > 1.0) {
        weights.fail(text, "a share is a number above 0 and at most 1");
      }
      shares.push_back({*share, weights.get<double>(text, workloads::kWeight)});
    }
    refuse_all_zero(weights, shares);
    std::sort(shares.begin(), shares.end(),
              [](const auto& a, const auto& b) { return a.share < b.share; });
    return shares;
  }
  [[nodiscard]] std::string text(const std::vector<WeightedShare>& shares) const {
    std::string text;
    for (const auto& [share, weight] : shares) {
      text += fmt::format("{}{}: {}", text.empty() ? "{" : ", ", share, weight);
    }
    return text + "}";
  }
  [[nodiscard]] ValueSpec spec() const { return workloads::weights_spec(); }
};

}  // namespace mimus

// Alibaba PAI, July and August 2020 (Weng et al., NSDI'22). [paper]: stated there. [summary]: in
// AcmeTrace's summary of production clusters, over 1,037,085 GPU jobs of PAI. [assumed]: ours.
namespace mimus::workloads {
namespace {

/// [paper] 85 % of the instances are scheduled as gangs, and 20 % belong to gangs of more than 100
/// GPUs. [assumed] Instances are spread evenly over the sizes 2 to 64 (65 %), with 12 % in gangs of
/// 128 and 8 % of 256. Gangs of several have whole GPUs. A size's share of the jobs is its share of
/// the instances divided by the size: 0.15 for 1, 0.65/6/2 for 2, ..., in thousandths of their sum
/// 0.2577.
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
/// nearly all groups reach five.
constexpr double kRecurring = 0.65;
constexpr std::int64_t kRuns = 20;
/// [paper] Predictions from such history are less than 25 % off for 78 % of the instances. A normal
/// logarithm with sigma 0.2 lies between ln 0.75 and ln 1.25 with probability 0.79.
constexpr double kGroupSpread = 0.2;

/// [paper] More than 1,300 users, of whom 5 % submit 77 % of the instances. [assumed] The same
/// holds for jobs, by Zipf's law.
constexpr std::int64_t kUsers = 1300;
constexpr double kTopUsers = 0.77;

using P = PaiLikeSettings;

Fields<P> request_fields() {
  return {
      gangs_field(&P::gangs, kGangs),
      field_or("gpu_shares", &P::gpu_shares, kGpuShares, {},
               "share of its GPU that a gang of 1 requests, to weight"),
      field("gpu_types", &P::gpu_types, kFraction,
            "GPU type to share of groups and jobs that may use that type only; the others may use "
            "any"),
      field("cores_per_gpu", &P::cores_per_gpu, between(0, 1e6),
            "cores of nodes that jobs ask for; of a part of a GPU the same part"),
      field("host_memory_per_gpu", &P::host_memory_per_gpu, kNotNegative,
            "memory of nodes, likewise"),
      field("host_shares", &P::host_shares, {},
            "share of its run time for which the cores of a group or job work, to weight"),
      field_or("median_run_time", &P::median, kMedian, kMedianRunTime,
               "over all groups and jobs; no group takes less than 1 s on average"),
      field_or("mean_run_time", &P::mean, kMean, kPositive, "over all groups and jobs")
          .beyond(">= median_run_time"),
      field_or("max_run_time", &P::longest, kLongest, kPositive, "no group takes longer on average")
          .beyond("> mean_run_time")};
}

Fields<P> group_fields() {
  return {field_or("recurring", &P::recurring, kRecurring, kFraction,
                   "share of jobs that are runs of a group; the others run once"),
          field_or("runs_per_group", &P::runs, kRuns, between(1, 1e6),
                   "mean number of runs of a group"),
          field_or("group_spread", &P::group_spread, kGroupSpread, between(0, 5),
                   "lognormal spread of the run times inside a group"),
          field_or("users", &P::users, kUsers, between(1, 1e6), "number of users"),
          field_or("top_users", &P::top_users, kTopUsers, kFraction,
                   "share of jobs that the 5 % most active users submit")};
}

}  // namespace

Fields<PaiLikeSettings> pai_like_fields() {
  return all_of<P>({{jobs_field()},
                    within(&P::rate, arrival_rate_fields()),
                    within(&P::arrivals, shaped_arrival_fields()),
                    request_fields(),
                    group_fields(),
                    within(&P::models, optional_model_fields()),
                    {optional_estimate_field<P>()}});
}

void settle(YamlReader& reader, PaiLikeSettings& settings) {
  settings.name = "pai-like";
  double named = 0.0;
  for (const auto& [type, share] : settings.gpu_types) named += share;
  if (named > 1.0 + 1e-9) reader.fail("gpu_types", "shares of jobs add up to more than 1");
  try {
    settings.run_times = RunTimeLaw::fitted(settings.median, settings.mean, settings.longest);
  } catch (const UsageError& error) {
    reader.fail(reader.has("mean_run_time") ? "mean_run_time" : "median_run_time", error.what());
  }
  settings.hash =
      fmt::format("{:016x}", stable_hash("pai-like 1 " + canonical_text(reader.mapping())));
}

}  // namespace mimus::workloads
