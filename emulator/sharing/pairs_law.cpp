// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/sharing/pairs_law.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/fields.hpp"
#include "emulator/sharing/profile_models.hpp"
#include "results/file/reader.hpp"
#include "workloads/traces/input/input_path.hpp"

namespace mimus::emulator {
namespace {

std::string model_of(const GpuTenant& tenant) {
  return tenant.model.empty() ? "(no model)" : std::string(tenant.model);
}

struct PairsKeys {
  enum class Otherwise { refuse, none, slices, mps };
  std::map<std::string, std::map<std::string, double>> slowdowns;
  std::optional<workloads::InputPath> profile;
  Otherwise otherwise = Otherwise::refuse;
};

PairMatrix read_source(const PairsKeys& keys, const YamlReader& reader,
                       const SharingInputs& inputs) {
  const bool in_place = reader.mapping().find("slowdowns") != nullptr;
  if (in_place == keys.profile.has_value()) {
    reader.fail("", "give either a matrix under \"slowdowns\" or a file as \"profile\"");
  }
  if (!in_place) {
    return read_pairs(workloads::expanded_path(keys.profile->named), inputs.models,
                      inputs.gpu_type);
  }
  PairMatrix matrix;
  for (const auto& [model, row] : keys.slowdowns) {
    for (const auto& [other, factor] : row) matrix[{model, other}] = factor;
  }
  if (matrix.empty()) reader.fail("slowdowns", "names no pair; write {model: {co-tenant: factor}}");
  return matrix;
}

/// A mean that is weighted by steps.
struct MeanSlowdown {
  double weighted = 0.0;
  double steps = 0.0;

  void add(double slowdown, std::int64_t count) {
    weighted += slowdown * static_cast<double>(count);
    steps += static_cast<double>(count);
  }
};
using MeanSlowdowns = std::map<TenantPair, MeanSlowdown>;

template <class Row>
void add(MeanSlowdowns& means, const Row& row, const std::string& beside) {
  if (row.slowdown <= 0.0 || row.steps <= 0) return;
  for (const std::int64_t batch : {std::int64_t{0}, row.per_gpu_batch}) {
    means[{row.model, beside, batch}].add(row.slowdown, row.steps);
  }
}

MeanSlowdowns calibrated_pairs(const std::string& path, const workloads::ModelCatalogue* models,
                               const std::string& gpu) {
  const auto profile = results::read_profile_file(path);
  for (const auto& row : profile.rows) check_gpu_type(path, row.gpu, gpu);
  if (models != nullptr) check_fingerprints(path, profile, *models);
  MeanSlowdowns means;
  for (const auto& row : profile.pairs) add(means, row, row.co_model);
  return means;
}

/// Whether the gang had all its co-tenants on one GPU, so that its slowdown is theirs together.
/// That of a gang with others on other GPUs is the largest of several, and nobody knows whose.
bool beside_all_on_one_gpu(const results::PairRow& row) {
  return row.co_tenants == 1 + std::count(row.co_models.begin(), row.co_models.end(), '+');
}

MeanSlowdowns recorded_pairs(const results::Reader& file) {
  MeanSlowdowns means;
  for (const auto& row : file.rows<results::PairRow>()) {
    if (beside_all_on_one_gpu(row)) add(means, row, row.co_models);
  }
  return means;
}

}  // namespace

PairMatrix read_pairs(const std::string& path, const workloads::ModelCatalogue* models,
                      const std::string& gpu) {
  const results::Reader file(path);
  const bool calibrated = file.recorded("profile");
  if (!calibrated) check_gpu_type(path, file.attribute("gpu"), gpu);
  MeanSlowdowns means = calibrated ? calibrated_pairs(path, models, gpu) : recorded_pairs(file);
  if (means.empty()) {
    throw ConfigError({path, 0, 0}, "",
                      "holds no measured pair; use a profile (mimus calibrate --pairs) or the "
                      "result of a live run with shared GPUs, recorded in full");
  }
  PairMatrix matrix;
  // Noise can make a pair look faster than its baseline; a slowdown below 1 has no meaning here.
  for (const auto& [key, mean] : means) matrix[key] = std::max(1.0, mean.weighted / mean.steps);
  return matrix;
}

bool holds_pairs(const results::Reader& run) {
  return !recorded_pairs(run).empty();
}

std::string PairsLaw::name() const {
  return otherwise_ == nullptr ? "pairs" : "pairs, else " + otherwise_->name();
}

const double* PairsLaw::find(const GpuTenant& tenant, const std::string& beside) const {
  auto found = matrix_.find({model_of(tenant), beside, tenant.batch});
  if (found == matrix_.end()) found = matrix_.find({model_of(tenant), beside, 0});
  return found == matrix_.end() ? nullptr : &found->second;
}

double PairsLaw::pair(const GpuTenant& tenant, const GpuTenant& other) const {
  if (const double* found = find(tenant, model_of(other))) return *found;
  if (otherwise_ != nullptr) return otherwise_->slowdown(tenant, {&other, 1});
  throw UsageError(
      fmt::format("no slowdown is known for {} beside {}; measure the pair, add it to "
                  "\"slowdowns\", or set \"otherwise\" to none, slices or mps",
                  model_of(tenant), model_of(other)));
}

double PairsLaw::slowdown(const GpuTenant& tenant, std::span<const GpuTenant> beside) const {
  if (beside.size() > 1) {
    std::vector<std::string> models;
    for (const GpuTenant& other : beside) models.push_back(model_of(other));
    std::sort(models.begin(), models.end());
    if (const double* found = find(tenant, fmt::format("{}", fmt::join(models, "+")))) {
      return *found;
    }
  }
  double slowdown = 1.0;
  for (const GpuTenant& other : beside) slowdown += pair(tenant, other) - 1.0;
  return slowdown;
}

Choice<SharingLaw> pairs_choice(const SharingInputs& inputs) {
  using Otherwise = PairsKeys::Otherwise;
  const Domain<Otherwise> otherwise{{"refuse", Otherwise::refuse},
                                    {"none", Otherwise::none},
                                    {"slices", Otherwise::slices},
                                    {"mps", Otherwise::mps}};
  return choice_from<SharingLaw>(
      "pairs", "measured slowdowns of pairs of models",
      Fields<PairsKeys>{
          optional_field("slowdowns", &PairsKeys::slowdowns, kAtLeastOne, "the matrix itself")
              .beyond("{model: {co-tenant: factor >= 1}}"),
          field("profile", &PairsKeys::profile, "a profile or result file",
                "the matrix, measured by mimus calibrate or in a live run"),
          field("otherwise", &PairsKeys::otherwise, otherwise,
                "what to do with pairs that were not measured")},
      [inputs, otherwise](const PairsKeys& keys, const YamlReader& reader) {
        PairMatrix matrix = read_source(keys, reader, inputs);
        std::unique_ptr<SharingLaw> law;
        if (keys.otherwise != Otherwise::refuse) {
          law = make_sharing_law(ConfigNode::text(otherwise.text(keys.otherwise)), inputs);
        }
        return std::make_unique<PairsLaw>(std::move(matrix), std::move(law));
      });
}

}  // namespace mimus::emulator
