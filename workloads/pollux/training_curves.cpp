// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux/training_curves.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text_file.hpp"
#include "workloads/csv/csv_reader.hpp"

namespace mimus::workloads {
namespace {

/// The batch B in a file name "validation-B.csv".
std::optional<double> batch_of(const std::filesystem::path& file) {
  constexpr std::string_view kPrefix = "validation-";
  const std::string stem = file.stem().string();
  if (file.extension() != ".csv" || !stem.starts_with(kPrefix)) return std::nullopt;
  std::int64_t batch = 0;
  const char* end = stem.data() + stem.size();
  const auto [stop, error] = std::from_chars(stem.data() + kPrefix.size(), end, batch);
  if (error != std::errc{} || stop != end || batch < 1) return std::nullopt;
  return static_cast<double>(batch);
}

}  // namespace

TrainingCurves TrainingCurves::read(const std::string& folder, std::string_view application) {
  TrainingCurves curves;
  const std::string traces = fmt::format("{}/traces/{}", folder, application);
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(traces, none)) {
    const auto batch = batch_of(entry.path());
    if (!batch) continue;
    const std::string path = entry.path().string();
    const std::string text = read_text_file(path);
    CsvReader row(text, path, {"progress", "iteration", "grad_sqr", "grad_var"});
    auto& run = curves.runs_[*batch];
    while (row.next()) {
      run.push_back(
          {row.get<double>("progress", kNotNegative),
           row.get<double>("iteration", kNotNegative),
           {row.get<double>("grad_sqr", kNotNegative), row.get<double>("grad_var", kNotNegative)}});
    }
  }
  std::size_t epochs = std::numeric_limits<std::size_t>::max();
  for (const auto& [batch, run] : curves.runs_) epochs = std::min(epochs, run.size());
  if (curves.runs_.empty() || epochs == 0) {
    throw ConfigError({traces, 0, 0}, "", "has no validation-<batch>.csv with an epoch in it");
  }
  curves.epochs_ = static_cast<int>(epochs);
  return curves;
}

double TrainingCurves::progress_at_end(int epoch) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [batch, run] : runs_) {
    least = std::min(least, run.at(static_cast<std::size_t>(epoch)).progress);
  }
  return least;
}

int TrainingCurves::epoch_at(double progress) const {
  // A boundary that was converted to another unit and back may have lost its last digits.
  const double reached = progress * (1.0 + 1e-12);
  int epoch = 0;
  while (epoch < epochs_ && progress_at_end(epoch) <= reached) ++epoch;
  return epoch;
}

template <class Value>
double TrainingCurves::between_runs(double total_batch, int epoch, Value&& value) const {
  const auto at = [&](const auto& run) { return value(run.at(static_cast<std::size_t>(epoch))); };
  const auto high = runs_.lower_bound(total_batch);
  if (high == runs_.end()) return at(runs_.rbegin()->second);
  if (high->first == total_batch || high == runs_.begin()) return at(high->second);
  const auto low = std::prev(high);
  const double weight = (total_batch - low->first) / (high->first - low->first);
  return (1.0 - weight) * at(low->second) + weight * at(high->second);
}

double TrainingCurves::steps_at_end(double total_batch, int epoch) const {
  return between_runs(total_batch, epoch, [](const Epoch& e) { return e.steps; });
}

double TrainingCurves::steps_left(double total_batch, double progress) const {
  const int epoch = epoch_at(progress);
  const int last = epochs_ - 1;
  if (epoch >= last) return 1.0;
  return steps_at_end(total_batch, last) - steps_at_end(total_batch, epoch);
}

TrainingCurves::Gradient TrainingCurves::gradient(double total_batch, int epoch) const {
  return {between_runs(total_batch, epoch, [](const Epoch& e) { return e.gradient.squared_norm; }),
          between_runs(total_batch, epoch, [](const Epoch& e) { return e.gradient.variance; })};
}

}  // namespace mimus::workloads
