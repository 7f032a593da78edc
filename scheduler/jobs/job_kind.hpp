// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// By which traits a placement or sharing choice tells jobs apart, beyond what every request holds.
struct KindTraits {
  bool gang = false;
  bool model = false;
  bool utilisation = false;  ///< as it is believed
  [[nodiscard]] bool any() const { return gang || model || utilisation; }
  [[nodiscard]] KindTraits operator|(KindTraits other) const {
    return {gang || other.gang, model || other.model, utilisation || other.utilisation};
  }
};

/// Jobs that are alike in those traits; the others are left at their defaults.
struct JobKind {
  int number = 0;  ///< from 0 on, in the order in which kinds have come
  int gang = 0;
  std::string model;
  double utilisation = 1.0;  ///< JobView::estimated_utilisation, to a hundredth of a per cent
};

/// Every kind that has come, once: equal kinds have equal addresses, which stay.
class JobKinds {
 public:
  explicit JobKinds(KindTraits traits) : traits_(traits) {}

  /// Of a job on so many GPUs. Null when no choice tells jobs apart: then requests are what they
  /// would be without kinds.
  [[nodiscard]] const JobKind* of(const JobView& job, int gpus) {
    return traits_.any() ? &find(job, gpus) : nullptr;
  }

 private:
  [[nodiscard]] const JobKind& find(const JobView& job, int gpus);

  KindTraits traits_;
  std::map<std::tuple<int, std::string, int>, JobKind> kinds_;  ///< gang, model, utilisation
};

}  // namespace mimus::scheduler
