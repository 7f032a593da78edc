// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/python/script_query.hpp"

#include <limits>

#include "scheduler/batch/batch_split.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double seconds_of(Instant instant) {
  return to_seconds(instant.time_since_epoch());
}

double known(Duration duration) {
  return duration == Duration::zero() ? kUnknown : to_seconds(duration);
}

double known(double value) {
  return value > 0.0 ? value : kUnknown;
}

bool makes_steps(const JobView& view) {
  return view.trains() && view.suspension == Suspension::none;
}

ScriptJobRow row_of(const PlanJob& job, Instant now) {
  const JobView& view = *job.view;
  const std::int64_t per_gpu = view.holds_gpus() ? view.batch.per_gpu : view.requested_per_gpu();
  return {.id = view.id.value(),
          .gang = view.requested_gang,
          .gang_min = view.fewest_gpus(),
          .gang_max = view.most_gpus(),
          .gpus = view.holds_gpus() ? view.gpus() : 0,
          .per_gpu_batch = view.batch.per_gpu,
          .accumulation = view.batch.accumulation,
          .requested_batch = view.requested_batch,
          .attempts = view.attempts,
          .failures = view.failures,
          .group = job.group,
          .opportunistic = view.opportunistic,
          .gpu_share = view.gpu_share,
          .arrival = seconds_of(view.arrival),
          .queued_since = seconds_of(view.queued_since),
          .first_start = view.first_start ? seconds_of(*view.first_start) : kUnknown,
          .user_estimate = known(view.user_estimate),
          .estimated_run_time = known(view.estimated_run_time),
          .deadline = view.deadline == kNever ? kUnknown : seconds_of(view.deadline),
          .cap = view.limits.cap,
          .memory_limit = view.limits.memory ? view.limits.memory->value : kUnknown,
          .memory = view.model.memory(per_gpu).value,
          .state_memory = view.model.base_memory.value,
          .active_since = makes_steps(view) ? seconds_of(view.active_since) : kUnknown,
          .service = to_seconds(view.service(now)),
          .samples_done = view.progress.samples_done,
          .noise_scale = known(view.progress.noise_scale),
          .throughput = known(view.progress.throughput),
          .target_loss = known(view.model.target_loss),
          .data_size = known(view.data.size.value),
          .data_rate = known(view.data.rate.value)};
}

ScriptGpuRow row_of(const GpuState& gpu, const PlanQuery& query) {
  return {.id = gpu.id.value(),
          .node = gpu.node.value(),
          .rack = query.cluster.shape().rack_of(gpu.node).value(),
          .job = gpu.tenants.empty() ? -1 : gpu.tenants.front().job.value(),
          .tenants = static_cast<std::int64_t>(gpu.tenants.size()),
          .usable = query.placer.usable(gpu.id)};
}

}  // namespace

std::optional<std::vector<int>> QueryTools::place(std::size_t job, int gpus) {
  const PlanJob& asked = query_.jobs[job];
  (void)query_.placer.ask_for(asked, gpus);
  const auto place = query_.placer.find();
  if (!place) return std::nullopt;
  query_.placer.book(asked.view->id, *place);
  std::vector<int> ids;
  ids.reserve(place->slots.size());
  for (const Slot& slot : place->slots) ids.push_back(static_cast<int>(slot.gpu.value()));
  return ids;
}

bool QueryTools::release(std::size_t job) {
  const JobView& view = *query_.jobs[job].view;
  if (!view.holds_gpus() || view.state == JobState::stopping) return false;
  if (!released_.insert(view.attempt).second) return false;
  query_.placer.release(view.attempt);
  return true;
}

bool QueryTools::give(std::size_t job, int gpus) {
  return handout_.give(query_.jobs[job], gpus) == Handout::Answer::given;
}

std::optional<double> QueryTools::throughput(std::size_t job, std::span<const int> gpus,
                                             const BatchPlan& batch) const {
  Allocation place;
  place.slots.reserve(gpus.size());
  for (const int gpu : gpus) {
    place.slots.push_back({GpuId{gpu}, query_.cluster.shape().lane_of(GpuId{gpu}, 0)});
  }
  return query_.estimate.throughput(*query_.jobs[job].view, place, batch);
}

std::optional<double> QueryTools::loss(std::size_t job, std::optional<double> samples) const {
  const JobView& view = *query_.jobs[job].view;
  const LossBelief* belief = query_.estimate.loss(view);
  if (belief == nullptr) return std::nullopt;
  return belief->model.at(samples.value_or(view.progress.samples_done));
}

std::optional<double> QueryTools::samples_left(std::size_t job) const {
  return query_.estimate.samples_left(*query_.jobs[job].view);
}

BatchPlan QueryTools::split(std::size_t job, int gpus) const {
  const JobView& view = *query_.jobs[job].view;
  return split_batch(view.requested_batch, gpus,
                     limits_within(view.model, query_.cluster.shape().gpu_memory));
}

ScriptView::ScriptView(const PlanQuery& query) : query_(query), tools_(query) {
  jobs_.reserve(query.jobs.size());
  for (const PlanJob& job : query.jobs) jobs_.push_back(row_of(job, query.now));
  gpus_.reserve(query.cluster.gpus().size());
  for (const GpuState& gpu : query.cluster.gpus()) gpus_.push_back(row_of(gpu, query));
}

ScriptQuery ScriptView::query() const {
  return {.now = seconds_of(query_.now),
          .jobs = query_.jobs,
          .job_rows = jobs_,
          .gpu_rows = gpus_,
          .gpu_type = query_.cluster.shape().gpu_type,
          .tools = tools_};
}

}  // namespace mimus::scheduler
