// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/progress_metrics.hpp"

#include <utility>

#include "results/metrics/metric_value.hpp"

namespace mimus::results {
namespace {

bool any_loss(const Observed& seen) {
  return seen.totals.total("lost_seconds") > 0;
}

/// Nothing if progress is recorded run time, because samples are then unknown.
Value of_samples(Value value) {
  return when([](const Observed& seen) { return seen.counts_samples; }, std::move(value));
}

/// Of the running time, at the modelled speed of a job alone.
Figure useful_share(const Observed& seen) {
  const double running = seen.totals.total("running");
  // A virtual run whose progress is recorded run time has no steps to count.
  const bool counted = seen.steps.useful_seconds > 0 || !seen.is_virtual;
  if (seen.totals.total("jobs") <= 0 || !seen.knows_steps || !counted) return std::nullopt;
  const double useful = seen.steps.useful_seconds - seen.totals.total("lost_seconds");
  return running > 0 ? useful / running : 0.0;
}

/// Progress that was not lost. Files of earlier versions do not say what was.
Figure goodput(const Observed& seen) {
  const double running = seen.totals.total("running");
  const Figure gained = seen.totals.find("progress_samples");
  if (!gained || running <= 0) return std::nullopt;
  return (*gained - seen.totals.total("lost_samples")) / running;
}

}  // namespace

std::vector<Metric> progress_metrics() {
  return {{"throughput", "samples/s", Better::higher, Shown::number, "throughput per running job",
           "Σ `samples_processed` ÷ Σ `running`", of_samples(ratio("samples_processed", "running")),
           "throughput", 6, "throughput", 5, "samples/s of a running job"},
          {"efficiency", "", Better::higher, Shown::percent, "statistical efficiency",
           "Σ `gpu_seconds` · `progress_samples` ÷ `samples_processed` over Σ `gpu_seconds`, of "
           "jobs with samples",
           of_samples(ratio("efficient_gpu_seconds", "sampled_gpu_seconds")), "efficiency", 5,
           "efficiency"},
          {"goodput", "samples/s", Better::higher, Shown::number, "goodput per running job",
           "(Σ `progress_samples` − Σ `lost_samples`) ÷ Σ `running`, at M₀ (Qiao et al., Pollux, "
           "OSDI 2021)",
           of_samples(goodput), "goodput", 3, "goodput", 5, "samples at M0/s of a running job"},
          {"goodput_normalised", "", Better::higher, Shown::percent, "normalised goodput",
           "(Σ `steps` · `step_modelled` · `progress_samples` ÷ `samples` − Σ `lost_seconds`) ÷ "
           "Σ `running`",
           useful_share, "norm. goodput", 4, "normalised goodput", 5, "", "goodput_normalised"},
          {"lost_share", "", Better::lower, Shown::percent, "progress lost",
           "Σ `lost_seconds` ÷ Σ `running`, if an attempt ended without a checkpoint",
           when(any_loss, ratio("lost_seconds", "running")), "", 0, "progress lost", 5}};
}

}  // namespace mimus::results
