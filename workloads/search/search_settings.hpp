// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "workloads/jobs/answer.hpp"
#include "workloads/jobs/training_request.hpp"
#include "workloads/models/model_reference.hpp"
#include "workloads/search/halving.hpp"

namespace mimus::workloads {

/// Of which trials draw their learning rates, over the best one at their batch.
struct LearningRates {
  double min = 0.01;
  double max = 1.9;
};

/// Parameters of the source `search`.
struct SearchSettings {
  enum class Rule {
    random,  ///< every trial is trained to its end
    asha,    ///< trials are stopped by `halving`
  };
  std::int64_t searches = 1;
  Duration mean_interarrival{};  ///< of searches; zero: all at once
  std::int64_t trials = 1;       ///< of each search
  std::int64_t at_once = 4;      ///< of each search
  std::optional<ModelReference> model;
  int gang = 1;
  SourceLocation gang_where;
  std::vector<std::int64_t> batches;  ///< total; empty: the reference batch
  WorkKeys keys;                      ///< of the work as they are written
  Work work{Work::Unit::training, 1.0};
  LearningRates learning_rate;
  Rule rule = Rule::random;
  Halving::Settings halving;
  double loss_noise = 0.01;  ///< of a validation, relative
  std::optional<double> estimate_error;
  std::string hash;  ///< 16 hex digits over all parameters

  /// Of a stream of these trials.
  [[nodiscard]] Hears hears() const { return rule == Rule::asha ? Hears::progress : Hears::ends; }
};

[[nodiscard]] const Fields<SearchSettings>& search_fields();
/// Throws ConfigError.
[[nodiscard]] SearchSettings read_search(YamlReader& reader);

}  // namespace mimus::workloads
