// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/config_tree.hpp"
#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// One swept key and the values it takes.
struct Axis {
  std::string path;  ///< dotted, inside cluster, workload, policy, engine or record
  std::vector<ConfigNode> values;
  SourceLocation where;
};

/// The `sweep:` mapping. Cells are the product of the grid axes and the rows of the zipped ones.
struct Sweep {
  /// A part of a cell: paths and the values they must have for the match to hold.
  struct Match {
    std::vector<std::pair<std::string, ConfigNode>> values;
    SourceLocation where;
  };
  std::vector<Axis> grid;
  std::vector<Axis> zip;       ///< all of one length, advancing together
  std::vector<Match> only;     ///< keep cells that match any; all when empty
  std::vector<Match> exclude;  ///< drop cells that match any
  /// Keep only cells with these values, which --set has chosen among the swept ones.
  std::vector<std::pair<std::string, ConfigNode>> pinned;
};

/// One cell before repetitions.
struct SweepPoint {
  /// Position before `only`, `exclude` and --set with a swept value, so that none renumbers cells.
  int number = 1;
  std::vector<std::pair<std::string, ConfigNode>> values;  ///< in the order of the axes
};

/// Reads `sweep:` (nullptr: no sweep). An override of a swept path wins: of a grid axis only that
/// one value is left. Throws ConfigError for unequal zip lengths, repeated paths or values, and for
/// matches that name a path or value which is not swept.
[[nodiscard]] Sweep read_sweep(const ConfigNode* node, const std::vector<Override>& overrides);

/// All points in order: the last grid axis before the first, the zipped rows fastest of all.
/// Throws ConfigError when no point is left or there are more than 100,000.
[[nodiscard]] std::vector<SweepPoint> expand(const Sweep& sweep);

/// Reads a part of a cell. Throws ConfigError where it names a path or value that is not swept.
[[nodiscard]] Sweep::Match read_match(const ConfigNode& node, const std::string& place,
                                      const Sweep& sweep);
[[nodiscard]] bool point_matches(const SweepPoint& point, const Sweep::Match& match);

/// A value for people: "fifo", "tenants per_gpu=2", "resnet50+neumf".
[[nodiscard]] std::string value_text(const ConfigNode& value);
/// The same for labels and file names: "fifo", "tenants-2", "workload-1" for the path of
/// workload-1.csv. Bare numbers get the last part of their path in front: "jobs=24".
/// A choice within a choice is its name there ("optimus-greedy"), and tables are left out.
[[nodiscard]] std::string value_label(const std::string& path, const ConfigNode& value);
/// The labels of a point's values, joined; "base" without a sweep.
[[nodiscard]] std::string label_of(const SweepPoint& point, const std::string& separator);
/// A unique label for each point, because cells with one label count as repetitions in the results.
/// If label_of() gives several points the same one, the keys whose values differ are added ("las
/// limits=5 min"), and the folders of files.
[[nodiscard]] std::vector<std::string> labels_of(std::span<const SweepPoint> points);

}  // namespace mimus::emulator
