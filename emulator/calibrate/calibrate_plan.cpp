// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_plan.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "emulator/calibrate/calibrate_links.hpp"
#include "emulator/modelled_throughput.hpp"
#include "kernels/layers/attention_runs.hpp"

namespace mimus::emulator {
namespace {

/// The largest batch of a model, at most `wanted`, that fits a GPU beside `taken`; 0 if none does.
std::int64_t largest_fitting(const workloads::Model& model, std::int64_t wanted, Bytes memory) {
  std::int64_t low = 0;
  std::int64_t high = wanted;
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (memory == Bytes{} || model.memory(middle) <= memory) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low >= model.batch.per_gpu_min ? low : 0;
}

/// The smallest, the largest and two values between, in a geometric sequence.
std::vector<std::int64_t> spread(std::int64_t least, std::int64_t most) {
  std::set<std::int64_t> out{least, most};
  const double factor = static_cast<double>(most) / static_cast<double>(least);
  for (const double share : {1.0 / 3.0, 2.0 / 3.0}) {
    out.insert(std::llround(static_cast<double>(least) * std::pow(factor, share)));
  }
  return {out.begin(), out.end()};
}

std::vector<std::int64_t> powers_of_two(std::int64_t least, std::int64_t most) {
  std::set<std::int64_t> out{least, most};
  for (std::int64_t batch = 1; batch <= most; batch *= 2) {
    if (batch >= least) out.insert(batch);
  }
  return {out.begin(), out.end()};
}

std::vector<std::string> each_once(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) out.push_back(name);
  }
  return out;
}

class Planner {
 public:
  Planner(const CalibrateOptions& options, const CalibrationBed& bed)
      : options_(options), bed_(bed), memory_(bed.cluster.shape.gpu_memory) {}

  CalibrationPlan make() {
    const auto names = options_.models.empty() ? trained() : named();
    for (const std::string& name : names) add_model(bed_.models.at(name));
    if (options_.pairs) add_pairs(names);
    if (plan_.alone.empty() && !(options_.links && names.empty())) {
      throw UsageError(fmt::format("nothing is left to measure: {}", fmt::join(plan_.notes, "; ")));
    }
    return std::move(plan_);
  }

 private:
  /// All models but solvers on a grid, which have no replicas.
  [[nodiscard]] std::vector<std::string> trained() const {
    auto names = bed_.models.names();
    std::erase_if(names, [&](const auto& name) { return bed_.models.at(name).grid.used(); });
    return names;
  }

  /// The names, in the order in which they first appear.
  [[nodiscard]] std::vector<std::string> named() const {
    auto names = each_once(options_.models);
    if (names != std::vector<std::string>{kNoModels}) return names;
    if (options_.links) return {};
    throw UsageError("--models none leaves nothing to measure; use it with --links");
  }

  void add_model(const workloads::Model& model) {
    if (model.grid.used()) {
      throw UsageError(
          fmt::format("model \"{}\" solves on a grid, and profiles are of replicas that "
                      "train: leave it out, and use engine.step_time: analytic for it",
                      model.name));
    }
    if (model.split.gpus() > 1) {
      throw UsageError(
          fmt::format("model \"{}\" is split over GPUs; profiles are of replicas on one GPU each: "
                      "leave the split out, and use engine.step_time: analytic for split models",
                      model.name));
    }
    const bool fused = bed_.engine.cuda.launches.attention == kernels::Attention::sdpa;
    if (bed_.engine.on_cuda() && fused) kernels::check_fused_attention(model);
    for (const std::int64_t batch : batches_of(model)) {
      for (const auto& shape : options_.shapes) add({&model, shape, batch});
    }
  }

  std::vector<std::int64_t> batches_of(const workloads::Model& model) {
    const std::int64_t least = model.batch.per_gpu_min;
    const std::int64_t most = largest_fitting(model, model.batch.per_gpu_max, memory_);
    if (most == 0) {
      plan_.notes.push_back(fmt::format("{}: its smallest batch ({}) needs {}, a {} has {}",
                                        model.name, least, format_bytes(model.memory(least)),
                                        bed_.cluster.shape.gpu_type, format_bytes(memory_)));
      return {};
    }
    switch (options_.batches.kind) {
      case BatchSelection::Kind::spread:
        return spread(least, most);
      case BatchSelection::Kind::all:
        return powers_of_two(least, most);
      case BatchSelection::Kind::listed:
        break;
    }
    std::vector<std::int64_t> out;
    for (const std::int64_t batch : options_.batches.listed) {
      if (batch >= least && batch <= most) {
        out.push_back(batch);
      } else {
        plan_.notes.push_back(
            fmt::format("{}: batch {} is outside {} to {}, what it trains with "
                        "and a {} holds",
                        model.name, batch, least, most, bed_.cluster.shape.gpu_type));
      }
    }
    return out;
  }

  void add(const SoloPoint& point) {
    const auto key = key_row(point, bed_);
    for (const SoloPoint& other : plan_.alone) {
      if (same_point(key_row(other, bed_), key)) return;
    }
    plan_.alone.push_back(point);
  }

  [[nodiscard]] std::int64_t pair_batch(const workloads::Model& model) const {
    const std::int64_t wanted =
        options_.largest_pair_batches
            ? model.batch.per_gpu_max
            : std::clamp(model.batch.reference, model.batch.per_gpu_min, model.batch.per_gpu_max);
    return largest_fitting(model, wanted, memory_);
  }

  void add_pairs(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = i; j < names.size(); ++j) {
        add_pair(bed_.models.at(names[i]), bed_.models.at(names[j]));
      }
    }
  }

  void add_pair(const workloads::Model& first, const workloads::Model& second) {
    const PairPoint pair{&first, pair_batch(first), &second, pair_batch(second)};
    if (pair.first_batch == 0 || pair.second_batch == 0) return;  // the notes of the model say so
    const Bytes need = first.memory(pair.first_batch) + second.memory(pair.second_batch);
    if (memory_ != Bytes{} && need > memory_) {
      plan_.notes.push_back(
          fmt::format("{} ({}) beside {} ({}): together they need {}, a {} has {}", first.name,
                      pair.first_batch, second.name, pair.second_batch, format_bytes(need),
                      bed_.cluster.shape.gpu_type, format_bytes(memory_)));
      return;
    }
    plan_.pairs.push_back(pair);
    add({pair.first, {1}, pair.first_batch});  // slowdowns are relative to this
    add({pair.second, {1}, pair.second_batch});
  }

  const CalibrateOptions& options_;
  const CalibrationBed& bed_;
  Bytes memory_;
  CalibrationPlan plan_;
};

/// Wall time of executed steps. Short steps are run several at a time.
Duration wall_of(Duration step, std::int64_t steps, const EngineConfig& engine) {
  const Duration one = std::max(scale(step, 1.0 / engine.time_scale), engine.min_step_wall);
  return steps * one;
}

/// What the model's kernels compute in.
std::string precision_name(const workloads::Model& model, const EngineConfig& engine) {
  const auto& asked = engine.cuda.launches.arithmetic;
  return engine.on_cuda() && asked ? kernels::name(*asked) : name(model.precision);
}

}  // namespace

CalibrationPlan plan_calibration(const CalibrateOptions& options, const CalibrationBed& bed) {
  return Planner(options, bed).make();
}

std::vector<scheduler::Slot> slots_of(const scheduler::ClusterShape& cluster,
                                      const std::vector<int>& shape) {
  std::vector<scheduler::Slot> slots;
  for (std::size_t node = 0; node < shape.size(); ++node) {
    for (int k = 0; k < shape[node]; ++k) {
      const GpuId gpu{static_cast<std::int64_t>(node) * cluster.gpus_per_node + k};
      slots.push_back({gpu, cluster.lane_of(gpu, 0)});
    }
  }
  return slots;
}

results::ProfileRow key_row(const SoloPoint& point, const CalibrationBed& bed) {
  const auto& cluster = bed.cluster.shape;
  const auto slots = slots_of(cluster, point.shape);
  results::ProfileRow row;
  row.model = point.model->name;
  row.precision = precision_name(*point.model, bed.engine);
  row.device = bed.engine.device;
  row.gpu = cluster.gpu_type;
  row.shape = cluster.shape_of(slots);
  row.locality = name(cluster.locality(slots));
  row.per_gpu_batch = point.batch;
  row.replicas = static_cast<std::int64_t>(slots.size());
  return row;
}

bool same_point(const results::ProfileRow& a, const results::ProfileRow& b) {
  const auto key = [](const results::ProfileRow& row) {
    return std::tie(row.model, row.precision, row.device, row.gpu, row.shape, row.locality,
                    row.per_gpu_batch, row.accumulation);
  };
  return key(a) == key(b);
}

std::vector<results::ProfilePairRow> key_rows(const PairPoint& point) {
  results::ProfilePairRow one;
  one.model = point.first->name;
  one.per_gpu_batch = point.first_batch;
  one.co_model = point.second->name;
  one.co_per_gpu_batch = point.second_batch;
  one.sharing = kPairSharing;
  results::ProfilePairRow other = one;
  std::swap(other.model, other.co_model);
  std::swap(other.per_gpu_batch, other.co_per_gpu_batch);
  if (same_point(one, other)) return {one};
  return {one, other};
}

bool same_point(const results::ProfilePairRow& a, const results::ProfilePairRow& b) {
  const auto key = [](const results::ProfilePairRow& row) {
    return std::tie(row.model, row.per_gpu_batch, row.co_model, row.co_per_gpu_batch, row.sharing);
  };
  return key(a) == key(b);
}

kernels::FootprintPlan footprint(const SoloPoint& point, const CalibrationBed& bed) {
  const auto replicas = slots_of(bed.cluster.shape, point.shape).size();
  return kernels::make_plan(*point.model, bed.cluster.gpu,
                            {.per_gpu_batch = point.batch, .replicas = static_cast<int>(replicas)});
}

Duration modelled_step(const SoloPoint& point, const CalibrationBed& bed) {
  const auto slots = slots_of(bed.cluster.shape, point.shape);
  return kernels::solo_step_time(footprint(point, bed), gang_link(bed.cluster, slots)).total;
}

CalibrationCost cost_of(const CalibrationPlan& plan, const CalibrationBed& bed,
                        const CalibrateOptions& options) {
  CalibrationCost cost;
  const Duration links = plan.links.size() * link_sizes(bed.engine).size() * kLinkBudget;
  cost.least += links / 2;  // fast links need less than the budget
  cost.most += 2 * links;   // the largest five sizes may take longer than the budget
  const auto add = [&](Duration step) {
    const auto wall = [&](std::int64_t steps) {
      return std::min(options.timeout, wall_of(step, options.limits.warm_up + steps, bed.engine));
    };
    cost.least += wall(std::min(options.limits.min_steps, options.limits.max_steps));
    cost.most += wall(options.limits.max_steps);
  };
  for (const SoloPoint& point : plan.alone) add(modelled_step(point, bed));
  for (const PairPoint& pair : plan.pairs) {
    // Each tenant waits for the other, so a step of either takes as long as a step of both.
    add(modelled_step({pair.first, {1}, pair.first_batch}, bed) +
        modelled_step({pair.second, {1}, pair.second_batch}, bed));
  }
  return cost;
}

}  // namespace mimus::emulator
