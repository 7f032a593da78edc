// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "scheduler/power/ces.hpp"

namespace mimus::emulator {

/// Number of nodes of a cluster in use, step by step.
struct NodeSequence {
  Duration begin{};  ///< of the first step, since 1970
  Duration step{};
  std::vector<int> used;   ///< most in each step; a step without records repeats the one before
  std::vector<int> nodes;  ///< of the cluster, in each step
};

/// Reads a table with the columns time (a date and time), active and total, in order of time.
/// `name` stands for the file in messages. Throws ConfigError, also for a table without rows.
[[nodiscard]] NodeSequence read_node_sequence(std::string_view text, const std::string& name,
                                              Duration step);

/// Part of a sequence: steps [first, last).
struct StepRange {
  std::size_t first = 0;
  std::size_t last = 0;
};
/// The steps of some days from `from` on, a date or a date and time. Throws UsageError if the
/// sequence does not have them all.
[[nodiscard]] StepRange steps_of(const NodeSequence& sequence, const std::string& from, int days);

/// The effect of a rule on the nodes of a recorded cluster, whose jobs it cannot delay. The figures
/// are those of Helios' artifact.
struct CesFigures {
  double changes_per_day = 0.0;
  double wake_ups_per_day = 0.0;
  double wake_up_size = 0.0;  ///< mean number of nodes that are woken together
  double nodes_off = 0.0;     ///< mean
  double used_share = 0.0;    ///< mean over the steps of used ÷ active nodes
  int short_steps = 0;        ///< steps in which more nodes were used than on
  int short_nodes = 0;        ///< their sum over these steps
  /// Mean distance of the forecast of the mean use in the next `future` steps from what it was,
  /// over the steps whose future the sequence knows [nodes].
  double forecast_error = 0.0;
};

/// A forecast of the mean use in steps [begin, end).
using SequenceForecast = std::function<double(std::size_t begin, std::size_t end)>;

/// Follows the rule through the steps of the range. `forecast` is asked for windows that end with
/// the range at the latest.
[[nodiscard]] CesFigures replay_ces(const NodeSequence& sequence, StepRange range,
                                    const scheduler::CesRule::Settings& rule,
                                    const SequenceForecast& forecast);
/// With a forecast at each step from the sequence up to it.
[[nodiscard]] CesFigures replay_ces(const NodeSequence& sequence, StepRange range,
                                    const scheduler::Ces::Settings& settings);
/// All nodes stay on.
[[nodiscard]] CesFigures replay_all_on(const NodeSequence& sequence, StepRange range);

}  // namespace mimus::emulator
