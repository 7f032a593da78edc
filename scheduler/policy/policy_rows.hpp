// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/admission/admission.hpp"
#include "scheduler/batch/batching.hpp"
#include "scheduler/cache/cache.hpp"
#include "scheduler/estimate/estimator.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/placement/placement.hpp"
#include "scheduler/planner/planner.hpp"
#include "scheduler/power/power.hpp"
#include "scheduler/preemption/preemption.hpp"
#include "scheduler/recovery/recovery.hpp"
#include "scheduler/sharing/sharing.hpp"

namespace mimus::scheduler {

// The choice of each seam that a policy leaves out.
inline constexpr const char* kDefaultAdmission = "accept_all";
inline constexpr const char* kDefaultEstimate = "none";
inline constexpr const char* kDefaultOrder = "fifo";
inline constexpr const char* kDefaultPlanner = "none";
inline constexpr const char* kDefaultBatch = "fixed";
inline constexpr const char* kDefaultPlacement = "pack";
inline constexpr const char* kDefaultSharing = "exclusive";
inline constexpr const char* kDefaultPreemption = "none";
inline constexpr const char* kDefaultRecovery = "retry";
inline constexpr const char* kDefaultPower = "never";
inline constexpr const char* kDefaultCache = "none";

/// In place of kDefaultEstimate when the batch choice needs an estimate.
inline constexpr const char* kEstimateForThroughput = "profile";
/// The same if a choice needs utilisation.
inline constexpr const char* kEstimateForUtilisation = "graph";

}  // namespace mimus::scheduler
