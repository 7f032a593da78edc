// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "scheduler/containers/id_map.hpp"
#include "scheduler/planner/muri/job_groups.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// Jobs whose stages need different resources share GPUs and take turns on the resources. Groups
/// have up to four gangs of one size and are formed again whenever a job arrives or leaves
/// (JobGroups). Source: Muri (Zhao et al., SIGCOMM'22), Muri-S by remaining and Muri-L by attained
/// service. Deviations: jobs that continue keep their GPUs if possible instead of being placed
/// again, and groups must fit into the memory of a GPU.
class Muri final : public Planner {
 public:
  enum class By { srsf, las };
  struct Settings {
    By order = By::las;
    Duration round{};  ///< plans are made at its multiples; zero: at every arrival and end
    int residents = static_cast<int>(kMostInterleaved);
    bool profiles = false;  ///< measures the stages of jobs whose users do not state them
  };
  explicit Muri(Settings settings) : settings_(settings) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    const bool at_events = settings_.round == Duration{};
    return {.every = settings_.round, .arrivals = at_events, .ends = at_events, .failures = true};
  }
  [[nodiscard]] int residents() const override { return settings_.residents; }
  [[nodiscard]] bool names_gpus() const override { return true; }
  [[nodiscard]] Duration sample_interval() const override {
    return settings_.profiles ? kProfileInterval : Duration::max();
  }
  void observe(const JobView& job, const JobSample& sample) override;
  [[nodiscard]] bool asks_estimate() const override { return settings_.order == By::srsf; }

 private:
  static constexpr Duration kProfileInterval = std::chrono::seconds(30);
  /// Key of jobs with equal times: requested model, gang and batch.
  using Kind = std::tuple<std::string, int, std::int64_t>;
  [[nodiscard]] static Kind kind_of(const JobView& job) {
    return {job.model.name, job.requested_gang, job.requested_batch};
  }
  [[nodiscard]] std::optional<StageTimes> stages_of(const JobView& job) const;
  /// Estimated progress of a job. Reports of its own agent are too rare.
  struct Course {
    double trained = 0.0;   ///< time of steps in its view at the last update [s]
    double done = 0.0;      ///< of its run time alone [s]
    double slowdown = 1.0;  ///< in its group
  };
  void follow(const PlanQuery& query);
  [[nodiscard]] double key(const JobView& job, Instant now) const;
  [[nodiscard]] std::vector<const PlanJob*> ranked(const PlanQuery& query) const;
  [[nodiscard]] std::vector<JobGroup> groups(const PlanQuery& query,
                                             std::span<const PlanJob* const> ranked,
                                             std::span<const Contender> contenders) const;
  void note_slowdowns(const JobGroup& group, std::span<const PlanJob* const> ranked,
                      std::span<const Contender> contenders);

  Settings settings_;
  IdMap<JobId, Course> courses_;
  std::map<Kind, StageTimes> profiles_;
};

}  // namespace mimus::scheduler
