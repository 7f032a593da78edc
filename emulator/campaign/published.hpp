// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/yaml_reader.hpp"
#include "emulator/campaign/campaign.hpp"
#include "emulator/campaign/sweep.hpp"

namespace mimus::emulator {

/// An entry of `published:`: the figures of one source for some cells.
struct Published {
  std::optional<Sweep::Match> cells;  ///< nothing: all of them
  std::vector<PublishedFigure> figures;
};

/// Reads `published:` of a campaign, if it is there. Cells are named as in sweep.only; figures by
/// the names of results::metrics(), with the unit of each. Throws ConfigError.
[[nodiscard]] std::vector<Published> read_published(YamlReader& root, const Sweep& sweep);
/// The published figures of one cell, in the order of the entries.
[[nodiscard]] std::vector<PublishedFigure> published_of(const SweepPoint& point,
                                                        const std::vector<Published>& entries);
/// The same as a JSON array, for result files: figure, value in its unit, source.
[[nodiscard]] std::string published_json(const std::vector<PublishedFigure>& figures);

}  // namespace mimus::emulator
