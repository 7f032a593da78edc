// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/jobs/milli_gpus.hpp"

namespace mimus::scheduler {

/// The groups in which admission counts jobs, in order of appearance, and the GPUs that each holds:
/// slots times the share of each.
class Groups {
 public:
  /// The group without a name, whose GPUs are not part of held().
  static constexpr int kUncounted = 0;

  [[nodiscard]] int number_of(const std::string& name) {
    if (name.empty()) return kUncounted;
    const auto [found, is_new] = numbers_.try_emplace(name, static_cast<int>(held_.size()));
    if (is_new) {
      held_.emplace_back();
      stopping_.emplace_back();
    }
    return found->second;
  }
  [[nodiscard]] MilliGpus held_by(int group) const {
    return held_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] MilliGpus held() const { return total_; }
  /// GPUs of these that jobs hold which are being stopped.
  [[nodiscard]] MilliGpus stopping_in(int group) const {
    return stopping_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] MilliGpus stopping() const { return total_stopping_; }
  /// The group holds this much more, or less if negative.
  void change(int group, MilliGpus gpus) {
    held_[static_cast<std::size_t>(group)] += gpus;
    if (group != kUncounted) total_ += gpus;
  }
  /// Jobs that are being stopped hold this much more of it, or less if negative.
  void change_stopping(int group, MilliGpus gpus) {
    stopping_[static_cast<std::size_t>(group)] += gpus;
    if (group != kUncounted) total_stopping_ += gpus;
  }

 private:
  std::unordered_map<std::string, int> numbers_;
  std::vector<MilliGpus> held_{MilliGpus{}};  ///< the first one is the group without a name
  std::vector<MilliGpus> stopping_{MilliGpus{}};
  MilliGpus total_;
  MilliGpus total_stopping_;
};

}  // namespace mimus::scheduler
