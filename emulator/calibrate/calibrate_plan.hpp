// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/calibrate/calibrate.hpp"
#include "emulator/calibrate/calibrate_bed.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "results/schema/rows.hpp"

namespace mimus::emulator {

/// One future row of a profile: a model with a batch on an allocation.
struct SoloPoint {
  const workloads::Model* model = nullptr;
  std::vector<int> shape;  ///< replicas per node, largest first
  std::int64_t batch = 0;  ///< per GPU
};

/// Two models, or two replicas of one, on one GPU.
struct PairPoint {
  const workloads::Model* first = nullptr;
  std::int64_t first_batch = 0;
  const workloads::Model* second = nullptr;
  std::int64_t second_batch = 0;
};

/// The links of one gang.
struct LinkPoint {
  std::vector<int> shape;  ///< ranks per node, largest first
};

struct CalibrationPlan {
  std::vector<SoloPoint> alone;
  std::vector<PairPoint> pairs;
  std::vector<LinkPoint> links;
  std::vector<std::string> notes;  ///< requested measurements that are left out, and why
};

/// The sharing of all pairs: one lane for each of two tenants, as `sharing: {name: tenants}`.
inline constexpr const char* kPairSharing = "tenants-2";

/// The measurements to make, except links. The bed's cluster must have been fitted. `bed` must
/// outlive the plan. Throws UsageError when nothing is left to measure or a model is unknown.
[[nodiscard]] CalibrationPlan plan_calibration(const CalibrateOptions& options,
                                               const CalibrationBed& bed);

/// The slots of a shape: the first GPUs of the first nodes, lane 0.
[[nodiscard]] std::vector<scheduler::Slot> slots_of(const scheduler::ClusterShape& cluster,
                                                    const std::vector<int>& shape);

/// The row of a measured point: the columns that say where it was measured.
[[nodiscard]] results::ProfileRow key_row(const SoloPoint& point, const CalibrationBed& bed);
[[nodiscard]] bool same_point(const results::ProfileRow& a, const results::ProfileRow& b);
/// Rows of both directions of a pair; one for a model beside itself.
[[nodiscard]] std::vector<results::ProfilePairRow> key_rows(const PairPoint& point);
[[nodiscard]] bool same_point(const results::ProfilePairRow& a, const results::ProfilePairRow& b);

/// The plan of the footprint model, and its solo step time.
[[nodiscard]] kernels::FootprintPlan footprint(const SoloPoint& point, const CalibrationBed& bed);
[[nodiscard]] Duration modelled_step(const SoloPoint& point, const CalibrationBed& bed);

/// Rough wall time of the measurements: if all intervals are tight at the first check, and if none
/// ever is.
struct CalibrationCost {
  Duration least{};
  Duration most{};
};
[[nodiscard]] CalibrationCost cost_of(const CalibrationPlan& plan, const CalibrationBed& bed,
                                      const CalibrateOptions& options);

}  // namespace mimus::emulator
