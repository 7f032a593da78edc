// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/fields.hpp"
#include "emulator/campaign/campaign.hpp"
#include "results/summary/summary.hpp"
#include "results/totals/measured_window.hpp"

namespace mimus::emulator {

[[nodiscard]] const Fields<results::MeasuredWindow>& measure_fields();
/// Reads the first and the last job of `window`; false if the key is absent. Throws ConfigError.
bool read_job_range(YamlReader& reader, const Param<std::optional<std::string>>& key,
                    results::MeasuredWindow& window);
/// Reads `measure:` of a campaign; the whole run where it is absent. Throws ConfigError.
[[nodiscard]] results::MeasuredWindow read_measure(YamlReader& root);

/// Refuses a window that cells cannot have: no job of theirs is in it, or their files keep no jobs;
/// notes one that ends after the last job. Throws ConfigError.
void check_measure(Campaign& campaign, const ConfigNode& document);

/// Warns of complete cells in which fewer jobs are measured than the window requests.
void warn_of_short_windows(const std::vector<results::CellSummary>& cells);

/// Warns of cells of which more than one measured job in a hundred ended after the last arrival.
void warn_of_emptying_clusters(const std::vector<results::CellSummary>& cells);

/// Notes if most of a whole run is drain: time after the last arrival, in which the cluster
/// empties.
void point_out_drain(const std::vector<results::CellSummary>& cells);

/// Warns where `measure` has changed since the cells were run: their files keep the window that
/// they were run with, for mimus summary and mimus report.
void warn_of_recorded_window(const Campaign& campaign,
                             const std::vector<results::CellSummary>& cells);

}  // namespace mimus::emulator
