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

/// The gangs that --links measures on a cluster of this size: those of `shapes` that have a link;
/// if there are none two GPUs and all of a node, one GPU of two nodes and all of all nodes, as far
/// as there are so many.
[[nodiscard]] std::vector<LinkPoint> link_points(const std::vector<std::vector<int>>& shapes,
                                                 const scheduler::ClusterShape& cluster);

/// Sizes of the buffers that are reduced: 4 KiB and its doubles up to 64 MiB, on CUDA devices to
/// 256 MiB, as faster links need longer to fill.
[[nodiscard]] std::vector<std::int64_t> link_sizes(const EngineConfig& engine);
/// Wall time for the operations of one size; at least five are timed however long they take.
inline constexpr Duration kLinkBudget = std::chrono::milliseconds{300};

/// The row of one size. `hosts`: of every rank of the world. Only where a gang's ranks ran on
/// several hosts is its link the network: nodes of an emulated cluster may be one machine.
[[nodiscard]] results::ProfileLinkRow link_row(const LinkPoint& point, const CalibrationBed& bed,
                                               const std::vector<std::string>& hosts,
                                               const LinkTimes& times);

/// Rank 0: has the workers of the point's GPUs reduce every one of `sizes`, and hands over each row
/// when it is measured. `engine` has not begun its clock. Throws as LiveEngine::await().
void measure_links(const LinkPoint& point, const std::vector<std::int64_t>& sizes,
                   const CalibrationBed& bed, const LiveWorld& world, Mailbox& mailbox,
                   LiveEngine& engine,
                   const std::function<void(const results::ProfileLinkRow&)>& take);

/// What a row says of where it was measured before it is; and whether two are of one size and gang.
[[nodiscard]] results::ProfileLinkRow key_row(const LinkPoint& point, std::int64_t bytes);
[[nodiscard]] bool same_point(const results::ProfileLinkRow& a, const results::ProfileLinkRow& b);

}  // namespace mimus::emulator
