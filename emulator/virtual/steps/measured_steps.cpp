// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/measured_steps.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/fields.hpp"
#include "emulator/virtual/steps/analytic_steps.hpp"
#include "emulator/virtual/steps/pollux_measurements.hpp"
#include "emulator/virtual/steps/profile_measurements.hpp"
#include "workloads/traces/input/input_path.hpp"

namespace mimus::emulator {
namespace {

struct MeasuredKeys {
  enum class Otherwise { refuse, analytic };
  enum class Hosts { never, alone, always };
  enum class StepsLeft { noise_scale, trainings };
  std::optional<workloads::InputPath> path, profile;
  Otherwise otherwise = Otherwise::refuse;
  bool share_uplinks = true;
  std::optional<Hosts> hosts;
  StepsLeft steps_left = StepsLeft::noise_scale;
};

std::unique_ptr<StepMeasurements> read_measurements(const MeasuredKeys& keys,
                                                    const YamlReader& reader,
                                                    const StepTimeInputs& inputs) {
  if (keys.path.has_value() == keys.profile.has_value()) {
    reader.fail("", "give either a folder of tables as \"path\" or a file as \"profile\"");
  }
  if (keys.path) {
    return std::make_unique<PolluxMeasurements>(inputs.cluster,
                                                workloads::expanded_path(keys.path->named));
  }
  return std::make_unique<ProfileMeasurements>(inputs,
                                               workloads::expanded_path(keys.profile->named));
}

Fields<MeasuredKeys> measured_fields() {
  using Keys = MeasuredKeys;
  return {
      field("path", &Keys::path, "a folder", "tables in the layout of the Pollux artifact"),
      field("profile", &Keys::profile, "a profile or result file",
            "steps measured by mimus calibrate or in a live run"),
      field("otherwise", &Keys::otherwise,
            {{"refuse", Keys::Otherwise::refuse}, {"analytic", Keys::Otherwise::analytic}},
            "what to do without a measurement; analytic: the model, scaled by the nearest "
            "measurements"),
      field("share_uplinks", &Keys::share_uplinks, "gangs that cross one uplink slow each other"),
      field("hosts", &Keys::hosts,
            {{"never", Keys::Hosts::never},
             {"alone", Keys::Hosts::alone},
             {"always", Keys::Hosts::always}},
            "input pipelines of one node slow each other as in the model; default: always with a "
            "profile, never with a folder; alone: except for jobs that share a GPU, whose measured "
            "slowdowns include it"),
      field(
          "steps_left", &Keys::steps_left,
          {{"noise_scale", Keys::StepsLeft::noise_scale},
           {"trainings", Keys::StepsLeft::trainings}},
          "steps left as oracles report them: by the gain of a step, or as in measured trainings")};
}

/// The slots of a measured gang as if it had run here; none if it does not fit nodes of this size.
/// Node numbers may exceed the cluster's, because only the relative positions of the slots matter.
std::vector<scheduler::Slot> slots_of(const MeasuredPoint& point,
                                      const scheduler::ClusterShape& shape) {
  std::vector<scheduler::Slot> slots;
  const auto nodes = static_cast<int>(point.per_node.size());
  for (int i = 0; i < nodes; ++i) {
    const int replicas = point.per_node[static_cast<std::size_t>(i)];
    if (replicas > shape.gpus_per_node) return {};
    const int node = i % point.racks * shape.nodes_per_rack + i / point.racks;
    for (int k = 0; k < replicas; ++k) {
      const GpuId gpu{node * shape.gpus_per_node + k};
      slots.push_back({gpu, shape.lane_of(gpu, 0)});
    }
  }
  return slots;
}

}  // namespace

MeasuredSteps::MeasuredSteps(scheduler::ClusterShape shape,
                             std::unique_ptr<StepMeasurements> measurements,
                             std::unique_ptr<StepTimeModel> otherwise, Settings settings,
                             std::unique_ptr<StepTimeModel> model)
    : shape_(std::move(shape)),
      measurements_(std::move(measurements)),
      otherwise_(std::move(otherwise)),
      settings_(settings),
      model_(std::move(model)) {}

std::string MeasuredSteps::name() const {
  return fmt::format("measured({}){}", measurements_->name(),
                     otherwise_ != nullptr ? ", else " + otherwise_->name() : "");
}

void MeasuredSteps::check(const workloads::Job& job) const {
  if (otherwise_ != nullptr) return otherwise_->check(job);
  if (measurements_->has_model(job.model)) return;
  throw UsageError(fmt::format(
      "job {} ({}) trains {}, of which {} has no step; measure it, or set "
      "\"otherwise: analytic\"",
      job.id.value(), job.name, job.model.empty() ? "no model" : job.model, measurements_->name()));
}

StepCost MeasuredSteps::solo(const Attempt& attempt) const {
  ensure(attempt.model != nullptr, "measured step times need a model");
  if (const auto measured = measurements_->find(attempt)) return *measured;
  if (otherwise_ == nullptr) {
    throw UsageError(measurements_->missing(attempt) + ", or set \"otherwise: analytic\"");
  }
  const double around = ratio(attempt);
  const StepCost modelled = otherwise_->step(attempt, Surroundings{});
  return {scale(modelled.step, around), scale(modelled.exposed_communication, around),
          scale(modelled.device_busy, around)};
}

double MeasuredSteps::ratio(const Attempt& attempt) const {
  const auto [entry, is_new] = ratios_.try_emplace(attempt.model->name);
  if (is_new) entry->second = ratios_of(*attempt.model);
  std::set<NodeId> nodes;
  for (const auto& slot : attempt.allocation.slots) nodes.insert(shape_.node_of(slot.gpu));
  return entry->second.at({.nodes = static_cast<int>(nodes.size()),
                           .replicas = static_cast<int>(attempt.allocation.slots.size()),
                           .per_gpu_batch = attempt.batch.per_gpu,
                           .accumulation = attempt.batch.accumulation});
}

MeasuredRatios MeasuredSteps::ratios_of(const workloads::Model& model) const {
  MeasuredRatios ratios;
  for (const MeasuredPoint& point : measurements_->points(model.name)) {
    Attempt attempt;
    attempt.model = &model;
    attempt.allocation.slots = slots_of(point, shape_);
    attempt.batch = {point.per_gpu_batch, point.accumulation};
    const auto replicas = static_cast<int>(attempt.allocation.slots.size());
    if (replicas == 0 || !model.runs_on(replicas)) continue;
    const Duration modelled = otherwise_->step(attempt, Surroundings{}).step;
    ratios.add({.nodes = static_cast<int>(point.per_node.size()),
                .replicas = replicas,
                .per_gpu_batch = point.per_gpu_batch,
                .accumulation = point.accumulation},
               point.step / to_seconds(modelled));
  }
  return ratios;
}

StepCost MeasuredSteps::step(const Attempt& attempt, const Surroundings& surroundings) const {
  const StepCost cost = solo(attempt);
  if (surroundings == Surroundings{}) return cost;
  if (model_ != nullptr) return as_modelled(attempt, cost, surroundings);
  const Duration computing = std::max(cost.step - cost.exposed_communication,
                                      scale(cost.device_busy, surroundings.device_stretch));
  return at_mean_pace(surroundings.link_shares, [&](double share) -> StepCost {
    const Duration exposed = scale(cost.exposed_communication, 1.0 / share);
    return {scale(computing, surroundings.interference) + exposed, exposed, cost.device_busy};
  });
}

StepCost MeasuredSteps::as_modelled(const Attempt& attempt, StepCost cost,
                                    Surroundings surroundings) const {
  if (surroundings.interference > 1.0 && !settings_.crowd_tenants) {
    surroundings.gpus_in_use = 0;
    surroundings.core_load = 1.0;
  }
  const StepCost alone = model_->step(attempt, {});
  const StepCost shared = model_->step(attempt, surroundings);
  const double measured = to_seconds(cost.step) / to_seconds(alone.step);
  cost.step = scale(shared.step, measured);
  const Duration exposed = shared.exposed_communication - alone.exposed_communication;
  cost.exposed_communication =
      std::max(Duration{}, cost.exposed_communication + scale(exposed, measured));
  return cost;
}

std::optional<double> MeasuredSteps::steps_left(const workloads::Job& job, double fraction) const {
  return settings_.count_trainings ? measurements_->steps_left(job, fraction) : std::nullopt;
}

Duration MeasuredSteps::transfers(const Attempt& attempt) const {
  if (!settings_.share_uplinks) return {};
  const bool within = shape_.locality(attempt.allocation.slots) < scheduler::Locality::same_rack;
  if (within && !settings_.crowd_tenants) return {};  // their measured slowdowns include it
  const StepCost cost = solo(attempt);
  if (model_ == nullptr) return cost.exposed_communication;
  const StepCost modelled = model_->step(attempt, {});
  return scale(model_->transfers(attempt), to_seconds(cost.step) / to_seconds(modelled.step));
}

Choice<StepTimeModel> measured_choice(const StepTimeInputs& inputs) {
  using Keys = MeasuredKeys;
  return choice_from<StepTimeModel>(
      "measured", "measured step times by placement and batch, interpolated", measured_fields(),
      [inputs](const Keys& keys, const YamlReader& reader) {
        auto measurements = read_measurements(keys, reader, inputs);
        const auto analytic = [&](bool wanted) -> std::unique_ptr<StepTimeModel> {
          if (!wanted) return nullptr;
          return std::make_unique<AnalyticSteps>(inputs, AnalyticSteps::Settings{});
        };
        const auto hosts =
            keys.hosts.value_or(keys.profile ? Keys::Hosts::always : Keys::Hosts::never);
        const MeasuredSteps::Settings settings{
            .share_uplinks = keys.share_uplinks,
            .count_trainings = keys.steps_left == Keys::StepsLeft::trainings,
            .crowd_tenants = hosts == Keys::Hosts::always};
        return std::make_unique<MeasuredSteps>(
            inputs.cluster.shape, std::move(measurements),
            analytic(keys.otherwise == Keys::Otherwise::analytic), settings,
            analytic(hosts != Keys::Hosts::never));
      });
}

}  // namespace mimus::emulator
