// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "results/metrics/metric.hpp"

namespace mimus::results {

/// How a metric is computed from what a cell has recorded.
using Value = std::function<Figure(const Observed&)>;

/// A value of the table `totals`, or nothing if an older file does not have it.
inline Value total(std::string name) {
  return [name = std::move(name)](const Observed& seen) { return seen.totals.find(name); };
}

/// Quotient of two totals of a group of rows; nothing if the lower one is 0.
inline Value ratio(const std::string& above, const std::string& below, double factor = 1,
                   std::string_view group = kAll) {
  return [=, group = std::string(group)](const Observed& seen) -> Figure {
    const Figure numerator = seen.totals.find(above, group);
    const double denominator = seen.totals.total(below, group);
    if (!numerator || denominator <= 0) return std::nullopt;
    return *numerator / denominator * factor;
  };
}

inline Value quantile(const char* name, double fraction) {
  return [=](const Observed& seen) { return seen.totals.quantile(name, fraction); };
}

inline Value when(bool (*known)(const Observed&), Value value) {
  return [known, value = std::move(value)](const Observed& seen) {
    return known(seen) ? value(seen) : std::nullopt;
  };
}

}  // namespace mimus::results
