// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/ones/ones.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <map>
#include <memory>
#include <numeric>

#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/ones/ones_rules.hpp"

namespace mimus::scheduler {
namespace {

constexpr int kMostTimesAsked = 4;
constexpr double kUnasked = -1.0;

/// In doubles throughout: many are drawn.
using Belief = boost::math::beta_distribution<
    double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

int held(const JobView& job) {
  return job.holds_gpus() && job.state != JobState::stopping ? job.gpus() : 0;
}

/// GPUs that it may ever have.
int most_gpus(const PlanQuery& query, const JobView& job) {
  if (job.rigid) return job.requested_gang;
  const std::int64_t by_batch = job.model.total_batch_max / job.model.per_gpu_batch_min;
  return static_cast<int>(std::min<std::int64_t>(
      {query.placer.usable_gpus(), std::int64_t{kMostTimesAsked} * job.requested_gang,
       std::max<std::int64_t>(by_batch, 1), job.most_gpus()}));
}

}  // namespace

/// Takes in what has happened since the last plan.
void Ones::follow(const PlanQuery& query) {
  constexpr std::size_t kMostEnded = 2000;
  std::unordered_map<JobId, Course> now;
  for (const PlanJob& job : query.jobs) {
    const JobView& view = *job.view;
    Course course = courses_[view.id];
    courses_.erase(view.id);
    if (course.size > 0) course.run += query.now - last_;
    if (view.epoch_samples > 0.0) course.epochs = view.progress.samples_done / view.epoch_samples;
    if (held(view) != course.size) course.epochs_at_change = course.epochs;
    course.size = held(view);
    course.genes.resize(generation_);
    now.emplace(view.id, std::move(course));
  }
  std::map<JobId, double> left;  // in an order that does not depend on the table
  for (const auto& [job, course] : courses_) left.emplace(job, to_seconds(course.run));
  for (const auto& [job, run] : left) ended_.push_back(run);
  while (ended_.size() > kMostEnded) ended_.pop_front();
  courses_ = std::move(now);
  last_ = query.now;
}

void Ones::raise_limits(const PlanQuery& query) {
  for (auto& [job, course] : courses_) {
    const bool settled = course.size > 0 && course.epochs_since() >= settings_.scale_epochs;
    if (settled && course.size >= course.limit) {
      course.limit = std::min(query.placer.usable_gpus(), 2 * course.limit);
    }
  }
}

void Ones::cut_the_largest_back(const PlanQuery& query) {
  Course* largest = nullptr;
  std::vector<double> run_times(ended_.begin(), ended_.end());
  for (const PlanJob& job : query.jobs) {
    Course& course = courses_.at(job.view->id);
    if (course.run > Duration::zero()) run_times.push_back(to_seconds(course.run));
    if (largest == nullptr || course.size > largest->size) largest = &course;
  }
  if (largest == nullptr || 2 * largest->size < query.placer.usable_gpus()) return;
  const double median = median_of(run_times);
  const double run = to_seconds(largest->run);
  const bool settled = largest->size > 1 && largest->epochs_since() >= settings_.scale_epochs;
  if (settled && median > 0.0 && run > median) {
    largest->limit = cut_back(largest->size, run, median);
  }
}

/// Draws its progress.
OnesJob Ones::seen(const PlanQuery& query, const JobView& job) {
  const Course& course = courses_.at(job.id);
  OnesJob out;
  out.most = most_gpus(query, job);
  out.least = job.fewest_gpus();
  out.limit = job.rigid ? out.most : std::min(std::max(course.limit, out.least), out.most);
  out.is_new = !job.first_start.has_value();
  out.mutates = course.epochs >= settings_.scale_epochs;
  out.remaining = [](int) { return 0.0; };
  const auto left = query.estimate.samples_left(job);
  if (!out.mutates || !left) return out;
  const Belief belief(course.epochs, *left / job.epoch_samples + 1.0);
  const double progress = std::max(boost::math::quantile(belief, random_.uniform()), 1e-6);
  const double samples = job.progress.samples_done;
  const int most = std::max(out.most, 1);  // asked for one, also while all nodes are down
  const auto memo =
      std::make_shared<std::vector<double>>(static_cast<std::size_t>(most + 1), kUnasked);
  out.remaining = [&query, &job, samples, progress, memo](int gpus) {
    double& known = memo->at(static_cast<std::size_t>(gpus));
    if (known != kUnasked) return known;
    const int per_node = query.cluster.shape().gpus_per_node;
    const StepRate rate = query.estimate.rate_on(job, {(gpus + per_node - 1) / per_node, gpus});
    const auto throughput = rate ? rate(job.batch) : std::nullopt;
    const bool told = throughput && *throughput > 0.0;
    known = told ? remaining_service(samples, progress, gpus, *throughput) : 0.0;
    return known;
  };
  return out;
}

Schedule Ones::evolve(const PlanQuery& query) {
  std::vector<OnesJob> jobs;
  jobs.reserve(query.jobs.size());
  for (const PlanJob& job : query.jobs) jobs.push_back(seen(query, *job.view));
  Evolution evolution(jobs, query.placer.usable_gpus(), random_);
  std::vector<Schedule> generation(generation_ + 1, Schedule(jobs.size()));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Course& course = courses_.at(query.jobs[i].view->id);
    generation[0][i] = course.size;  // what is comes first: it wins where nothing is better
    for (std::size_t k = 0; k < generation_; ++k) generation[k + 1][i] = course.genes[k];
  }
  generation = evolution.next(generation, static_cast<std::size_t>(settings_.population),
                              settings_.mutation);
  generation_ = generation.size();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    std::vector<int>& genes = courses_.at(query.jobs[i].view->id).genes;
    genes.clear();
    for (const Schedule& schedule : generation) genes.push_back(schedule[i]);
  }
  return generation.front();
}

Schedule Ones::allowed(const PlanQuery& query, const Schedule& best) {
  Schedule present(best.size());
  bool ready = true;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Course& course = courses_.at(query.jobs[i].view->id);
    present[i] = course.size;
    const bool changes = course.size > 0 && best[i] != course.size;
    ready = ready && (!changes || course.epochs_since() >= settings_.update_epochs);
  }
  if (ready) {
    for (std::size_t i = 0; i < best.size(); ++i) {  // who loses all its GPUs may have half
      Course& course = courses_.at(query.jobs[i].view->id);
      if (present[i] > 0 && best[i] == 0) course.limit = std::max(1, course.limit / 2);
    }
    return best;
  }
  int free = query.placer.usable_gpus() - std::accumulate(present.begin(), present.end(), 0);
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (present[i] > 0 || best[i] > free) continue;
    present[i] = best[i];
    free -= best[i];
  }
  return present;
}

Plan Ones::plan(const PlanQuery& query) {
  follow(query);
  raise_limits(query);
  cut_the_largest_back(query);
  const Schedule schedule = allowed(query, evolve(query));
  Handout handout(query);
  Plan plan;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const PlanJob& job = query.jobs[i];
    const int least = job.view->rigid ? schedule[i] : job.view->fewest_gpus();
    int gpus = schedule[i];  // or as many as its quota leaves
    while (gpus >= least && gpus > 0 && handout.give(job, gpus) != Handout::Answer::given) --gpus;
    if (gpus < least || gpus == 0) continue;
    const BatchLimits limits = limits_within(job.view->model, query.cluster.shape().gpu_memory);
    plan.targets.push_back({job.view->id, gpus, ones_batch(*job.view, gpus, limits)});
  }
  return plan;
}

}  // namespace mimus::scheduler
