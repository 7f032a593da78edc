// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/replay/replay_job.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

std::vector<int> run_lengths(const std::vector<NodeId>& nodes) {
  std::vector<int> runs;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == 0 || nodes[i] != nodes[i - 1]) runs.push_back(0);
    ++runs.back();
  }
  return runs;
}

}  // namespace

void ReplayJob::place(std::vector<NodeId> nodes, std::int64_t pause) {
  nodes_ = std::move(nodes);
  per_node_ = run_lengths(nodes_);
  pause_ = pause;
}

void ReplayJob::set_batch(std::int64_t total) {
  const auto& app = *profile_.application;
  const auto replicas = static_cast<std::int64_t>(nodes_.size());
  // The noise scale of a single replica is measured from the difference of two micro-batches.
  const bool two = replicas == 1 && total > app.reference_batch;
  const auto split = app.split(total, replicas, two ? 2 : 1);
  batch_ = {split.per_gpu, static_cast<int>(split.micro_batches)};
}

void ReplayJob::set_batch(const scheduler::BatchPlan& batch) {
  batch_ = batch;
}

std::int64_t ReplayJob::total_batch() const {
  return batch_.total(nodes_.size());
}

double ReplayJob::samples_done() const {
  return progress_ * static_cast<double>(profile_.application->reference_batch);
}

ReplayedStretch ReplayJob::rate(double interference, double& goodput) const {
  const auto timing = profile_.steps.at(per_node_, batch_.per_gpu);
  if (!timing) {
    throw UsageError(
        fmt::format("the measurements of {} do not cover {} replicas per node with a "
                    "per-GPU batch of {}",
                    profile_.application->name, fmt::join(per_node_, "+"), batch_.per_gpu));
  }
  const auto total = static_cast<double>(total_batch());
  ReplayedStretch stretch;
  stretch.batch = batch_;
  stretch.gradient = profile_.curves.gradient(total, epoch_);
  stretch.timing = *timing;
  stretch.step_time = timing->step + (timing->step - timing->sync) * (batch_.accumulation - 1);
  const double scale = total / static_cast<double>(profile_.application->reference_batch);
  goodput = stretch.gradient.gain(scale) / stretch.step_time * (1.0 - interference);
  return stretch;
}

std::optional<ReplayedStretch> ReplayJob::train(std::int64_t from, std::int64_t end,
                                                double interference) {
  const std::int64_t waits = std::min(pause_, end - from);
  pause_ -= waits;
  std::int64_t now = from + waits;
  if (now >= end) return std::nullopt;
  double goodput = 0.0;
  ReplayedStretch stretch = rate(interference, goodput);
  const double before = progress_;
  const double boundary = profile_.curves.progress_at_end(epoch_);
  const auto left = static_cast<double>(end - now);
  stretch.begin = static_cast<double>(now);
  if (progress_ + goodput * left < boundary) {
    progress_ += goodput * left;
    now = end;
  } else {
    // As in Python's round(), halves are rounded to the even second.
    now += static_cast<std::int64_t>(std::nearbyint((boundary - progress_) / goodput));
    progress_ = boundary;
    if (++epoch_ >= profile_.curves.epochs()) completed_at_ = now;
  }
  stretch.end = static_cast<double>(now);
  stretch.progress = progress_ - before;
  return stretch;
}

double ReplayJob::noise_scale(const ReplayedStretch& stretch) const {
  return stretch.gradient.noise_scale(static_cast<double>(profile_.application->reference_batch));
}

}  // namespace mimus::emulator
