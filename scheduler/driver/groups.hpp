// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

namespace mimus::scheduler {

/// The groups that admission counts jobs in, numbered as they come up, and the GPU slots that each
/// of them holds.
class Groups {
 public:
  [[nodiscard]] int number_of(const std::string& name) {
    if (name.empty()) return 0;
    const auto [found, is_new] = numbers_.try_emplace(name, static_cast<int>(held_.size()));
    if (is_new) {
      held_.push_back(0);
      stopping_.push_back(0);
    }
    return found->second;
  }
  [[nodiscard]] int held_by(int group) const { return held_[static_cast<std::size_t>(group)]; }
  [[nodiscard]] int held() const { return total_; }
  /// Of these, slots of jobs that are being stopped.
  [[nodiscard]] int stopping_in(int group) const {
    return stopping_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] int stopping() const { return total_stopping_; }
  /// The group holds so many more slots, or fewer when negative.
  void change(int group, int slots) {
    held_[static_cast<std::size_t>(group)] += slots;
    total_ += slots;
  }
  /// So many more of its slots, or fewer when negative, are those of jobs being stopped.
  void change_stopping(int group, int slots) {
    stopping_[static_cast<std::size_t>(group)] += slots;
    total_stopping_ += slots;
  }

 private:
  std::unordered_map<std::string, int> numbers_;
  std::vector<int> held_{0};  ///< the first one is the group without a name
  std::vector<int> stopping_{0};
  int total_ = 0;
  int total_stopping_ = 0;
};

}  // namespace mimus::scheduler
