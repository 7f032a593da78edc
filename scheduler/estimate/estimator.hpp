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

/// So many GPUs of a type on so many nodes, whichever they are.
struct GpuSpread {
  int nodes = 1;
  int gpus = 1;
  int type = kOnlyType;
};

/// Samples/s with a batch, where it is believed to run at all.
using StepRate = std::function<std::optional<double>(const BatchPlan& batch)>;

/// What do we believe about a job? Each question may go unanswered.
class Estimator {
 public:
  virtual ~Estimator() = default;
  /// Where the beliefs come from, e.g. "none" or "profile(roofline)"; goes into the results.
  [[nodiscard]] virtual std::string name() const = 0;
  /// True when the choice asks an oracle for the truth about jobs; goes into the results.
  [[nodiscard]] virtual bool asks_oracle() const { return false; }
  /// False when run times are believed as users state them, and not at all where they state none.
  [[nodiscard]] virtual bool finds_run_times() const { return false; }
  /// False when a source of beliefs that this choice needs was not handed in.
  [[nodiscard]] virtual bool ready() const { return true; }
  /// Whole run time on the gang the user asked for, alone; asked once, when the job arrives.
  [[nodiscard]] virtual std::optional<Duration> run_time(const JobView& arriving) const;
  /// False when nothing is believed of how much jobs use of their GPUs.
  [[nodiscard]] virtual bool finds_utilisation() const { return false; }
  /// Share of the time in which a replica keeps its GPU busy when it is alone there, 0..1; asked
  /// once, when the job arrives.
  [[nodiscard]] virtual std::optional<double> utilisation(const JobView& arriving) const;
  /// Memory of a replica, where that is not believed as its model's owner states it; asked once,
  /// when the job arrives.
  [[nodiscard]] virtual std::optional<ReplicaMemory> memory(const JobView& arriving) const;
  /// The cluster whose jobs will be asked about; once, before anything else.
  virtual void begin(const ClusterShape& shape);
  /// How often a job's agent is to measure; Duration::max() when the choice learns nothing from
  /// running jobs: observe() is not called then.
  [[nodiscard]] virtual Duration sample_interval() const { return Duration::max(); }
  [[nodiscard]] bool wants_samples() const { return sample_interval() != Duration::max(); }
  /// A running job has reported what it measured; `job` holds what it reported with it.
  virtual void observe(const JobView& job, const JobSample& sample);
  /// A job has finished; its view is as it was just before it left.
  virtual void learn(const JobView& finished, Instant now);
  /// A job has left the system, finished or not, and will not be asked about any more.
  virtual void left(const JobView& job);
  /// Samples/s of the job on an allocation without co-tenants.
  [[nodiscard]] virtual std::optional<double> throughput(const JobView& job,
                                                         const Allocation& allocation,
                                                         const BatchPlan& batch) const = 0;
  /// Samples/s of the job on any GPUs of that number and spread without co-tenants, also on more
  /// than most_gpus(); empty when nothing is believed. Valid until something is observed. Where the
  /// nodes are too few for the GPUs, those on more nodes may be meant.
  [[nodiscard]] virtual StepRate rate_on(const JobView& job, GpuSpread spread) const;
  /// GPUs of a type that the job may be given by what is believed of it.
  [[nodiscard]] virtual int most_gpus(const JobView& job, int type) const;
  /// On more nodes than these a gang of so many GPUs is believed to be as fast as on these.
  [[nodiscard]] virtual int nodes_told_apart() const { return std::numeric_limits<int>::max(); }
  /// Gradient noise scale φ now [samples].
  [[nodiscard]] virtual std::optional<double> noise_scale(const JobView& job) const = 0;
  /// How the job's training loss goes on; null when nothing is believed. Valid until something is
  /// observed.
  [[nodiscard]] virtual const LossBelief* loss(const JobView& job) const;
  /// Samples at M₀ from now to the end of the job; nothing where the run time has to tell.
  [[nodiscard]] virtual std::optional<double> samples_left(const JobView& job) const;

 protected:
  [[nodiscard]] const ClusterShape& shape() const { return shape_; }

 private:
  ClusterShape shape_;
};

/// `inputs` are captured by the choices that need them.
[[nodiscard]] Registry<Estimator> estimate_choices(const PolicyInputs& inputs);

}  // namespace mimus::scheduler
