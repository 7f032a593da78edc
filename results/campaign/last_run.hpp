// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace mimus::results {

/// A cell's id without its number, which changes with what else is swept: with its configuration's
/// hash the rest says which cell it is.
[[nodiscard]] std::string without_number(const std::string& id);

/// Ids, without numbers, of the cells of the last run of a campaign into `folder`, complete or not;
/// empty where no run has left them. Files alone cannot say which of two configurations is the
/// present one once a campaign was changed back: what was complete is not written again.
[[nodiscard]] std::set<std::string> last_run(const std::string& folder,
                                             const std::string& campaign);

/// Leaves them in CAMPAIGN.last-run, one per line. A run of some of the cells that are there
/// changes nothing: the others are still of the same campaign. IoError when it cannot be written.
void leave_last_run(const std::string& folder, const std::string& campaign,
                    const std::vector<std::string>& ids);

}  // namespace mimus::results
