// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

namespace mimus::scheduler {

/// The rule of Cluster Energy Saving by which nodes are switched on and off (Hu et al., Helios,
/// SC'21, algorithm 2; thresholds as its artifact has them, in nodes). Time is cut into steps. The
/// initial values are those for Helios' cluster Venus.
class CesRule {
 public:
  struct Settings {
    int history = 3;           ///< steps whose mean the present use is compared with
    int future = 18;           ///< steps of the forecast
    double drop = 0.5;         ///< least fall from the history to the present [nodes]
    double future_drop = 1.0;  ///< least fall from the present to the forecast [nodes]
    int least = 2;             ///< fewest nodes that are switched off at once
    int buffer = 5;            ///< nodes that stay on beyond those in use
    int keep = 12;             ///< steps after nodes were switched on in which none is switched off
    int warm_up = 6;           ///< first steps, in which just `buffer` nodes more are on than used
  };
  /// Mean forecast of the use in the next steps, the present one included.
  using Forecast = std::function<double(int steps)>;

  CesRule(const Settings& settings, int nodes);

  /// A step has ended in which at most `used` nodes were in use or requested. Switches nodes on if
  /// more are used than on, or off if use has fallen and is predicted to fall further.
  void end_step(int used, const Forecast& forecast);
  /// Within a step: switches nodes on if more are in use, or asked for, than are on. True if so.
  bool meet(int used);

  /// Number of nodes that are on or being switched on.
  [[nodiscard]] int active() const { return active_; }
  [[nodiscard]] bool warming_up() const { return step_ < settings_.warm_up; }
  /// True if exactly this number of nodes was used in all steps with which the present one is
  /// compared.
  [[nodiscard]] bool has_used_just(int used) const;

 private:
  [[nodiscard]] bool falls(int used, const Forecast& forecast) const;
  void save(int used, const Forecast& forecast);

  Settings settings_;
  int nodes_;
  int active_;
  std::int64_t step_ = 0;   ///< that is under way
  std::int64_t hold_ = 0;   ///< the first step in which nodes may be switched off again
  std::deque<int> recent_;  ///< use in the last `history` steps
};

}  // namespace mimus::scheduler
