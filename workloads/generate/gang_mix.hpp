// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/fields.hpp"
#include "workloads/generate/alias_table.hpp"

namespace mimus::workloads {

struct WeightedGang {
  int gpus = 1;
  double weight = 0.0;
  SourceLocation where = {};
};

/// Gang sizes of a mix that fit a cluster. A job whose size fits gets the same on every cluster.
class FittingGangs {
 public:
  /// `all` ascends by size; the first `fitting` of them, at least one with a weight, fit.
  FittingGangs(const std::vector<WeightedGang>& all, std::size_t fitting);

  /// Index into gangs(). The size is drawn from the whole mix, and once more where it does not fit.
  [[nodiscard]] std::size_t draw(RandomStream& random) const;
  [[nodiscard]] const std::vector<WeightedGang>& gangs() const { return gangs_; }

 private:
  std::vector<WeightedGang> gangs_;
  AliasTable all_, fitting_;
};

/// Gang sizes and how often each is asked for.
struct GangMix {
  std::vector<WeightedGang> gangs;  ///< ascending by size
  bool given = false;               ///< by the user: then none is left out silently

  /// The sizes that fit the cluster. Default sizes that do not are left out with a note; a given
  /// one of positive weight throws ConfigError.
  [[nodiscard]] FittingGangs fitting(int cluster_gpus, std::vector<std::string>& notes) const;
};

using GangDefaults = std::vector<std::pair<int, double>>;

[[nodiscard]] GangMix usual_gangs(const GangDefaults& defaults);

inline constexpr Limits kWeight = between(0, 1e9);
/// What is said of a mapping to weights.
[[nodiscard]] inline ValueSpec weights_spec() {
  return {.type = ValueSpec::Type::number,
          .form = ValueSpec::Form::mapping,
          .limits = kWeight,
          .beyond = "weights >= 0"};
}

/// `gangs`; `defaults` where it is left out.
template <class S>
[[nodiscard]] Field<S> gangs_field(GangMix S::*member, const GangDefaults& defaults) {
  return field_or("gangs", member, usual_gangs(defaults), {},
                  "gang size to weight; default sizes above the cluster's are left out");
}

/// The weights of entries that have one.
template <class Entries>
std::vector<double> weights_of(const Entries& entries) {
  std::vector<double> weights;
  weights.reserve(entries.size());
  for (const auto& entry : entries) weights.push_back(entry.weight);
  return weights;
}

/// Mean of `value(i)` over the entries that have a weight; it is not asked for the others.
template <class Value>
double mean_over(const std::vector<double>& weights, Value value) {
  double sum = 0.0, total = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0.0) continue;
    sum += weights[i] * value(i);
    total += weights[i];
  }
  return sum / total;
}

/// ConfigError unless some entry has a weight above 0.
template <class Entries>
void refuse_all_zero(const YamlReader& weights, const Entries& entries) {
  for (const auto& entry : entries) {
    if (entry.weight > 0.0) return;
  }
  weights.fail("", "needs at least one weight above 0");
}

}  // namespace mimus::workloads

namespace mimus {

/// `{size: weight}`
template <>
struct Domain<workloads::GangMix> {
  [[nodiscard]] workloads::GangMix read(const ConfigNode& node, const std::string& path) const;
  [[nodiscard]] std::string text(const workloads::GangMix& mix) const;
  [[nodiscard]] ValueSpec spec() const { return workloads::weights_spec(); }
};

}  // namespace mimus
