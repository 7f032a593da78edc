// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"

namespace mimus::workloads {

/// What records of clusters are known to contain besides clean jobs.
enum class Oddity {
  never_started,
  zero_gpus,
  missing_end,
  negative_run_time,
  zero_run_time,
  negative_wait,
  fractional_gang,
  duplicate_id,
  unsorted,
};
inline constexpr std::size_t kOddities = 9;

/// One way to deal with an oddity: the first of each rule's is the default.
struct Remedy {
  std::string_view value;    ///< of the option
  std::string_view meaning;  ///< what is odd and what is done, for notes
};

struct OddityRule {
  Oddity oddity;
  std::string_view reason;  ///< key in reports
  std::string_view option;  ///< key in YAML; empty where there is nothing to choose
  std::string_view summary;
  std::span<const Remedy> remedies;
};

/// One rule for each oddity, in the order of the enumeration: the stated policy.
[[nodiscard]] std::span<const OddityRule> oddity_rules();
[[nodiscard]] const OddityRule& rule_for(Oddity oddity);

/// The remedy chosen for each oddity, as an index into its rule's remedies.
class OddityPolicy {
 public:
  /// Takes the remedy number `remedy` of the oddity's rule.
  void choose(Oddity oddity, std::size_t remedy) {
    chosen_[static_cast<std::size_t>(oddity)] = remedy;
  }
  /// True when the remedy has this value; `value` must be one of the rule's.
  [[nodiscard]] bool is(Oddity oddity, std::string_view value) const;
  [[nodiscard]] std::string_view meaning(Oddity oddity) const;
  /// All choices in one line, for hashes and keys.
  [[nodiscard]] std::string text() const;

 private:
  std::array<std::size_t, kOddities> chosen_{};
};

/// The options of those oddities that may occur.
[[nodiscard]] Fields<OddityPolicy> oddity_fields(const std::vector<Oddity>& possible);

}  // namespace mimus::workloads
