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

MeasuredPairs read_source(const PairsKeys& keys, const YamlReader& reader,
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
  return {std::move(matrix), {}};
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
bool is_measured(const Row& row) {
  return row.slowdown > 0.0 && row.steps > 0;
}

template <class Row>
void add(MeanSlowdowns& means, const Row& row, const std::string& beside) {
  for (const std::int64_t batch : {std::int64_t{0}, row.per_gpu_batch}) {
    means[{row.model, beside, batch}].add(row.slowdown, row.steps);
  }
}

/// Noise can make a pair look faster than its baseline; a slowdown below 1 has no meaning here.
PairMatrix matrix_of(const MeanSlowdowns& means) {
  PairMatrix matrix;
  for (const auto& [key, mean] : means) matrix[key] = std::max(1.0, mean.weighted / mean.steps);
  return matrix;
}

MeasuredPairs calibrated_pairs(const std::string& path, const workloads::ModelCatalogue* models,
                               const std::string& gpu) {
  const auto profile = results::read_profile_file(path);
  for (const auto& row : profile.rows) check_gpu_type(path, row.gpu, gpu);
  if (models != nullptr) check_fingerprints(path, profile, *models);
  MeanSlowdowns means;
  for (const auto& row : profile.pairs) {
    if (is_measured(row)) add(means, row, row.co_model);
  }
  return {matrix_of(means), {}};
}

/// Whether all co-tenants shared one GPU of the gang, so that they caused its slowdown together. If
/// GPUs have different co-tenants, the slowest one decides, and the row does not say which it was.
bool beside_all_on_one_gpu(const results::PairRow& row) {
  return row.co_tenants == 1 + std::count(row.co_models.begin(), row.co_models.end(), '+');
}

MeasuredPairs recorded_pairs(const results::Reader& file) {
  MeanSlowdowns on_one_gpu;
  MeanSlowdowns of_gangs;
  for (const auto& row : file.rows<results::PairRow>()) {
    if (!is_measured(row)) continue;
    if (beside_all_on_one_gpu(row)) add(on_one_gpu, row, row.co_models);
    of_gangs[{row.model, row.co_models, row.per_gpu_batch}].add(row.slowdown, row.steps);
  }
  return {matrix_of(on_one_gpu), matrix_of(of_gangs)};
}

bool is_empty(const MeasuredPairs& pairs) {
  return pairs.on_one_gpu.empty() && pairs.of_gangs.empty();
}

}  // namespace

MeasuredPairs read_pairs(const std::string& path, const workloads::ModelCatalogue* models,
                         const std::string& gpu) {
  const results::Reader file(path);
  const bool calibrated = file.recorded("profile");
  if (!calibrated) check_gpu_type(path, file.attribute("gpu"), gpu);
  MeasuredPairs pairs = calibrated ? calibrated_pairs(path, models, gpu) : recorded_pairs(file);
  if (is_empty(pairs)) {
    throw ConfigError({path, 0, 0}, "",
                      "holds no measured pair; use a profile (mimus calibrate --pairs) or the "
                      "result of a live run with shared GPUs, recorded in full");
  }
  return pairs;
}

bool holds_pairs(const results::Reader& run) {
  return !is_empty(recorded_pairs(run));
}

std::string PairsLaw::name() const {
  return otherwise_ == nullptr ? "pairs" : "pairs, else " + otherwise_->name();
}

const double* PairsLaw::find(const GpuTenant& tenant, const std::string& beside) const {
  const PairMatrix& matrix = pairs_.on_one_gpu;
  auto found = matrix.find({model_of(tenant), beside, tenant.batch});
  if (found == matrix.end()) found = matrix.find({model_of(tenant), beside, 0});
  return found == matrix.end() ? nullptr : &found->second;
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

std::optional<double> PairsLaw::gang_slowdown(const GpuTenant& gang,
                                              std::span<const std::string_view> beside) const {
  if (pairs_.of_gangs.empty()) return std::nullopt;
  const auto found =
      pairs_.of_gangs.find({model_of(gang), fmt::format("{}", fmt::join(beside, "+")), gang.batch});
  return found == pairs_.of_gangs.end() ? std::nullopt : std::optional(found->second);
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
        MeasuredPairs pairs = read_source(keys, reader, inputs);
        std::unique_ptr<SharingLaw> law;
        if (keys.otherwise != Otherwise::refuse) {
          law = make_sharing_law(ConfigNode::text(otherwise.text(keys.otherwise)), inputs);
        }
        return std::make_unique<PairsLaw>(std::move(pairs), std::move(law));
      });
}

}  // namespace mimus::emulator
