// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/solo_baselines.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
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

/// Ids of measurements must not collide with those of the scheduler, which count from 0.
constexpr std::int64_t kFirstProbe = 1'000'000'000;
/// Number of executed steps of a baseline. The first of them warm up caches and links.
constexpr std::int64_t kProbeSteps = 10;
constexpr std::size_t kWarmUp = 2;

BaselineCache::Entry entry_of(const std::vector<StepWindow>& windows) {
  BaselineCache::Entry entry;
  for (const auto& window : windows) entry.steps += window.steps;
  if (windows.size() <= kWarmUp) return entry;
  entry.modelled_seconds = to_seconds(windows.back().step_modelled);
  std::vector<double> steps;
  for (const auto& window : std::span(windows).subspan(kWarmUp)) {
    steps.push_back(to_seconds(window.step_mean));
    entry.exposed_seconds += to_seconds(window.exposed_communication);
    entry.busy_seconds += to_seconds(window.device_busy);
  }
  const auto count = static_cast<double>(steps.size());
  entry.exposed_seconds /= count;
  entry.busy_seconds /= count;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  entry.step_seconds = *middle;
  return entry;
}

/// Runs one probe to its end. Returns nothing if a worker was lost, and no steps if it could not
/// run.
std::optional<std::vector<StepWindow>> run_probe(Engine& engine, const Attempt& probe) {
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
      if (ended->reason == scheduler::EndReason::worker_lost) return std::nullopt;
      if (ended->reason != scheduler::EndReason::finished) {
        log::warn("no solo baseline for {}: {}", probe.model->name, ended->detail);
      }
      return windows;
    }
  }
}

/// An allocation with as many replicas per node on GPUs that are left, on the same GPUs if
/// possible. Nothing if the cluster cannot provide that shape any more.
std::optional<scheduler::Allocation> on_what_is_left(const scheduler::Allocation& wanted,
                                                     const LeftGpus& left) {
  const auto usable = [&left](GpuId gpu) { return !left.lost.contains(gpu); };
  const auto& slots = wanted.slots;
  if (std::ranges::all_of(slots, usable, &scheduler::Slot::gpu)) return wanted;
  std::map<NodeId, std::size_t> replicas;
  for (const auto& slot : slots) ++replicas[left.shape.node_of(slot.gpu)];
  std::map<NodeId, std::vector<GpuId>> gpus;
  for (GpuId gpu{0}; gpu.value() < left.shape.gpus(); gpu = GpuId{gpu.value() + 1}) {
    if (usable(gpu)) gpus[left.shape.node_of(gpu)].push_back(gpu);
  }
  scheduler::Allocation found = wanted;
  found.slots.clear();
  for (const auto& [node, count] : replicas) {
    const int type = left.shape.type_of(node);
    const auto serves = [&left, type, count = count](const auto& entry) {
      return entry.second.size() >= count && left.shape.type_of(entry.first) == type;
    };
    auto place = gpus.find(node);
    if (place == gpus.end() || !serves(*place)) place = std::ranges::find_if(gpus, serves);
    if (place == gpus.end()) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      const GpuId gpu = place->second[i];
      found.slots.push_back({gpu, left.shape.lane_of(gpu, 0)});
    }
    gpus.erase(place);
  }
  if (left.shape.shape_of(found.slots) != left.shape.shape_of(slots)) return std::nullopt;
  return found;
}

/// Uses other GPUs if one is lost before or during the measurement.
std::vector<StepWindow> run_where_it_can(Engine& engine, Attempt probe, const LeftGpus& left,
                                         std::int64_t& number) {
  while (const auto place = on_what_is_left(probe.allocation, left)) {
    probe.allocation = *place;
    probe.id = AttemptId{kFirstProbe + number++};
    if (auto windows = run_probe(engine, probe)) return *windows;
  }
  log::warn("no solo baseline for {}: no GPUs are left that are placed like those of a gang of {}",
            probe.model->name, probe.allocation.slots.size());
  return {};
}

BaselineCache::Entry measure(Engine& engine, Attempt probe, const LeftGpus& left,
                             std::int64_t& number) {
  probe.probe_steps = kProbeSteps;
  probe.from_checkpoint = false;
  probe.samples_done = 0.0;
  probe.work_samples = 1e18;
  probe.fail_at_samples = -1.0;
  probe.limits = {};
  return entry_of(run_where_it_can(engine, std::move(probe), left, number));
}

std::string key_text(const std::string& scope, const BaselineKey& key, const Attempt& attempt) {
  return fmt::format("{}|{}:{:016x}|{} {}|{}x{}", scope, key.model, attempt.model->fingerprint(),
                     key.shape, key.gpu_type, key.per_gpu, key.accumulation);
}

results::BaselineRow row_of(const BaselineKey& key, const BaselineCache::Entry& entry,
                            const char* origin) {
  results::BaselineRow row;
  row.model = key.model;
  row.shape = key.shape;
  row.gpu_type = key.gpu_type;
  row.per_gpu_batch = key.per_gpu;
  row.accumulation = key.accumulation;
  row.step_solo = entry.step_seconds;
  row.exposed_communication = entry.exposed_seconds;
  row.device_busy = entry.busy_seconds;
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
      if (!value.contains("busy_seconds")) continue;  // of a version that did not measure it
      entries[key] = {.step_seconds = value.at("step_seconds"),
                      .exposed_seconds = value.at("exposed_seconds"),
                      .busy_seconds = value.at("busy_seconds"),
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
  entries_.merge(read_entries(path_));  // keeps the own entry if both have one
  nlohmann::json document = nlohmann::json::object();
  for (const auto& [name, value] : entries_) {
    document[name] = {{"step_seconds", value.step_seconds},
                      {"exposed_seconds", value.exposed_seconds},
                      {"busy_seconds", value.busy_seconds},
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
                         const std::string& scope, const LeftGpus& left,
                         results::Recorder& recorder) {
  std::map<BaselineKey, double> solo;
  std::int64_t number = 0;
  for (const auto& [key, attempt] : log.needed()) {
    const std::string text = key_text(scope, key, attempt);
    const BaselineCache::Entry* known = cache.find(text);
    const char* origin = known != nullptr ? "cache" : "measured";
    const auto entry = known != nullptr ? *known : measure(engine, attempt, left, number);
    if (entry.step_seconds <= 0.0) continue;
    if (known == nullptr) cache.put(text, entry);
    solo[key] = entry.step_seconds;
    recorder.add(row_of(key, entry, origin));
  }
  log.write(solo);
}

}  // namespace mimus::emulator
