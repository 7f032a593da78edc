// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/fields.hpp"

namespace mimus::scheduler {

/// How the learning rate of a job follows its batch. The job itself applies the rule at every step.
///
/// With S = M/M₀ and AdaScale's gain r, which a job measures from its gradients, the factor on the
/// learning rate that its user set for M₀ is
///   adascale   r                        Johnson et al., ICML'20
///   unchanged  1
///   sqrt       √S                       Krizhevsky, 2014; Hoffer et al., 2017
///   linear     S, from 1 on in warm_up  Goyal et al., 2017
///   adam       √r                       AdaScale with Adam, as in AdaptDL's AdamScale
///   legw       √S, after a warm-up that is S times as long as the user's: You et al., SC'19
/// The user's learning rate is the one at equal progress, including its schedule. For LEGW this
/// includes the warm-up, so that the factor begins at √S/S and reaches √S at S × warm_up.
struct LearningRate {
  enum class Rule { adascale, unchanged, sqrt, linear, adam, legw };
  Rule rule = Rule::adascale;
  /// LEGW: warm-up of the user's schedule; linear: time until the factor is S. [steps at M₀]
  double warm_up = 0.0;

  /// `steps`: progress before the step, in steps at M₀. `scale` and `gain` > 0.
  [[nodiscard]] double factor(double scale, double gain, double steps) const;
};

/// As it is written in YAML.
[[nodiscard]] std::string name(LearningRate::Rule rule);

/// The keys of every batch choice for this rule; the default is `fallback`.
[[nodiscard]] Fields<LearningRate> learning_rate_fields(LearningRate::Rule fallback);

/// The keys of a batch choice whose settings S hold the rule in `learning_rate`, its own first.
template <class S>
[[nodiscard]] Fields<S> with_learning_rate(const Fields<S>& own) {
  return all_of<S>({own, within(&S::learning_rate, learning_rate_fields(S{}.learning_rate.rule))});
}

}  // namespace mimus::scheduler
