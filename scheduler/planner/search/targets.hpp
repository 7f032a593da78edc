// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/planner/search/genome.hpp"
#include "scheduler/planner/search/search_problem.hpp"

namespace mimus::scheduler {

/// The plan that a genome represents. A job with the same number on every node keeps its GPUs. The
/// others get the GPUs with the lowest numbers that are not kept. Jobs to which admission refuses
/// their GPUs are left out.
[[nodiscard]] Plan targets_of(const Genome& genome, const SearchProblem& problem,
                              const GenePool& pool, const PlanQuery& query);

}  // namespace mimus::scheduler
