// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/random.hpp"
#include "base/time.hpp"
#include "workloads/failures/failure_tables.hpp"
#include "workloads/generate/alias_table.hpp"

namespace mimus::workloads {

enum class FailureStudy {
  philly,      ///< Jeon et al. (ATC 2019), classes with at least 100 trials
  philly_all,  ///< the same, all classes
  acme,        ///< Hu et al. (NSDI 2024)
};

/// What makes training fail, how often, and after how long.
class FailureClasses {
 public:
  /// Shares of all trials, whatever the gang. Or, with `gangs`, shares of the trials of each.
  explicit FailureClasses(FailureStudy study, const std::vector<int>& gangs = {});

  /// Index of a class, by its share of the failed trials. `gang`: index in `gangs`; without them it
  /// has no effect.
  [[nodiscard]] std::size_t draw_class(RandomStream& random, std::size_t gang = 0) const {
    return tables_[tables_.size() == 1 ? 0 : gang].draw(random);
  }
  /// Time that a trial of the class runs until it fails.
  [[nodiscard]] Duration draw_time(std::size_t failure_class, RandomStream& random) const;
  [[nodiscard]] const FailureClass& operator[](std::size_t failure_class) const {
    return classes_[failure_class];
  }
  [[nodiscard]] std::size_t size() const { return classes_.size(); }

 private:
  std::span<const FailureClass> classes_;
  std::vector<AliasTable> tables_;  ///< one for all gangs, or one for each
};

/// Failed trials of jobs of this size, up to a factor that all classes of a study share. Philly's
/// are counted by ranges of sizes. Of Acme only the mean size m of a class's jobs is known; its
/// sizes are taken to be exponential, so that a size g has a density of exp(-g / m) / m (assumed).
[[nodiscard]] double trials_of_gang(const FailureClass& failure_class, int gang);
/// Of all sizes.
[[nodiscard]] double all_trials(const FailureClass& failure_class);

}  // namespace mimus::workloads
