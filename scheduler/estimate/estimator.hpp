// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "base/registry.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/estimate/oracle.hpp"
#include "scheduler/estimate/throughput_estimate.hpp"
#include "scheduler/fit/loss_model.hpp"
#include "scheduler/jobs/job_sample.hpp"

namespace mimus::scheduler {

/// A number of GPUs of a type on a number of nodes, whichever they are.
struct GpuSpread {
  int nodes = 1;
  int gpus = 1;
  int type = kOnlyType;
};

/// Samples/s with a batch, if it is expected to run at all.
using StepRate = std::function<std::optional<double>(const BatchPlan& batch)>;

/// What a policy believes about jobs. Each function may return nothing.
class Estimator {
 public:
  virtual ~Estimator() = default;
  /// Source of the estimates, e.g. "none" or "profile(roofline)"; recorded in the results.
  [[nodiscard]] virtual std::string name() const = 0;
  /// True if the choice asks an oracle for the truth about jobs; recorded in the results.
  [[nodiscard]] virtual bool asks_oracle() const { return false; }
  /// False if run times are those that users state, and unknown without a statement.
  [[nodiscard]] virtual bool finds_run_times() const { return false; }
  /// False if a source that this choice needs is missing.
  [[nodiscard]] virtual bool ready() const { return true; }
  /// Whole run time on the requested gang, alone; called once, when the job arrives.
  [[nodiscard]] virtual std::optional<Duration> run_time(const JobView& arriving) const;
  /// False if there is no estimate of how much jobs use of their GPUs.
  [[nodiscard]] virtual bool finds_utilisation() const { return false; }
  /// Share of the time in which a replica alone keeps its GPU busy, 0..1; called once, when the job
  /// arrives.
  [[nodiscard]] virtual std::optional<double> utilisation(const JobView& arriving) const;
  /// Memory of a replica, if the estimate differs from the statement of the model's owner; called
  /// once, when the job arrives.
  [[nodiscard]] virtual std::optional<ReplicaMemory> memory(const JobView& arriving) const;
  /// The cluster of the jobs; called once, before anything else.
  virtual void begin(const ClusterShape& shape);
  /// How often a job's agent measures; Duration::max() if the choice learns nothing from running
  /// jobs: observe() is then not called.
  [[nodiscard]] virtual Duration sample_interval() const { return Duration::max(); }
  [[nodiscard]] bool wants_samples() const { return sample_interval() != Duration::max(); }
  /// A running job has reported what it measured; `job` contains the rest of its report.
  virtual void observe(const JobView& job, const JobSample& sample);
  /// A job has finished; its view is as it was just before it left.
  virtual void learn(const JobView& finished, Instant now);
  /// A job has left the system, finished or not. There will be no more calls about it.
  virtual void left(const JobView& job);
  /// Samples/s of the job on an allocation without co-tenants.
  [[nodiscard]] virtual std::optional<double> throughput(const JobView& job,
                                                         const Allocation& allocation,
                                                         const BatchPlan& batch) const = 0;
  /// Samples/s of the job on any GPUs of this number and spread without co-tenants, also on more
  /// than most_gpus(); empty without an estimate. Valid until something is observed. If the nodes
  /// are too few for the GPUs, more nodes may be meant.
  [[nodiscard]] virtual StepRate rate_on(const JobView& job, GpuSpread spread) const;
  /// Maximum number of GPUs of a type that the estimate allows for the job.
  [[nodiscard]] virtual int most_gpus(const JobView& job, int type) const;
  /// Number of nodes beyond which a gang of this many GPUs has the same estimate.
  [[nodiscard]] virtual int nodes_told_apart() const { return std::numeric_limits<int>::max(); }
  /// Gradient noise scale φ now [samples].
  [[nodiscard]] virtual std::optional<double> noise_scale(const JobView& job) const = 0;
  /// The future course of the job's training loss; null without an estimate. Valid until something
  /// is observed.
  [[nodiscard]] virtual const LossBelief* loss(const JobView& job) const;
  /// Samples at M₀ from now to the end of the job; nothing if only the run time is known.
  [[nodiscard]] virtual std::optional<double> samples_left(const JobView& job) const;

 protected:
  [[nodiscard]] const ClusterShape& shape() const { return shape_; }

 private:
  ClusterShape shape_;
};

/// `inputs` are captured by the choices that need them.
[[nodiscard]] Registry<Estimator> estimate_choices(const PolicyInputs& inputs);

}  // namespace mimus::scheduler
