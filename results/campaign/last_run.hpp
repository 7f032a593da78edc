// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace mimus::results {

/// A cell's id without its number, which changes with the rest of the sweep. The rest still
/// identifies the cell, because it contains the configuration's hash.
[[nodiscard]] std::string without_number(const std::string& id);

/// Ids, without numbers, of the cells of the last run of a campaign into `folder`, complete or not;
/// empty if no run has recorded them. Files alone cannot say which of two configurations is the
/// present one after a campaign was changed back, because complete cells are not written again.
[[nodiscard]] std::set<std::string> last_run(const std::string& folder,
                                             const std::string& campaign);

/// Writes these ids to CAMPAIGN.last-run, one per line. A run of some of the recorded cells changes
/// nothing, because the others still belong to the same campaign. Throws IoError when it cannot be
/// written.
void record_last_run(const std::string& folder, const std::string& campaign,
                     const std::vector<std::string>& ids);

}  // namespace mimus::results
