// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// The traits by which a placement or sharing choice distinguishes jobs, beyond those that every
/// request holds.
struct KindTraits {
  bool gang = false;
  bool model = false;
  bool utilisation = false;  ///< as estimated
  [[nodiscard]] bool any() const { return gang || model || utilisation; }
  [[nodiscard]] KindTraits operator|(KindTraits other) const {
    return {gang || other.gang, model || other.model, utilisation || other.utilisation};
  }
};

/// Jobs with equal traits of these; the other traits have their defaults.
struct JobKind {
  int number = 0;  ///< from 0 on, in order of appearance
  int gang = 0;
  std::string model;
  double utilisation = 1.0;  ///< JobView::estimated_utilisation, to a hundredth of a per cent
};

/// Every kind that has appeared, once. Equal kinds have equal addresses, which do not change.
class JobKinds {
 public:
  explicit JobKinds(KindTraits traits) : traits_(traits) {}

  /// The kind of a job on a number of GPUs. Null if no choice distinguishes kinds, so that requests
  /// are as without kinds.
  [[nodiscard]] const JobKind* of(const JobView& job, int gpus) {
    return traits_.any() ? &find(job, gpus) : nullptr;
  }

 private:
  [[nodiscard]] const JobKind& find(const JobView& job, int gpus);

  KindTraits traits_;
  std::map<std::tuple<int, std::string, int>, JobKind> kinds_;  ///< gang, model, utilisation
};

}  // namespace mimus::scheduler
