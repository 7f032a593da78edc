// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/scaled_stream.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "workloads/generate/arrival_clock.hpp"
#include "workloads/models/model_split.hpp"
#include "workloads/statistics/statistics_collector.hpp"

namespace mimus::workloads {
namespace {

constexpr int kLargestGang = 1'000'000;

std::string described(const ScaleSettings& settings) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (settings.arrivals != 1.0) add(fmt::format("arrival rate times {:.6g}", settings.arrivals));
  if (settings.run_times != 1.0) add(fmt::format("run times times {:.6g}", settings.run_times));
  if (settings.gangs != 1.0) add(fmt::format("gangs times {:.6g}", settings.gangs));
  if (settings.max_gang) add(fmt::format("gangs at most {}", *settings.max_gang));
  if (settings.repeat != 1) add(fmt::format("{} times in a row", settings.repeat));
  return text.empty() ? "unchanged" : text;
}

/// A gang of a split model consists of whole replicas.
int gpus_of_replica(const Job& job) {
  const auto split = parse_split_name(job.model);
  return split ? split->split.gpus() : 1;
}

double largest_within(int most, int replica, const Job& job) {
  if (most >= replica) return most / replica * replica;
  throw UsageError(
      fmt::format("a gang of at most {} cannot run job \"{}\": a replica of {} takes {}", most,
                  job.name, job.model, replica));
}

}  // namespace

ScaledStream::ScaledStream(OpenStream open, const ScaleSettings& settings,
                           const ModelCatalogue& models, RunTimes run_times)
    : DerivedStream(open(), described(settings)),
      open_(std::move(open)),
      settings_(settings),
      models_(models),
      run_times_(std::move(run_times)) {}

std::optional<Job> ScaledStream::derive() {
  auto job = origin().next();
  if (!job && jobs_ > 0 && ++repetition_ < settings_.repeat) {
    const Duration span = last_ - first_;
    const Duration gap = jobs_ > 1 ? span / (jobs_ - 1) : Duration{};
    shift_ += span + gap;
    jobs_ = 0;
    restart(open_());
    job = origin().next();
  }
  if (!job) return std::nullopt;
  last_ = job->arrival.time_since_epoch();
  if (jobs_++ == 0) first_ = last_;
  check_arrival(shift_);
  job->arrival += shift_;
  if (repetition_ > 0) job->name += fmt::format("-r{}", repetition_);
  scale_gang(*job);
  scale_times(*job);
  return job;
}

void ScaledStream::scale_gang(Job& job) const {
  const int before = job.gang;
  const int replica = gpus_of_replica(job);
  const int most = settings_.max_gang.value_or(kLargestGang);
  double gang = before;
  const bool has_slabs = !job.model.empty() && models_.at(job.model).grid.used();
  if (settings_.gangs != 1.0 && !has_slabs) {
    gang = std::max(1.0, std::round(gang * settings_.gangs / replica)) * replica;
  }
  if (gang > most) gang = largest_within(most, replica, job);
  job.gang = static_cast<int>(gang);
  if (job.gang == before) return;
  if (job.gang > 1) job.gpu_share = 1.0;
  if (job.model.empty()) {
    job.total_batch = job.gang;
    return;
  }
  const Model& model = models_.at(job.model);
  const double rate = run_times_.samples_per_second(model, before, job.total_batch);
  job.total_batch = std::max<std::int64_t>(job.total_batch, job.gang);
  job.work_samples *= run_times_.samples_per_second(model, job.gang, job.total_batch) / rate;
}

void ScaledStream::scale_times(Job& job) const {
  if (settings_.arrivals != 1.0) {
    job.arrival = Instant{scale(job.arrival.time_since_epoch(), 1.0 / settings_.arrivals)};
  }
  check_arrival(job.arrival.time_since_epoch());
  if (settings_.run_times == 1.0) return;
  const auto scaled = [&](Duration d) {
    return d == Duration{} ? d : std::max(scale(d, settings_.run_times), Duration{1});
  };
  job.run_time = scaled(job.run_time);
  job.user_estimate = scaled(job.user_estimate);
  job.deadline = scaled(job.deadline);
  job.work_samples *= settings_.run_times;
}

double arrivals_for_load(const OpenStream& open, ScaleSettings settings, double load, int gpus,
                         const ModelCatalogue& models, const RunTimes& run_times) {
  settings.arrivals = 1.0;
  ScaledStream stream(open, settings, models, run_times);
  const auto offered = statistics_of(stream, models, run_times).offered_load(gpus);
  if (offered && *offered > 0.0) return load / *offered;
  throw UsageError(
      "no arrival rate gives that load: all jobs arrive at once, or none has a run "
      "time");
}

}  // namespace mimus::workloads
