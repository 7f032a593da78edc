// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/affinity.hpp"

#include <algorithm>
#include <vector>

namespace mimus::scheduler {
namespace {

enum Score { kSame = 0, kNone = 1, kOther = 2 };

bool alike(const JobKind& a, const JobKind& b, KindTraits by) {
  return (!by.gang || a.gang == b.gang) && (!by.model || a.model == b.model);
}

}  // namespace

int Affinity::score(const JobKind& kind, const FreeGpus& free, NodeId node) const {
  struct Held {
    const JobKind* kind;
    int places;
  };
  std::vector<Held> held;  // by kinds that this choice distinguishes; few per node
  for (const Tenant* tenant : free.tenants_on(node)) {
    const auto of_kind = [&](const Held& h) { return alike(*h.kind, *tenant->kind, by_); };
    const auto found = std::find_if(held.begin(), held.end(), of_kind);
    if (found == held.end()) {
      held.push_back({tenant->kind, 1});
    } else {
      ++found->places;
    }
  }
  if (held.empty()) return kNone;
  const auto fewer = [](const Held& a, const Held& b) {
    return a.places < b.places || (a.places == b.places && a.kind->number > b.kind->number);
  };
  const Held& most = *std::max_element(held.begin(), held.end(), fewer);
  return alike(*most.kind, kind, by_) ? kSame : kOther;
}

}  // namespace mimus::scheduler
