// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/solo_baselines.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "base/log.hpp"

namespace mimus::emulator {
namespace {

/// Ids of measurements do not mix with the scheduler's, which count from 0.
constexpr std::int64_t kFirstProbe = 1'000'000'000;
/// Executed steps of a baseline, and how many of them warm caches and links up.
constexpr std::int64_t kProbeSteps = 10;
constexpr std::size_t kWarmUp = 2;

double median_step(std::vector<StepWindow> windows) {
  if (windows.size() <= kWarmUp) return 0.0;
  std::vector<double> steps;
  for (std::size_t i = kWarmUp; i < windows.size(); ++i) {
    steps.push_back(to_seconds(windows[i].step_mean));
  }
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

/// Runs one probe to its end; nothing when it could not run.
std::vector<StepWindow> run_probe(Engine& engine, const Attempt& probe) {
  std::vector<StepWindow> windows;
  std::vector<TimedEvent> happened;
  engine.start(probe);
  while (true) {
    happened.clear();
    (void)engine.next(kNever, happened);
    for (const TimedEvent& what : happened) {
      if (const auto* progress = std::get_if<AttemptProgress>(&what.event)) {
        windows.insert(windows.end(), progress->windows.begin(), progress->windows.end());
      }
      const auto* ended = std::get_if<scheduler::AttemptEnded>(&what.event);
      if (ended == nullptr) continue;
      if (ended->reason != scheduler::EndReason::finished) {
        log::warn("no solo baseline for {}: {}", probe.model->name, ended->detail);
      }
      return windows;
    }
  }
}

BaselineCache::Entry measure(Engine& engine, Attempt probe, std::int64_t number) {
  probe.id = AttemptId{kFirstProbe + number};
  probe.probe_steps = kProbeSteps;
  probe.from_checkpoint = false;
  probe.samples_done = 0.0;
  probe.work_samples = 1e18;
  probe.fail_at_samples = -1.0;
  const auto windows = run_probe(engine, probe);
  BaselineCache::Entry entry;
  entry.step_seconds = median_step(windows);
  if (!windows.empty()) entry.modelled_seconds = to_seconds(windows.back().step_modelled);
  for (const auto& window : windows) entry.steps += window.steps;
  return entry;
}

std::string key_text(const std::string& scope, const BaselineKey& key, const Attempt& attempt) {
  return fmt::format("{}|{}:{:016x}|{}|{}x{}", scope, key.model, attempt.model->fingerprint(),
                     key.shape, key.per_gpu, key.accumulation);
}

results::BaselineRow row_of(const BaselineKey& key, const BaselineCache::Entry& entry,
                            const char* origin) {
  results::BaselineRow row;
  row.model = key.model;
  row.shape = key.shape;
  row.per_gpu_batch = key.per_gpu;
  row.accumulation = key.accumulation;
  row.step_solo = entry.step_seconds;
  row.step_modelled = entry.modelled_seconds;
  row.steps = entry.steps;
  row.origin = origin;
  return row;
}

BaselineCache::Entries read_entries(const std::string& path) {
  BaselineCache::Entries entries;
  std::ifstream file(path);
  if (!file) return entries;
  try {
    const auto document = nlohmann::json::parse(file);
    for (const auto& [key, value] : document.items()) {
      entries[key] = {.step_seconds = value.at("step_seconds"),
                      .modelled_seconds = value.at("modelled_seconds"),
                      .steps = value.at("steps")};
    }
  } catch (const nlohmann::json::exception& error) {
    log::warn("{}: not a baseline cache ({}); measuring afresh", path, error.what());
    return {};
  }
  return entries;
}

}  // namespace

BaselineCache::BaselineCache(std::string path)
    : path_(std::move(path)), entries_(read_entries(path_)) {}

const BaselineCache::Entry* BaselineCache::find(const std::string& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

void BaselineCache::put(const std::string& key, const Entry& entry) {
  entries_[key] = entry;
  entries_.merge(read_entries(path_));  // keeps its own where both have one
  nlohmann::json document = nlohmann::json::object();
  for (const auto& [name, value] : entries_) {
    document[name] = {{"step_seconds", value.step_seconds},
                      {"modelled_seconds", value.modelled_seconds},
                      {"steps", value.steps}};
  }
  const std::string fresh = fmt::format("{}.{}.part", path_, ::getpid());
  {
    std::ofstream file(fresh);
    file << json_text(document, 1) << '\n';
    if (!file) throw IoError(fresh, "the baseline cache could not be written; is the disk full?");
  }
  std::filesystem::rename(fresh, path_);
}

void record_interference(Engine& engine, const CoLocationLog& log, BaselineCache& cache,
                         const std::string& scope, results::Recorder& recorder) {
  std::map<BaselineKey, double> solo;
  std::int64_t number = 0;
  for (const auto& [key, attempt] : log.needed()) {
    const std::string text = key_text(scope, key, attempt);
    const BaselineCache::Entry* known = cache.find(text);
    const char* origin = known != nullptr ? "cache" : "measured";
    const auto entry = known != nullptr ? *known : measure(engine, attempt, number++);
    if (entry.step_seconds <= 0.0) continue;
    if (known == nullptr) cache.put(text, entry);
    solo[key] = entry.step_seconds;
    recorder.add(row_of(key, entry, origin));
  }
  log.write(recorder, solo);
}

}  // namespace mimus::emulator
