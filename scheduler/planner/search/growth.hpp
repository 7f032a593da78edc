// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/random.hpp"
#include "scheduler/planner/search/draft.hpp"

namespace mimus::scheduler {

/// Gives free GPUs of a draft to jobs that gain from them: the part of a mutation in which jobs
/// grow and move.
class Growth {
 public:
  /// The arguments must outlive this object.
  Growth(SearchProblem& problem, Draft& draft, RandomStream& random)
      : problem_(problem), draft_(draft), random_(random) {}

  /// Uses free GPUs of at most this number of nodes, drawn at random if more nodes have some. On
  /// each of them a few uses are drawn and the one that gains most per GPU is applied, until none
  /// gains.
  void give_out(std::size_t most_nodes);

 private:
  struct Offer {
    std::size_t job = 0;
    Cells cells;
    GeneWorth worth;    ///< to the job
    double gain = 0.0;  ///< reduction of its cost per free GPU
  };

  void give_out_on(std::size_t node);
  [[nodiscard]] std::optional<Offer> draw_offer(std::size_t node);
  [[nodiscard]] std::size_t draw_job(std::size_t node);
  [[nodiscard]] Cells grown(std::size_t job, std::size_t node);
  [[nodiscard]] Cells smallest_gang(std::size_t job, std::size_t node) const;

  SearchProblem& problem_;
  Draft& draft_;
  RandomStream& random_;
  std::vector<std::size_t> free_nodes_;
};

}  // namespace mimus::scheduler
