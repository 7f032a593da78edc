// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "driver.hpp"

namespace mimus::scheduler::test {

/// One choice per seam, by name or as a YAML mapping.
using Row = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] std::string yaml_of(const Row& row);
[[nodiscard]] bool has(const Row& row, const std::string& seam, const std::string& choice);

/// Whether its jobs may ask for cores: its placement looks at whole nodes, and campaigns refuse
/// preemption beside cores.
[[nodiscard]] bool may_ask_for_cores(const Row& row);
/// Whether its placement draws the order of ties of nodes.
[[nodiscard]] bool draws_ties_of_nodes(const Row& row);
/// Whether it treats a GPU type otherwise than another because of its name.
[[nodiscard]] bool names_gpu_types(const Row& row);

/// Rows in which every two registered choices of different seams come together at least once, so
/// that a new choice is covered by being registered. With sanitizers, which take ten times as long,
/// every choice comes at least once.
[[nodiscard]] const std::vector<Row>& covering_rows();
[[nodiscard]] bool rows_cover_every_pair();

/// How the inventory of a random run is described.
enum class Inventory {
  short_form,
  equal_groups,  ///< two groups, of the same nodes as in the short form
  two_types,     ///< T4 and V100 in nodes of one size each; some jobs may use one of them only
  renamed,       ///< two_types with the names of the types exchanged
  third_type,    ///< two_types and one that no job may use
  with_cores,    ///< two_types, whose nodes state cores; jobs ask for them, some for no GPU
};

struct RandomRun {
  ClusterShape shape;
  Driver driver;
};
/// A random cluster and workload, both functions of the seed alone, under one row.
[[nodiscard]] RandomRun random_run(const Row& row, std::uint64_t seed, int jobs,
                                   Inventory inventory = Inventory::short_form);

}  // namespace mimus::scheduler::test
