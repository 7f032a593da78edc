// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/failure_classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace mimus::workloads {
namespace {

/// Minutes to failure at quantiles 0, 0.5, 0.9, 0.95 and 1. Between them the logarithm is linear.
struct FailureClass {
  const char* reason;
  double trials;
  std::array<double, 5> minutes;
};

constexpr std::array<double, 5> kQuantiles{0.0, 0.5, 0.9, 0.95, 1.0};

/// Trials, and quantiles 0.5 to 0.95, from Jeon et al. (the quantiles from secondary sources). The
/// lowest quantile is taken as a tenth of the median. The highest is chosen to match the class's
/// share of the time to failure. Classes with fewer than 100 trials are left out.
constexpr std::array<FailureClass, 17> kClasses{{
    {"CPU out of memory", 12076, {1.345, 13.45, 17.73, 33.97, 5752}},
    {"incorrect inputs", 9690, {0.187, 1.87, 404.83, 2095.73, 12754}},
    {"semantic error", 2943, {0.272, 2.72, 376.00, 1436.88, 16266}},
    {"core dump", 2912, {0.085, 0.85, 72.75, 431.65, 7292}},
    {"invalid memory access", 2602, {0.103, 1.03, 403.50, 1357.38, 3319}},
    {"checkpoint error", 1995, {18.167, 181.67, 3728.93, 8196.02, 12892}},
    {"no signature", 1684, {0.187, 1.87, 28.00, 95.17, 1293}},
    {"CUDA failure", 1484, {0.132, 1.32, 19.87, 82.17, 3439}},
    {"syntax error", 1132, {0.058, 0.58, 5.02, 12.00, 1921}},
    {"traceback from crash", 777, {0.102, 1.02, 894.33, 1394.07, 12427}},
    {"MPI error", 634, {0.162, 1.62, 3015.27, 5143.98, 8808}},
    {"GPU out of memory", 487, {1.853, 18.53, 353.62, 2740.28, 3654}},
    {"MPI runtime failure", 478, {138.948, 1389.48, 13778.60, 18090.88, 18100}},
    {"permission error", 299, {0.100, 1.00, 8.15, 15.85, 2679}},
    {"import error", 148, {0.067, 0.67, 4.58, 10.73, 6001}},
    {"job preempted", 147, {55.908, 559.08, 2682.85, 5892.23, 15691}},
    {"CUDA initialisation failed", 141, {0.108, 1.08, 2.18, 4.63, 3215}},
}};

std::array<double, kClasses.size()> trials() {
  std::array<double, kClasses.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kClasses[i].trials;
  return out;
}

}  // namespace

FailureClasses::FailureClasses() : classes_(trials()) {}

Duration FailureClasses::draw_time(std::size_t failure_class, RandomStream& random) {
  const auto& minutes = kClasses[failure_class].minutes;
  const double at = random.uniform();
  std::size_t piece = 0;
  while (at >= kQuantiles[piece + 1]) ++piece;
  const double along = (at - kQuantiles[piece]) / (kQuantiles[piece + 1] - kQuantiles[piece]);
  return from_seconds(60.0 * minutes[piece] * std::pow(minutes[piece + 1] / minutes[piece], along));
}

bool FailureClasses::is_of_machines(std::size_t failure_class) {
  const std::string_view reason = kClasses[failure_class].reason;
  constexpr std::array<std::string_view, 5> kOfMachines{"checkpoint error", "MPI error",
                                                        "MPI runtime failure", "job preempted",
                                                        "CUDA initialisation failed"};
  return std::find(kOfMachines.begin(), kOfMachines.end(), reason) != kOfMachines.end();
}

const char* FailureClasses::reason(std::size_t failure_class) {
  return kClasses[failure_class].reason;
}

}  // namespace mimus::workloads
