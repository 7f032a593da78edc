// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <glpk.h>

namespace mimus::scheduler {

/// A problem of GLPK, which belongs to the calling thread. GLPK prints nothing.
class GlpkProblem {
 public:
  GlpkProblem();
  GlpkProblem(const GlpkProblem&) = delete;
  GlpkProblem& operator=(const GlpkProblem&) = delete;
  ~GlpkProblem();

  /// Null after run() has returned false.
  [[nodiscard]] glp_prob* get() const { return problem_; }
  /// Calls functions of GLPK, and no others. False if one of them finds a mistake of GLPK's or of
  /// its caller, which would abort the process otherwise. All problems of the thread are lost then.
  [[nodiscard]] bool run(const std::function<void(glp_prob*)>& call);

 private:
  glp_prob* problem_;
};

}  // namespace mimus::scheduler
