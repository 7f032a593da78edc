// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/kernels_law.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/fields.hpp"
#include "emulator/sharing/profile_models.hpp"
#include "results/profile_file.hpp"
#include "workloads/traces/input/input_path.hpp"

namespace mimus::emulator {
namespace {

struct KernelsKeys {
  std::optional<workloads::InputPath> profile;
  std::map<std::string, Duration> lengths;
  std::map<std::string, double> activity;
  double weight = KernelsLaw::Settings{}.weight;
  double length_exponent = KernelsLaw::Settings{}.length_exponent;
  double activity_exponent = KernelsLaw::Settings{}.activity_exponent;
};

constexpr std::int64_t kAnyBatch = 1;

/// The values given in place hold for every batch of their model.
KernelLoads stated_loads(const KernelsKeys& keys, const YamlReader& reader) {
  KernelLoads loads;
  for (const auto& [model, length] : keys.lengths) loads[model][kAnyBatch].length = length;
  for (const auto& [model, share] : keys.activity) {
    if (!loads.contains(model))
      reader.fail("activity", fmt::format("names {}, which has no length", model));
    loads[model][kAnyBatch].activity = share;
  }
  return loads;
}

KernelLoads loads_of(const KernelsKeys& keys, const YamlReader& reader,
                     const SharingInputs& inputs) {
  if (keys.lengths.empty() == !keys.profile.has_value()) {
    reader.fail("", "give either kernel times by model under \"lengths\" or a file as \"profile\"");
  }
  if (!keys.profile) return stated_loads(keys, reader);
  return read_kernel_loads(workloads::expanded_path(keys.profile->named), inputs.models,
                           inputs.gpu_type);
}

}  // namespace

KernelLoads read_kernel_loads(const std::string& path, const workloads::ModelCatalogue* models,
                              const std::string& gpu) {
  const auto profile = results::read_profile_file(path);
  if (models != nullptr) check_fingerprints(path, profile, *models);
  KernelLoads loads;
  for (const auto& row : profile.rows) {
    check_gpu_type(path, row.gpu, gpu);
    if (row.kernels <= 0 || row.device_busy <= 0.0) continue;
    KernelLoad load{.length = from_seconds(row.device_busy / static_cast<double>(row.kernels))};
    if (row.sm_activity > 0.0) load.activity = std::min(1.0, row.sm_activity);
    loads[row.model][row.per_gpu_batch] = load;
  }
  if (!loads.empty()) return loads;
  throw ConfigError({path, 0, 0}, "",
                    "counts no kernels; use a profile that was measured on a GPU (mimus calibrate "
                    "--device cuda), or state \"lengths\"");
}

std::string KernelsLaw::name() const {
  return fmt::format("kernels(weight {:g}, lengths^{:g}, activity^{:g})", settings_.weight,
                     settings_.length_exponent, settings_.activity_exponent);
}

/// The measured batch that is nearest in proportion. An unknown batch counts as the model's own.
const KernelLoad& KernelsLaw::load_of(const GpuTenant& tenant) const {
  const auto model = loads_.find(std::string(tenant.model));
  if (model == loads_.end()) {
    throw UsageError(
        fmt::format("no kernel time is known for {}; measure it alone (mimus calibrate "
                    "--device cuda), or add it to \"lengths\"",
                    tenant.model.empty() ? "jobs without a model" : tenant.model));
  }
  std::int64_t batch = tenant.batch;
  if (batch <= 0 && models_ != nullptr) {
    if (const auto* known = models_->find(model->first)) batch = known->batch.reference;
  }
  const auto& by_batch = model->second;
  if (batch <= 0) return by_batch.rbegin()->second;
  const auto above = by_batch.lower_bound(batch);
  if (above == by_batch.begin()) return above->second;
  const auto below = std::prev(above);
  if (above == by_batch.end()) return below->second;
  const double middle =
      std::sqrt(static_cast<double>(below->first) * static_cast<double>(above->first));
  return static_cast<double>(batch) < middle ? below->second : above->second;
}

double KernelsLaw::slowdown(const GpuTenant& tenant, std::span<const GpuTenant> beside) const {
  if (beside.empty()) return 1.0;
  const KernelLoad& own = load_of(tenant);
  double waits = 0.0;
  for (const GpuTenant& other : beside) {
    const KernelLoad& load = load_of(other);
    waits += std::pow(load.activity, settings_.activity_exponent) *
             std::pow(to_seconds(load.length) / to_seconds(own.length), settings_.length_exponent);
  }
  return 1.0 + settings_.weight * waits;
}

Choice<SharingLaw> kernels_choice(const SharingInputs& inputs) {
  using Keys = KernelsKeys;
  return choice_from<SharingLaw>(
      "kernels", "side by side; each kernel waits for kernels of the others, as under MPS",
      Fields<Keys>{
          field("profile", &Keys::profile, "a profile of a GPU",
                "kernel lengths and activity of models, measured alone by mimus calibrate"),
          field("lengths", &Keys::lengths, kPositive, "mean time of a kernel, by model"),
          field("activity", &Keys::activity, kFraction,
                "share of multiprocessors kept active, by model; 1 for models that are not named"),
          field("weight", &Keys::weight, kNotNegative,
                "slowdown minus 1 beside kernels of the same length that keep all multiprocessors "
                "active"),
          field("length_exponent", &Keys::length_exponent, kNotNegative,
                "how the wait grows with the ratio of lengths"),
          field("activity_exponent", &Keys::activity_exponent, kNotNegative,
                "how the wait grows with the activity of the others")},
      [inputs](const Keys& keys, const YamlReader& reader) {
        const KernelsLaw::Settings settings{.weight = keys.weight,
                                            .length_exponent = keys.length_exponent,
                                            .activity_exponent = keys.activity_exponent};
        return std::make_unique<KernelsLaw>(settings, loads_of(keys, reader, inputs),
                                            inputs.models);
      });
}

}  // namespace mimus::emulator
