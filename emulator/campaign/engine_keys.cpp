// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/engine_keys.hpp"

#include <cctype>

#include <fmt/format.h>

#include "base/mapping_fields.hpp"
#include "emulator/campaign/cuda_config.hpp"
#include "emulator/campaign/measure.hpp"
#include "emulator/sharing/sharing_law.hpp"
#include "emulator/virtual/steps/step_time_model.hpp"
#include "workloads/traces/input/input_path.hpp"

namespace mimus::emulator {
namespace {

using K = EngineKeys;

/// `time_scale: max` is short for this scale and an unbound clock.
constexpr double kTimeScaleOfMax = 60.0;

void read_time_scale(YamlReader& reader, const Param<double>& number, EngineConfig& engine) {
  const ConfigNode& node = reader.node("time_scale");
  const bool word = node.kind == ConfigNode::Kind::scalar && !node.scalar.empty() &&
                    std::isalpha(static_cast<unsigned char>(node.scalar.front())) != 0;
  if (!word) {
    engine.time_scale = number.read(reader);
    return;
  }
  if (node.scalar != "max") {
    reader.fail("time_scale", fmt::format("expected a number, or max, got \"{}\"", node.scalar));
  }
  engine.clock = EngineConfig::Clock::unbound;
  engine.time_scale = kTimeScaleOfMax;
}

Field<K> time_scale_field() {
  const Param<double> number("time_scale", K{}.time_scale, between(0.001, 1e6),
                             "emulated seconds per wall second; max: 60, and clock: unbound");
  ParameterInfo info = number.info();
  info.spec.words = {"max"};
  return {std::move(info),
          [number](YamlReader& reader, K& engine) { read_time_scale(reader, number, engine); }};
}

/// A choice of `table`, from which the cell's parts are made later.
template <class Interface>
Field<K> later_choice(const char* name, ConfigNode EngineConfig::*member,
                      const Registry<Interface>& table, const char* fallback, const char* summary) {
  const ValueSpec spec{.words = table.names()};
  return {{name, spec, fallback, summary},
          [name, member](YamlReader& reader, K& engine) { engine.*member = reader.node(name); }};
}

void read_until(YamlReader& reader, const Param<std::optional<Duration>>& time,
                EngineConfig& engine) {
  if (!reader.has("until")) return;
  const ConfigNode& node = reader.node("until");
  engine.until_last_arrival =
      node.kind == ConfigNode::Kind::scalar && node.scalar == "last_arrival";
  if (!engine.until_last_arrival) engine.until = time.read(reader);
}

Field<K> until_field() {
  const Param<std::optional<Duration>> time(
      "until", std::optional<Duration>{}, kPositive,
      "virtual: when the cell ends, with the jobs then in the system unfinished; last_arrival: as "
      "soon as the last job has arrived");
  ParameterInfo info = time.info();
  info.spec.words = {"last_arrival"};
  return {std::move(info),
          [time](YamlReader& reader, K& engine) { read_until(reader, time, engine); }};
}

Field<K> until_jobs_field() {
  const Param<std::optional<std::string>> jobs(
      "until_jobs", std::optional<std::string>{}, {},
      "virtual: the cell ends as soon as these jobs have ended, beside others that arrive; as for "
      "measure.jobs");
  return Field<K>{jobs.info(),
                  [jobs](YamlReader& reader, K& engine) {
                    results::MeasuredWindow range;
                    if (!read_job_range(reader, jobs, range)) return;
                    if (range.jobs_end == results::MeasuredWindow::kNoJobsEnd) {
                      reader.fail("until_jobs", "needs the end of the range; write FIRST..END");
                    }
                    engine.until_jobs = range;
                  }}
      .beyond("FIRST..END or ..END");
}

Field<K> profile_field() {
  const Param<std::optional<workloads::InputPath>> path(
      "profile", std::optional<workloads::InputPath>{}, "a profile",
      "step times that policies believe, measured by mimus calibrate, in place of modelled ones");
  return {path.info(), [path](YamlReader& reader, K& engine) {
            if (const auto given = path.read(reader)) engine.profile = given->named;
          }};
}

Field<K> costs_field() {
  using Costs = TransitionCosts;
  return mapping_field(
      "costs", &K::costs,
      Fields<Costs>{field("start", &Costs::start, kNotNegative, "start-up time of every attempt"),
                    field("start_of", &Costs::start_of, kNotNegative,
                          "start-up times by model, in place of start"),
                    field("checkpoint", &Costs::checkpoint, kNotNegative,
                          "time to end an attempt that will continue later"),
                    field("restore", &Costs::restore, kNotNegative,
                          "time to restore an attempt that continues, in addition to start"),
                    field("migrate", &Costs::migrate, kNotNegative,
                          "in place of both if the attempt continues on other GPUs"),
                    field("resize", &Costs::resize, kNotNegative,
                          "in place of both if it continues on more or fewer GPUs"),
                    field("resume", &Costs::resume, kNotNegative,
                          "time to continue an attempt that was suspended; nothing unless stated"),
                    field("move", &Costs::move, kNotNegative,
                          "time to move an attempt to other GPUs without a restart")},
      "start, start_of, checkpoint, restore, migrate, resize, resume, move: durations",
      "virtual: in place of the models' own start-up and checkpoint times");
}

std::vector<EngineKey> decision_keys() {
  return {{field("kind", &K::kind, {{"live", K::Kind::live}, {"virtual", K::Kind::virtual_time}},
                 "MPI ranks on the wall clock, or discrete events")},
          {field("mode", &K::mode, {{"events", K::Mode::events}, {"rounds", K::Mode::rounds}},
                 "decide at every event, or at multiples of engine.round only")},
          {field("round", &K::length_of_rounds, kPositive, "length of a round"),
           KeyReader::cells_with_rounds},
          {field("report_every", &K::report_every, kNotNegative,
                 "emulated time between reports of a running job to the policy; default: as its "
                 "choices ask; virtual: 0 s for a single report when an attempt ends"),
           KeyReader::cells_without_replay},
          {profile_field()}};
}

std::vector<EngineKey> virtual_keys() {
  return {
      {later_choice("step_time", &K::step_time, step_time_choices({}), "analytic",
                    "virtual: how long a step takes; live: shares_hosts alone"),
       KeyReader::virtual_cells},
      {later_choice("interference", &K::interference, sharing_laws({}), "slices",
                    "how tenants of a GPU share it; on device cuda engine.cuda.sharing decides"),
       KeyReader::cells_without_replay},
      {until_field(), KeyReader::virtual_cells},
      {until_jobs_field(), KeyReader::virtual_cells},
      {costs_field(), KeyReader::virtual_cells_alone},
      {field("replay", &K::replay,
             {{"none", K::Replay::none},
              {"pollux-artifact", K::Replay::pollux_artifact},
              {"gavel", K::Replay::gavel},
              {"shockwave", K::Replay::shockwave}},
             "virtual: follow another simulator with its rounding: that of Pollux' artifact needs "
             "step_time: {name: measured, path}, Gavel's and Shockwave's need step_time: duration "
             "and planner gavel or shockwave"),
       KeyReader::virtual_cells},
      {field("replay_interference", &K::replay_interference, between(0, 0.99),
             "replay: share of its speed that a job of several nodes loses on a node with another "
             "such job"),
       KeyReader::replaying_cells}};
}

std::vector<EngineKey> live_keys() {
  const auto live = [](Field<K> key) { return EngineKey{std::move(key), KeyReader::live_cells}; };
  return {
      live(field("device", &K::device, {"cpu", "cuda"}, "device that runs the kernels")),
      live(field("collective", &K::collective, {"mpi", "nccl", "ring"},
                 "library that reduces the gradients; nccl by default on cuda, where mpi goes "
                 "through the host and ring is emulated by kernels of one GPU")),
      live(mapping_field("cuda", &K::cuda, cuda_fields(), "", "how live cells use CUDA devices")),
      live(field("pace", &K::pace, {{"datasheet", K::Pace::datasheet}, {"none", K::Pace::none}},
                 "paced to the stated GPU, or as fast as the device")),
      live(field("clock", &K::clock, {{"wall", K::Clock::wall}, {"unbound", K::Clock::unbound}},
                 "runs with the wall clock, or as fast as the host can, with the same results")),
      live(time_scale_field()),
      live(field_or("min_step", &K::min_step_wall, std::chrono::milliseconds(25),
                    between(0.001, 10),
                    "wall time of a step; shorter steps are run several at a time")),
      live(field("host_load", &K::host_load, between(0.01, 1),
                 "share of the host's cores that paced work may use")),
      live(field_or("stage_timeout", &K::stage_timeout, std::chrono::seconds(30), between(1, 3600),
                    "wall time that any wait may take")),
      live(field("on_lost_rank", &K::on_lost_rank,
                 {{"continue", K::OnLostRank::go_on}, {"stop", K::OnLostRank::stop}},
                 "when a worker process dies; by default continue where the launcher lets the "
                 "others live"))};
}

}  // namespace

const std::vector<EngineKey>& engine_keys() {
  static const std::vector<EngineKey> keys = [] {
    std::vector<EngineKey> all;
    for (const auto& part : {decision_keys(), virtual_keys(), live_keys()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return keys;
}

}  // namespace mimus::emulator
