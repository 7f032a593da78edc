// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/no_estimate.hpp"
#include "scheduler/estimate/profile_estimate.hpp"

namespace mimus::scheduler {

Registry<Estimator> estimate_choices(std::shared_ptr<const ThroughputEstimate> throughput) {
  return {"estimate",
          {{"none",
            "no belief beyond what the user stated",
            {},
            [](YamlReader&) { return std::make_unique<NoEstimate>(); }},
           {"profile",
            "throughput from a profile, noise scale as the job reports it",
            {},
            [throughput](YamlReader&) { return std::make_unique<ProfileEstimate>(throughput); }}}};
}

}  // namespace mimus::scheduler
