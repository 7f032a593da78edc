// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/solve/linear_program.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "scheduler/solve/glpk_problem.hpp"

namespace mimus::scheduler {
namespace {

/// How GLPK names which bounds there are.
int bounds_of(double least, double most) {
  constexpr double kNone = LinearProgram::kUnbounded;
  if (least == most) return GLP_FX;
  if (least == -kNone) return most == kNone ? GLP_FR : GLP_UP;
  return most == kNone ? GLP_LO : GLP_DB;
}

/// `failure`: code of GLPK, 0 for none.
void check(bool has_run, int failure) {
  ensure(has_run, "GLPK finds itself at fault in a program, and gives it up");
  ensure(failure == 0, fmt::format("GLPK gives up on a program: code {}", failure));
}

int simplex(GlpkProblem& problem, const glp_smcp& settings) {
  int failure = 0;
  check(problem.run([&](glp_prob* p) { failure = glp_simplex(p, &settings); }), 0);
  return failure;
}

/// False when it has no optimum.
bool solve(GlpkProblem& solved, const std::vector<int>& corner) {
  glp_prob* const problem = solved.get();
  glp_smcp settings;
  glp_init_smcp(&settings);
  settings.msg_lev = GLP_MSG_OFF;
  settings.presolve = GLP_ON;
  settings.tol_bnd = settings.tol_dj = 1e-9;
  if (!corner.empty()) {
    const int rows = glp_get_num_rows(problem);
    for (int i = 0; i < static_cast<int>(corner.size()); ++i) {
      const int status = corner[static_cast<std::size_t>(i)];
      if (i < rows) {
        glp_set_row_stat(problem, i + 1, status);
      } else {
        glp_set_col_stat(problem, i - rows + 1, status);
      }
    }
    settings.presolve = GLP_OFF;
  }
  int failure = simplex(solved, settings);
  if (failure != 0) {
    // Without the presolver, which may have left an ill-conditioned basis, or found rows that
    // contradict each other where only rounding does.
    glp_std_basis(problem);
    settings.presolve = GLP_OFF;
    settings.meth = GLP_DUALP;
    failure = simplex(solved, settings);
  }
  check(true, failure);
  return glp_get_status(problem) == GLP_OPT;
}

/// `nodes_left`: an int, counted down.
void end_after_nodes(glp_tree* tree, void* nodes_left) {
  if (glp_ios_reason(tree) != GLP_ISELECT) return;
  if (--*static_cast<int*>(nodes_left) < 0) glp_ios_terminate(tree);
}

}  // namespace

int LinearProgram::add_variable(double gain, double most) {
  variables_.push_back({gain, most, false});
  return static_cast<int>(variables_.size()) - 1;
}

int LinearProgram::add_whole_variable(double gain, double most) {
  variables_.push_back({gain, most, true});
  return static_cast<int>(variables_.size()) - 1;
}

int LinearProgram::add_row(double least, std::span<const Term> terms, double most) {
  rows_.push_back({least, most, terms_.size()});
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  return static_cast<int>(rows_.size()) - 1;
}

void LinearProgram::write_to(glp_prob* problem) const {
  const auto columns = static_cast<int>(variables_.size());
  const auto rows = static_cast<int>(rows_.size());
  glp_set_obj_dir(problem, GLP_MAX);
  if (columns > 0) glp_add_cols(problem, columns);
  for (int j = 1; j <= columns; ++j) {
    const Variable& variable = variables_[static_cast<std::size_t>(j) - 1];
    glp_set_obj_coef(problem, j, variable.gain);
    glp_set_col_bnds(problem, j, bounds_of(0.0, variable.most), 0.0, variable.most);
    if (variable.is_whole) glp_set_col_kind(problem, j, GLP_IV);
  }
  if (rows > 0) glp_add_rows(problem, rows);
  std::vector<int> at;
  std::vector<double> factors;
  for (int i = 1; i <= rows; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const Row& row = rows_[index - 1];
    const std::size_t end = index < rows_.size() ? rows_[index].first_term : terms_.size();
    glp_set_row_bnds(problem, i, bounds_of(row.least, row.most), row.least, row.most);
    at.assign(1, 0);  // GLPK counts from 1
    factors.assign(1, 0.0);
    for (std::size_t k = row.first_term; k < end; ++k) {
      at.push_back(terms_[k].variable + 1);
      factors.push_back(terms_[k].factor);
    }
    glp_set_mat_row(problem, i, static_cast<int>(at.size()) - 1, at.data(), factors.data());
  }
}

std::optional<LinearProgram::Solution> LinearProgram::maximise(
    const std::vector<int>& corner) const {
  GlpkProblem problem;
  write_to(problem.get());
  if (!solve(problem, corner)) return std::nullopt;
  Solution solution{
      .objective = glp_get_obj_val(problem.get()), .values = {}, .prices = {}, .corner = {}};
  const auto columns = static_cast<int>(variables_.size());
  for (int j = 1; j <= columns; ++j) {
    solution.values.push_back(glp_get_col_prim(problem.get(), j));
  }
  for (int i = 1; i <= static_cast<int>(rows_.size()); ++i) {
    solution.prices.push_back(glp_get_row_dual(problem.get(), i));
    solution.corner.push_back(glp_get_row_stat(problem.get(), i));
  }
  for (int j = 1; j <= columns; ++j) {
    solution.corner.push_back(glp_get_col_stat(problem.get(), j));
  }
  return solution;
}

/// What the interior-point method has found.
LinearProgram::Solution LinearProgram::inner(glp_prob* problem) const {
  Solution solution{
      .objective = glp_ipt_obj_val(problem), .values = {}, .prices = {}, .corner = {}};
  for (int j = 1; j <= static_cast<int>(variables_.size()); ++j) {
    solution.values.push_back(std::max(0.0, glp_ipt_col_prim(problem, j)));
  }
  return solution;
}

/// GLPK often ends with "numerical instability" close to the optimum, at values that are good
/// enough, or fails an assertion.
std::optional<LinearProgram::Solution> LinearProgram::maximise_inside() const {
  constexpr double kMostViolation = 1e-6;
  constexpr double kMostLost = 1e-5;
  std::optional<Solution> inside;
  bool is_optimum = false;
  {
    GlpkProblem problem;
    write_to(problem.get());
    glp_iptcp settings;
    glp_init_iptcp(&settings);
    settings.msg_lev = GLP_MSG_OFF;
    int failure = 0;
    if (problem.run([&](glp_prob* p) { failure = glp_interior(p, &settings); })) {
      is_optimum = failure == 0 && glp_ipt_status(problem.get()) == GLP_OPT;
      if (is_optimum || violation(problem.get()) < kMostViolation) inside = inner(problem.get());
    }
  }
  if (is_optimum) return inside;
  auto corner = maximise();
  if (!inside || !corner) return corner;
  const double lost = std::abs(inside->objective - corner->objective);
  return lost <= kMostLost * std::abs(corner->objective) ? inside : corner;
}

double LinearProgram::violation(glp_prob* problem) const {
  double most = 0.0;
  for (int i = 1; i <= static_cast<int>(rows_.size()); ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i) - 1];
    const double sum = glp_ipt_row_prim(problem, i);
    most = std::max({most, row.least - sum, sum - row.most});
  }
  for (int j = 1; j <= static_cast<int>(variables_.size()); ++j) {
    const double value = glp_ipt_col_prim(problem, j);
    most = std::max({most, -value, value - variables_[static_cast<std::size_t>(j) - 1].most});
  }
  return most;
}

std::vector<int> LinearProgram::origin() const {
  std::vector<int> corner(rows_.size(), GLP_BS);
  corner.insert(corner.end(), variables_.size(), GLP_NL);
  return corner;
}

std::optional<LinearProgram::Solution> LinearProgram::maximise_whole(double gap, int most_nodes,
                                                                     Search search) const {
  GlpkProblem problem;
  write_to(problem.get());
  if (search == Search::at_origin && !solve(problem, origin())) return std::nullopt;
  glp_iocp settings;
  glp_init_iocp(&settings);
  settings.msg_lev = GLP_MSG_OFF;
  settings.mip_gap = gap;
  settings.presolve = search == Search::presolved ? GLP_ON : GLP_OFF;
  // Without these cuts knapsacks take hundreds of times the nodes.
  settings.mir_cuts = search == Search::at_origin ? GLP_ON : GLP_OFF;
  settings.cb_func = end_after_nodes;
  settings.cb_info = &most_nodes;
  int failure = 0;
  const bool has_run = problem.run([&](glp_prob* p) { failure = glp_intopt(p, &settings); });
  if (failure == GLP_ENOPFS || failure == GLP_ENODFS) return std::nullopt;
  const bool is_ended_early = failure == GLP_ESTOP || failure == GLP_EMIPGAP;
  check(has_run, is_ended_early ? 0 : failure);
  const int status = glp_mip_status(problem.get());
  if (status != GLP_OPT && status != GLP_FEAS) return std::nullopt;
  Solution solution{
      .objective = glp_mip_obj_val(problem.get()), .values = {}, .prices = {}, .corner = {}};
  for (int j = 1; j <= static_cast<int>(variables_.size()); ++j) {
    solution.values.push_back(glp_mip_col_val(problem.get(), j));
  }
  return solution;
}

}  // namespace mimus::scheduler
