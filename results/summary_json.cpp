// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "results/summary.hpp"
#include "results/summary_known.hpp"

namespace mimus::results {

namespace {

using nlohmann::ordered_json;

ordered_json known(bool exists, double value) {
  return exists ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json known(const std::optional<double>& value) {
  return known(value.has_value(), value.value_or(0.0));
}

ordered_json cell_json(const CellSummary& cell) {
  const bool any_finished = cell.finished > 0;
  const bool any_job = cell.jobs > 0;
  const bool job_percentiles = any_job && cell.percentiles_known;
  const bool any_sample = knows_samples(cell);
  const bool any_pair = cell.slowdown_mean > 0;
  ordered_json json;
  json["cell"] = cell.cell;
  json["label"] = cell.label;
  json["repetition"] = cell.repetition;
  json["engine"] = cell.engine;
  json["status"] = cell.status;
  json["status_reason"] = cell.status_reason;
  json["path"] = cell.path;
  json["measured"] = cell.measured.empty() ? "all" : cell.measured;
  json["jobs"] = cell.jobs;
  json["jobs_finished"] = cell.finished;
  json["jobs_failed"] = cell.failed;
  json["jobs_rejected"] = cell.rejected;
  json["jobs_unfinished"] = cell.unfinished;
  json["preemptions"] = cell.preemptions;
  json["jct_mean_s"] = known(any_finished, cell.jct_mean);
  json["jct_p50_s"] = known(any_finished && cell.percentiles_known, cell.jct_p50);
  json["jct_p90_s"] = known(any_finished && cell.percentiles_known, cell.jct_p90);
  json["jct_p99_s"] = known(any_finished && cell.percentiles_known, cell.jct_p99);
  json["queueing_mean_s"] = known(any_job, cell.queueing_mean);
  json["queueing_p50_s"] = known(job_percentiles, cell.queueing_p50);
  json["queueing_p90_s"] = known(job_percentiles, cell.queueing_p90);
  json["queueing_p99_s"] = known(job_percentiles, cell.queueing_p99);
  json["queueing_by_cause_mean_s"] = ordered_json::object();
  for (const auto& [cause, seconds] : cell.queueing_by_cause) {
    json["queueing_by_cause_mean_s"][cause] = seconds;
  }
  json["makespan_s"] = known(any_job, cell.makespan);
  json["drain_s"] = known(cell.drain);
  json["last_end_s"] = known(any_job, cell.last_end);
  json["gpu_allocated_fraction"] = known(any_job, cell.gpu_allocated);
  json["gpu_allocated_until_last_arrival_fraction"] = known(cell.gpu_allocated_arriving);
  json["gpu_busy_fraction"] = known(knows_busy(cell), cell.gpu_busy);
  json["throughput_samples_per_s"] = known(any_sample, cell.throughput);
  json["efficiency_fraction"] = known(any_sample, cell.efficiency);
  json["goodput_samples_per_s"] = known(any_sample, cell.goodput);
  json["goodput_normalised"] = known(knows_useful_time(cell), cell.goodput_normalised);
  json["slowdown_mean"] = known(any_pair, cell.slowdown_mean);
  json["slowdown_worst"] = known(any_pair, cell.slowdown_worst);
  json["slowdown_worst_pair"] =
      any_pair ? ordered_json(cell.slowdown_worst_pair) : ordered_json(nullptr);
  json["pace_error_median_fraction"] = known(knows_pace(cell), cell.pace_error_median);
  json["late_share_fraction"] = known(knows_pace(cell), cell.late_share);
  json["gpus_lost"] = cell.gpus_lost;
  return json;
}

}  // namespace

std::string to_json(const std::vector<CellSummary>& cells) {
  ordered_json document;
  document["format"] = "mimus-summary";
  document["format_version"] = 1;
  document["cells"] = ordered_json::array();
  for (const auto& cell : cells) document["cells"].push_back(cell_json(cell));
  return json_text(document, 2);
}

}  // namespace mimus::results
