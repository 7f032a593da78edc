// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/solve/linear_program.hpp"

#include <glpk.h>
#include <memory>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

/// How GLPK names which bounds there are.
int bounds_of(double least, double most) {
  constexpr double kNone = LinearProgram::kUnbounded;
  if (least == most) return GLP_FX;
  if (least == -kNone) return most == kNone ? GLP_FR : GLP_UP;
  return most == kNone ? GLP_LO : GLP_DB;
}

/// False when it has no optimum.
bool solve(glp_prob* problem, const std::vector<int>& corner) {
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
  int failure = glp_simplex(problem, &settings);
  if (failure == GLP_ENOPFS || failure == GLP_ENODFS) return false;
  if (failure != 0) {
    // Without the presolver, which may have left an ill-conditioned basis.
    glp_std_basis(problem);
    settings.presolve = GLP_OFF;
    settings.meth = GLP_DUALP;
    failure = glp_simplex(problem, &settings);
  }
  ensure(failure == 0, fmt::format("GLPK gives up on a linear program: code {}", failure));
  return glp_get_status(problem) == GLP_OPT;
}

/// GLPK's limits are of time, with which plans would depend on the machine.
void stop_after(glp_tree* tree, void* most_nodes) {
  int nodes = 0;
  glp_ios_tree_size(tree, nullptr, nullptr, &nodes);
  if (nodes > *static_cast<int*>(most_nodes)) glp_ios_terminate(tree);
}

}  // namespace

int LinearProgram::add_variable(double gain, double most) {
  variables_.push_back({gain, most});
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

/// GLPK knows programs by pointers of its own.
struct LinearProgram::InGlpk {
  explicit InGlpk(const LinearProgram& program) : problem(glp_create_prob(), glp_delete_prob) {
    glp_set_obj_dir(problem.get(), GLP_MAX);
    add_columns(program);
    add_rows(program);
  }

  void add_columns(const LinearProgram& program) {
    if (program.variables_.empty()) return;
    glp_add_cols(problem.get(), static_cast<int>(program.variables_.size()));
    for (int j = 1; j <= static_cast<int>(program.variables_.size()); ++j) {
      const Variable& variable = program.variables_[static_cast<std::size_t>(j) - 1];
      glp_set_obj_coef(problem.get(), j, variable.gain);
      glp_set_col_bnds(problem.get(), j, bounds_of(0.0, variable.most), 0.0, variable.most);
      if (variable.is_whole) glp_set_col_kind(problem.get(), j, GLP_IV);
    }
  }

  void add_rows(const LinearProgram& program) {
    if (program.rows_.empty()) return;
    glp_add_rows(problem.get(), static_cast<int>(program.rows_.size()));
    std::vector<int> at;
    std::vector<double> factors;
    for (int i = 1; i <= static_cast<int>(program.rows_.size()); ++i) {
      const auto index = static_cast<std::size_t>(i);
      const Row& row = program.rows_[index - 1];
      const std::size_t end =
          index < program.rows_.size() ? program.rows_[index].first_term : program.terms_.size();
      glp_set_row_bnds(problem.get(), i, bounds_of(row.least, row.most), row.least, row.most);
      at.assign(1, 0);  // GLPK counts from 1
      factors.assign(1, 0.0);
      for (std::size_t k = row.first_term; k < end; ++k) {
        at.push_back(program.terms_[k].variable + 1);
        factors.push_back(program.terms_[k].factor);
      }
      glp_set_mat_row(problem.get(), i, static_cast<int>(at.size()) - 1, at.data(), factors.data());
    }
  }

  std::unique_ptr<glp_prob, void (*)(glp_prob*)> problem;
};

std::optional<LinearProgram::Solution> LinearProgram::maximise(
    const std::vector<int>& corner) const {
  glp_term_out(GLP_OFF);
  const InGlpk in_glpk(*this);
  const auto& problem = in_glpk.problem;
  const auto columns = static_cast<int>(variables_.size());
  const auto rows = static_cast<int>(rows_.size());
  if (!solve(problem.get(), corner)) return std::nullopt;
  Solution solution{
      .objective = glp_get_obj_val(problem.get()), .values = {}, .prices = {}, .corner = {}};
  for (int j = 1; j <= columns; ++j) {
    solution.values.push_back(glp_get_col_prim(problem.get(), j));
  }
  for (int i = 1; i <= rows; ++i) {
    solution.prices.push_back(glp_get_row_dual(problem.get(), i));
    solution.corner.push_back(glp_get_row_stat(problem.get(), i));
  }
  for (int j = 1; j <= columns; ++j) {
    solution.corner.push_back(glp_get_col_stat(problem.get(), j));
  }
  return solution;
}

std::optional<LinearProgram::Solution> LinearProgram::maximise_whole(double gap,
                                                                     int most_nodes) const {
  glp_term_out(GLP_OFF);
  const InGlpk in_glpk(*this);
  glp_prob* problem = in_glpk.problem.get();
  glp_iocp settings;
  glp_init_iocp(&settings);
  settings.msg_lev = GLP_MSG_OFF;
  settings.presolve = GLP_ON;
  settings.mip_gap = gap;
  settings.cb_func = stop_after;
  settings.cb_info = &most_nodes;
  const int failure = glp_intopt(problem, &settings);
  if (failure == GLP_ENOPFS || failure == GLP_ENODFS) return std::nullopt;
  const bool is_known = failure == 0 || failure == GLP_EMIPGAP || failure == GLP_ESTOP;
  ensure(is_known, fmt::format("GLPK gives up on an integer program: code {}", failure));
  const int status = glp_mip_status(problem);
  if (status != GLP_OPT && status != GLP_FEAS) return std::nullopt;
  Solution solution{
      .objective = glp_mip_obj_val(problem), .values = {}, .prices = {}, .corner = {}};
  for (int j = 1; j <= static_cast<int>(variables_.size()); ++j) {
    solution.values.push_back(glp_mip_col_val(problem, j));
  }
  return solution;
}

}  // namespace mimus::scheduler
