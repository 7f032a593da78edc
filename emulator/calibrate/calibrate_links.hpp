// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "emulator/calibrate/calibrate_bed.hpp"
#include "emulator/calibrate/calibrate_plan.hpp"
#include "emulator/live/engine/live_engine.hpp"
#include "results/schema/rows.hpp"

namespace mimus::emulator {

/// The gangs that --links measures on a cluster of this size: those of `shapes` that have a link.
/// If there are none: two GPUs and all GPUs of a node, and one GPU of two nodes and of all nodes,
/// as far as they exist.
[[nodiscard]] std::vector<LinkPoint> link_points(const std::vector<std::vector<int>>& shapes,
                                                 const scheduler::ClusterShape& cluster);

/// Sizes of the reduced buffers: 4 KiB and its doubles up to 64 MiB. On CUDA devices up to 256 MiB,
/// because faster links need longer to fill.
[[nodiscard]] std::vector<std::int64_t> link_sizes(const EngineConfig& engine);
/// Wall time for the operations of one size; at least five are timed however long they take.
inline constexpr Duration kLinkBudget = std::chrono::milliseconds{300};

/// The row of one size. `hosts` has the host of every rank of the world. A link is called the
/// network only if a gang's ranks ran on several hosts, because nodes of an emulated cluster may
/// share a machine.
[[nodiscard]] results::ProfileLinkRow link_row(const LinkPoint& point, const CalibrationBed& bed,
                                               const std::vector<std::string>& hosts,
                                               const LinkTimes& times);

/// Rank 0: lets the workers of the point's GPUs reduce buffers of every one of `sizes`, and passes
/// on each row once it is measured. `engine` must not have begun its clock. Throws like
/// LiveEngine::await().
void measure_links(const LinkPoint& point, const std::vector<std::int64_t>& sizes,
                   const CalibrationBed& bed, const LiveWorld& world, Mailbox& mailbox,
                   LiveEngine& engine,
                   const std::function<void(const results::ProfileLinkRow&)>& take);

/// The columns of a row that say where it is measured, known before the measurement; and whether
/// two rows are of one size and gang.
[[nodiscard]] results::ProfileLinkRow key_row(const LinkPoint& point, std::int64_t bytes);
[[nodiscard]] bool same_point(const results::ProfileLinkRow& a, const results::ProfileLinkRow& b);

}  // namespace mimus::emulator
