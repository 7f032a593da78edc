// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/solve/glpk_problem.hpp"

#include <csetjmp>

namespace mimus::scheduler {
namespace {

/// GLPK aborts if this returns (reference manual, glp_error_hook).
void leave(void* place) {
  std::longjmp(*static_cast<std::jmp_buf*>(place), 1);
}

int print_nothing(void* /*info*/, const char* /*text*/) {
  return 1;
}

}  // namespace

GlpkProblem::GlpkProblem() {
  glp_term_hook(print_nothing, nullptr);
  problem_ = glp_create_prob();
}

GlpkProblem::~GlpkProblem() {
  if (problem_ != nullptr) glp_delete_prob(problem_);
}

/// No object with a destructor lives in the frames that a jump leaves: they are GLPK's, and that of
/// `call`.
bool GlpkProblem::run(const std::function<void(glp_prob*)>& call) {
  std::jmp_buf place;
  if (setjmp(place) != 0) {
    problem_ = nullptr;
    glp_free_env();
    return false;
  }
  glp_error_hook(leave, &place);
  call(problem_);
  glp_error_hook(nullptr, nullptr);
  return true;
}

}  // namespace mimus::scheduler
