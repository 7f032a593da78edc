// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace mimus::scheduler {

/// The value of an outcome for each tenant, 0..1 of the best value for the tenant.
using Worth = std::vector<std::vector<double>>;

/// The proportionally fair probabilities x of the outcomes, Σx = 1: they maximise Σᵢ wᵢ·log Vᵢ(x)
/// with Vᵢ(x) = Σ_S x_S·Vᵢ(S), and lie in the core (ROBUS, Kunjir et al., SIGMOD'17). `weights` are
/// positive, and every tenant values some outcome.
///
/// Computed by x_S ← x_S·Σᵢ wᵢ·Vᵢ(S)/Vᵢ(x) ÷ Σw, which raises the sum in each step (Cover, 1984),
/// until no outcome's factor exceeds 1 by 1e-9. The sum is then within 1e-9·Σw of its maximum.
[[nodiscard]] std::vector<double> fair_lottery(const Worth& worth, std::span<const double> weights);

}  // namespace mimus::scheduler
