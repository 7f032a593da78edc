// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/locality/skew.hpp"

namespace mimus::scheduler {
namespace {

enum SkewLevel { kConsolidate = 0, kScatter = 1 };

}  // namespace

std::optional<Allocation> Skew::place(const FreeGpus& free, const PlacementRequest& request) const {
  return request.level == kScatter ? anywhere_.place(free, request)
                                   : consolidated_.place(free, request);
}

int Skew::level(const JobView& waiting, Instant) const {
  const double skew = waiting.model.tensor_skew;
  const bool known = skew > 0.0;
  return known && skew <= settings_.limit ? kScatter : kConsolidate;
}

}  // namespace mimus::scheduler
