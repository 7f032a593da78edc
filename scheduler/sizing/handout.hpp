// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "scheduler/admission/admission.hpp"

namespace mimus::scheduler {

/// A job that has GPUs or could start.
struct Contender {
  const JobView* job;
  int group = 0;  ///< that admission counts it in
};

/// The GPUs of one round while they are given away, and what admission makes of it: its usage is
/// what has been given, not what jobs hold from the round before.
class Handout {
 public:
  enum class Answer { given, over_quota, does_not_fit };

  /// `gpus`: that may be used, of `in_cluster`. `admission` must outlive this object.
  Handout(const Admission& admission, int gpus, int in_cluster)
      : admission_(admission), left_(gpus), in_cluster_(in_cluster) {}
  virtual ~Handout() = default;
  Handout(const Handout&) = delete;
  Handout& operator=(const Handout&) = delete;

  /// Gives the job `more` GPUs beyond those it was given, or, when that is not possible, none.
  [[nodiscard]] Answer give(const Contender& contender, int more);
  [[nodiscard]] int left() const { return left_; }

 private:
  /// Whether there is a place for them; asked for each job that is given GPUs.
  [[nodiscard]] virtual bool find_place(const Contender& contender, int more);
  [[nodiscard]] bool admits(const Contender& contender, int more) const;

  const Admission& admission_;
  int left_;
  int in_cluster_;
  MilliGpus given_;
  std::map<int, MilliGpus> given_to_;  ///< by group
};

}  // namespace mimus::scheduler
