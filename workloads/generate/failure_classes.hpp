// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.hpp"
#include "base/time.hpp"
#include "workloads/generate/alias_table.hpp"

namespace mimus::workloads {

/// What makes training fail, how often, and after how long: Jeon et al. (ATC'19), Table 7.
class FailureClasses {
 public:
  FailureClasses();

  /// Index of a class, by its share of the failed trials.
  [[nodiscard]] std::size_t draw_class(RandomStream& random) const { return classes_.draw(random); }
  /// Time that a trial of the class runs until it fails.
  [[nodiscard]] static Duration draw_time(std::size_t failure_class, RandomStream& random);
  [[nodiscard]] static const char* reason(std::size_t failure_class);
  /// Of machines, network or storage: it strikes anybody, at any time, and not the job's own code.
  [[nodiscard]] static bool is_of_machines(std::size_t failure_class);

 private:
  AliasTable classes_;
};

}  // namespace mimus::workloads
