// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scheduler/scheduler.hpp"

namespace mimus::scheduler::test {

/// What really happens to a job; the scheduler does not see it.
struct Truth {
  Duration work{};             ///< time it must run in all
  int failing_attempts = 0;    ///< the first ones fail half way through what is left
  bool out_of_memory = false;  ///< those failures are out-of-memory ones
  double utilisation = 0.0;    ///< as its agent reports it
};

struct Outcome {
  std::vector<std::pair<Instant, Instant>> runs;  ///< half-open spans with an allocation
  Instant end = kNever;                           ///< finished or given up
  bool finished = false;
  bool given_up = false;
  int preemptions = 0;
};

/// An action in one line, to compare.
[[nodiscard]] std::string text_of(const Action& action);

/// A deterministic event loop around a Scheduler: carries out its actions in virtual time, keeps
/// its own books of who holds what, and notes every broken promise in `violations`.
class Driver {
 public:
  struct Costs {
    Duration start{};  ///< from the allocation to the first step
    Duration stop{};   ///< from the request to stop, or to suspend, to its end
    Duration resume{};
  };
  Driver(ClusterShape shape, Policy policy, Costs costs);

  void submit(const JobView& job, const Truth& truth);
  /// Its user cancels the job; it counts as given up.
  void cancel_at(JobId job, Instant when) { post(when, JobCancelled{job, "cancelled"}); }
  void node_down_at(NodeId node, Instant from, Instant until);
  /// Every running attempt reports φ this often; zero for never.
  void report_every(Duration interval) { report_interval_ = interval; }
  /// Compares the books after every n-th decision only; they cost the length of the queue.
  void check_books_every(int decisions) { check_every_ = decisions; }
  /// Called after every decision with what was decided on.
  using Watcher = std::function<void(std::span<const Event>, Instant, const Decision&)>;
  void watch(Watcher watcher) { watcher_ = std::move(watcher); }
  /// Runs until nothing is left to happen, or for `max_decisions`.
  void run(int max_decisions = 1'000'000);

  [[nodiscard]] const Outcome& outcome(int job) const { return outcomes_.at(JobId{job}); }
  [[nodiscard]] const JobView& submitted(JobId job) const { return submitted_.at(job); }
  [[nodiscard]] const std::map<JobId, Outcome>& outcomes() const { return outcomes_; }
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  /// One line per action, to compare two runs.
  [[nodiscard]] const std::vector<std::string>& log() const { return log_; }
  [[nodiscard]] Scheduler& scheduler() { return scheduler_; }
  [[nodiscard]] int decisions() const { return decisions_; }

 private:
  struct Attempt {
    JobId job;
    Allocation allocation;
    BatchPlan batch;
    Instant begin{};
    AttemptEnded end{};          ///< if nothing comes between
    Duration left{};             ///< until then, while it makes steps
    Duration trained{};          ///< in the stretches that have ended
    Instant steps_from{kNever};  ///< begin of the present stretch; kNever while suspended
    int stretch = 0;
    bool stopping = false;
    bool suspending = false;
    std::optional<ResizeAttempt> next{};  ///< when it is being resized
    [[nodiscard]] Duration trained_until(Instant now) const {
      return now > steps_from ? trained + (now - steps_from) : trained;
    }
  };
  struct Queued {
    Event event;
    AttemptId only_while_running;  ///< dropped when that attempt has ended
    int only_in_stretch = -1;      ///< dropped when another one has begun
  };

  void post(Instant when, Event event, AttemptId attempt = {}, int stretch = -1);
  [[nodiscard]] bool is_dropped(const Queued& queued) const;
  [[nodiscard]] std::vector<Event> take_due(Instant now);
  void ended(const AttemptEnded& event, Instant now);
  void carry_out(const Decision& decision, Instant now);
  void start(const StartAttempt& action, Instant now);
  void stop(const StopAttempt& action, Instant now);
  void resize(const ResizeAttempt& action, Instant now);
  void suspend(AttemptId id, Instant now);
  void resume(AttemptId id, Instant now);
  void suspended(AttemptId id, Instant now);
  void begin_stretch(AttemptId id, Instant now);
  void resized(const AttemptEnded& event, const Attempt& before, Instant now);
  void hold(const StartAttempt& action);
  void expect_type(GpuId gpu, GpuId first, const JobView& job);
  [[nodiscard]] JobSample measured(const Attempt& attempt, Instant until) const;
  void plan_end(AttemptId id);
  void report(AttemptId id);
  void check_books(Instant now);
  void expect(bool holds, const std::string& what);

  int max_tenants_;
  bool divides_;           ///< jobs occupy the shares of GPUs that they ask for
  bool takes_whole_gpus_;  ///< or all of them
  bool elastic_;           ///< gangs are the planner's
  Scheduler scheduler_;
  ClusterShape shape_;
  Costs costs_;
  Duration report_interval_{};
  std::multimap<Instant, Queued> events_;
  Instant wake_up_ = kNever;
  std::map<JobId, Truth> truths_;
  std::map<JobId, JobView> submitted_;
  std::map<JobId, Outcome> outcomes_;
  std::map<AttemptId, Attempt> running_;
  std::map<LaneId, AttemptId> lanes_;
  std::map<GpuId, MilliGpus> shares_;  ///< held of each GPU, where they are divided
  std::set<NodeId> down_;
  std::set<NodeId> off_;  ///< asleep or booting
  Watcher watcher_;
  std::vector<std::string> violations_;
  std::vector<std::string> log_;
  int decisions_ = 0;
  int check_every_ = 1;
};

}  // namespace mimus::scheduler::test
