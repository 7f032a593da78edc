// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/campaign/status/campaign_status.hpp"

namespace mimus::emulator {

/// Writes campaign.h5 and metrics.csv into the folder of the results: every cell with its state,
/// the rows and figures of the done ones. UsageError when no cell is done, IoError when files do
/// not go together.
void merge_campaign(const Campaign& campaign, const CampaignStatus& status, bool copy);

}  // namespace mimus::emulator
