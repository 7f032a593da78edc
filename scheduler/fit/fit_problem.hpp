// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "scheduler/fit/throughput_fit.hpp"

namespace mimus::scheduler {

inline constexpr std::size_t kFitParameters = 7;
inline constexpr std::size_t kGamma = 6;
/// Bounds of Pollux: α, β ≥ 1e-8, γ in [1, 10].
inline constexpr double kLeastTime = 1e-8;
inline constexpr double kMostGamma = 10.0;
using FitParameters = std::array<double, kFitParameters>;  ///< in the order of ThroughputModel

[[nodiscard]] FitParameters parameters_of(const ThroughputModel& model);
[[nodiscard]] ThroughputModel model_of(const FitParameters& parameters);

/// The objective of Pollux (OSDI'21, section 4.1, as its artifact has it) with its gradient: root
/// mean squares of the logarithmic errors of computation and whole step, and mild priors.
[[nodiscard]] double fit_objective(const FitParameters& at, std::span<const StepSample> samples,
                                   FitParameters& slope);

/// Parameters that the samples do not determine, with their assumed values (the artifact's
/// prior-driven exploration).
using FixedParameters = std::array<std::optional<double>, kFitParameters>;
[[nodiscard]] FixedParameters fixed_by(std::span<const StepSample> samples);

/// The minimum of the objective within the bounds. There are two implementations, of which the
/// build links one: fit_lbfgsb.cpp, the optimiser and starting point of the artifact, if the
/// library L-BFGS-B is found; otherwise fit_descent.cpp, which searches further and stops elsewhere
/// in flat directions.
[[nodiscard]] FitParameters least_error(const FixedParameters& fixed,
                                        std::span<const StepSample> samples);

}  // namespace mimus::scheduler
