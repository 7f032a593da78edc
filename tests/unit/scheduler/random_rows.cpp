// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/random.hpp"
#include "random_run.hpp"
#include "row_choices.hpp"

namespace mimus::scheduler::test {
namespace {

/// A row whose names are those of the seams' table: thousands are drawn for two choices that
/// exclude each other.
using Draft = std::vector<std::pair<std::string_view, std::string_view>>;

template <class AnyRow>
bool has_choice(const AnyRow& row, std::string_view seam, std::string_view choice) {
  return std::any_of(row.begin(), row.end(), [&](const auto& entry) {
    return entry.first == seam && entry.second == choice;
  });
}

template <class AnyRow>
bool has_any(const AnyRow& row, std::string_view seam, std::span<const char* const> choices) {
  return std::any_of(choices.begin(), choices.end(),
                     [&](const char* choice) { return has_choice(row, seam, choice); });
}

template <class AnyRow>
bool draws_ties(const AnyRow& row) {
  constexpr std::array kDrawing{"fgd",         "dot_product",   "gpu_clustering",
                                "gpu_packing", "best_fit_node", "random_node"};
  return has_any(row, "placement", kDrawing);
}

template <class AnyRow>
bool by_node(const AnyRow& row) {
  constexpr std::array kByNumber{"least_loaded", "alternatives", kSoonElsewhere};
  return draws_ties(row) || has_any(row, "placement", kByNumber);
}

bool has_preemption(const Draft& row) {
  return std::any_of(row.begin(), row.end(), [](const Draft::value_type& choice) {
    return choice.first == "preemption" && choice.second != "none";
  });
}

bool sizes_the_cluster(const Draft& row) {
  constexpr std::array kSizing{"utility_band", kSoonSized};
  return has_any(row, "power", kSizing);
}

bool shares_memory_alone(const Draft& row) {
  constexpr std::array kByMemory{"tenants", "scores", "utilisation", kSameGang, kPairs};
  return has_any(row, "sharing", kByMemory);
}

/// As policy.cpp refuses rows.
bool is_allowed(const Draft& row) {
  const bool looks_ahead = has_choice(row, "order", "utilisation") ||
                           has_choice(row, "order", "fair_queues") ||
                           has_choice(row, "order", kSoonReserved);
  if (looks_ahead && has_preemption(row)) return false;
  const bool by_utilisation = looks_ahead || has_choice(row, "sharing", "utilisation");
  if (by_utilisation && !has_choice(row, "estimate", "graph")) return false;
  constexpr std::array kPredicting{kSmallSearch,   "slaq", "ones",
                                   "node_scaling", "sia",  kOftenConfigured};
  const bool needs_estimate =
      has_choice(row, "batch", "goodput") || has_any(row, "planner", kPredicting);
  if (needs_estimate && has_choice(row, "estimate", "none")) return false;
  const bool turns_away = has_choice(row, "admission", "at_once");
  if (turns_away && (has_preemption(row) || !has_choice(row, "planner", "none"))) return false;
  if (shares_memory_alone(row) && by_node(row)) return false;
  const bool has_quota =
      has_choice(row, "admission", "quota") || has_choice(row, "admission", kBorrowing);
  if (has_quota && has_choice(row, "placement", kSoonElsewhere)) return false;
  if (sizes_the_cluster(row) && !has_choice(row, "planner", kSmallSearch)) return false;
  if (has_choice(row, "planner", "none")) return true;
  if (shares_memory_alone(row)) return false;
  constexpr std::array kCounting{"greedy", "themis", "node_scaling", "slaq", "ones", kInPlace};
  if (!has_any(row, "planner", kCounting)) {
    return true;
  }
  constexpr std::array kWaiting{"strict",       "relaxed",  kQuicklyRelaxed,
                                "consolidated", "affinity", kByModel};
  return !by_node(row) && !has_any(row, "placement", kWaiting);
}

/// Whether the row's planner decides in place of this seam, so that the row has no choice for it.
bool is_replaced(std::string_view seam, const Draft& row) {
  if (has_choice(row, "planner", "none")) return false;
  constexpr std::array kSharing{"salus",     kManyLanes, kShortestInLane, "antman",
                                kSoonJoined, "gandiva",  "muri"};
  constexpr std::array kPacking{"lucid", kSoonPacked};
  constexpr std::array kNaming{kSmallSearch, "philly", kSoonReclaimed,
                               kProbing,     "sia",    kOftenConfigured};
  const bool shares = has_any(row, "planner", kSharing);
  if (seam == "batch") return shares || has_any(row, "planner", kPacking);
  const bool names_gpus = shares || has_any(row, "planner", kNaming);
  return seam == "order" || seam == "preemption" || (seam == "placement" && names_gpus);
}

/// Any allowed row with the two given choices, or an empty row if they exclude each other.
Row row_with(const Seams& seams, const Row::value_type& one, const Row::value_type& other,
             RandomStream& random) {
  for (int tries = 0; tries < 2000; ++tries) {
    Draft row;
    for (const auto& [seam, choices] : seams) {
      const auto count = static_cast<std::int64_t>(choices.size());
      std::string_view choice = choices[static_cast<std::size_t>(random.below(count))];
      if (seam == one.first) choice = one.second;
      if (seam == other.first) choice = other.second;
      row.emplace_back(seam, choice);
    }
    if (is_replaced(one.first, row) || is_replaced(other.first, row)) continue;
    if (!is_allowed(row)) continue;
    Row kept;
    for (const auto& [seam, choice] : row) {
      if (!is_replaced(seam, row)) kept.emplace_back(seam, choice);
    }
    return kept;
  }
  return {};
}

std::vector<Row::value_type> flat(const Seams& seams) {
  std::vector<Row::value_type> choices;
  for (const auto& [seam, names] : seams) {
    for (const auto& name : names) choices.emplace_back(seam, name);
  }
  return choices;
}

std::vector<Row> make_covering_rows() {
  const Seams seams = all_choices();
  const auto choices = flat(seams);
  RandomStream random(1, "covering rows");
  std::vector<Row> rows;
  for (const auto& one : choices) {
    for (const auto& other : choices) {
      if (one.first >= other.first) continue;
      const bool covered = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
        return has(row, one.first, one.second) && has(row, other.first, other.second);
      });
      if (covered) continue;
      Row row = row_with(seams, one, other, random);
      if (!row.empty()) rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// Those of `rows` that bring a choice for the first time, or one that looks at nodes in a row in
/// which jobs may ask for cores.
std::vector<Row> first_of_each_choice(const std::vector<Row>& rows) {
  std::set<Row::value_type> seen;
  std::vector<Row> kept;
  for (const Row& row : rows) {
    const std::size_t before = seen.size();
    seen.insert(row.begin(), row.end());
    for (const auto& [seam, choice] : row) {
      if (seam == "placement" && may_ask_for_cores(row))
        seen.emplace("placement beside cores", choice);
    }
    if (seen.size() > before) kept.push_back(row);
  }
  return kept;
}

}  // namespace

bool draws_ties_of_nodes(const Row& row) {
  return draws_ties(row);
}

bool may_ask_for_cores(const Row& row) {
  return by_node(row) && has(row, "planner", "none") && has(row, "preemption", "none");
}

bool names_gpu_types(const Row& row) {
  return has(row, "placement", kSoonElsewhere);
}

std::string yaml_of(const Row& row) {
  std::string yaml = "{";
  for (const auto& [seam, choice] : row) {
    const std::string mapping =
        choice == "quota" ? "{name: quota, gpus: {red: 3, blue: 5}, others: 6}" : choice;
    yaml += fmt::format("{}{}: {}", yaml.size() > 1 ? ", " : "", seam, mapping);
  }
  return yaml + "}";
}

bool has(const Row& row, const std::string& seam, const std::string& choice) {
  return has_choice(row, seam, choice);
}

bool rows_cover_every_pair() {
#ifdef MIMUS_SANITIZED
  return false;
#else
  return true;
#endif
}

const std::vector<Row>& covering_rows() {
  static const std::vector<Row> kRows =
      rows_cover_every_pair() ? make_covering_rows() : first_of_each_choice(make_covering_rows());
  return kRows;
}

}  // namespace mimus::scheduler::test
