// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

struct glp_prob;

namespace mimus::scheduler {

/// Variables ≥ 0 and rows of bounded sums of them, one of which, the objective, is maximised.
/// Solved by GLPK, which gives the same solution of the same program on every machine.
class LinearProgram {
 public:
  static constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  struct Term {
    int variable;
    double factor;
  };
  struct Solution {
    double objective = 0.0;
    std::vector<double> values;  ///< of the variables
    /// Growth of the objective per unit by which a row's bound is relaxed or, if negative,
    /// tightened; not zero only for rows that are at a bound in every optimum.
    std::vector<double> prices;
    /// The corner of the solution: the state of each row, then of each variable, as GLPK numbers
    /// them.
    std::vector<int> corner;
  };

  /// Adds a variable and returns its number, from 0 on. `gain`: its factor in the objective.
  int add_variable(double gain, double most = kUnbounded);
  /// The same for a variable to which maximise_whole() gives a whole number.
  int add_whole_variable(double gain, double most);
  /// least ≤ Σ factor·variable ≤ most. Returns its number, from 0 on.
  int add_row(double least, std::span<const Term> terms, double most);
  /// Nothing if no values satisfy all rows, or the objective has no bound. Throws InternalError if
  /// the solver fails. `corner`: a corner of a program with as many rows and variables and similar
  /// numbers, at which to begin; empty: none.
  [[nodiscard]] std::optional<Solution> maximise(const std::vector<int>& corner = {}) const;
  /// The same by an interior-point method. Where several values are best, as many variables as
  /// possible are positive; maximise() gives a corner, where as many as possible are 0. The
  /// objective is less than 10⁻⁵ of itself below the largest one, and rows are off their bounds by
  /// up to 10⁻⁶. Without prices and corner. Where the method ends before that, maximise() solves
  /// the program.
  [[nodiscard]] std::optional<Solution> maximise_inside() const;
  /// A corner of programs in which all variables may be 0. Beginning there is faster than the
  /// search for a first corner where there are many more variables than rows.
  [[nodiscard]] std::vector<int> origin() const;
  /// The start of the search for whole numbers.
  enum class Search {
    presolved,  ///< at a program that GLPK has made smaller
    at_origin,  ///< where all variables are 0, which has to be possible; with cuts for knapsacks
  };
  /// The same with whole numbers, by branch and cut: the objective is at most `gap` × itself below
  /// the largest one, unless `most_nodes` of the tree have been looked at before that is known.
  /// Without prices and corner. Nothing also when no whole numbers have been found by then.
  [[nodiscard]] std::optional<Solution> maximise_whole(double gap, int most_nodes,
                                                       Search search = Search::presolved) const;

 private:
  struct Variable {
    double gain;
    double most;
    bool is_whole;
  };
  struct Row {
    double least;
    double most;
    std::size_t first_term;
  };
  void write_to(glp_prob* problem) const;
  [[nodiscard]] Solution inner(glp_prob* problem) const;
  /// The largest distance of a row, or of a variable, from its bounds.
  [[nodiscard]] double violation(glp_prob* problem) const;

  std::vector<Variable> variables_;
  std::vector<Row> rows_;
  std::vector<Term> terms_;  ///< of all rows, one after the other
};

}  // namespace mimus::scheduler
