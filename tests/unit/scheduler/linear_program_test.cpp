// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/solve/linear_program.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "scheduler/solve/glpk_problem.hpp"

namespace mimus::scheduler {
namespace {

using Term = LinearProgram::Term;
constexpr double kUnbounded = LinearProgram::kUnbounded;

/// Any division of 1 among three variables is best.
LinearProgram three_alike() {
  LinearProgram program;
  std::vector<Term> terms;
  for (int i = 0; i < 3; ++i) terms.push_back({program.add_variable(1.0), 1.0});
  (void)program.add_row(-kUnbounded, terms, 1.0);
  return program;
}

TEST(LinearProgram, ACornerHasAsFewAsPossible) {
  const auto solution = three_alike().maximise();
  ASSERT_TRUE(solution.has_value());
  EXPECT_EQ(std::ranges::count_if(solution->values, [](double value) { return value > 1e-9; }), 1);
}

TEST(LinearProgram, TheInteriorHasAllThatMayBe) {
  const auto solution = three_alike().maximise_inside();
  ASSERT_TRUE(solution.has_value());
  EXPECT_NEAR(solution->objective, 1.0, 1e-5);
  for (const double value : solution->values) EXPECT_NEAR(value, 1.0 / 3.0, 0.05);
}

TEST(LinearProgram, NeitherExistsWhereRowsContradict) {
  LinearProgram program;
  const int x = program.add_variable(1.0);
  (void)program.add_row(2.0, std::vector<Term>{{x, 1.0}}, kUnbounded);
  (void)program.add_row(-kUnbounded, std::vector<Term>{{x, 1.0}}, 1.0);
  EXPECT_FALSE(program.maximise().has_value());
  EXPECT_FALSE(program.maximise_inside().has_value());
}

/// The largest least rate of `jobs` jobs on three types, many of whose pairs are alike.
LinearProgram random_shares(RandomStream& random, int jobs, std::vector<std::vector<Term>>& rows,
                            std::vector<double>& bounds) {
  LinearProgram program;
  const int least = program.add_variable(1.0);
  std::vector<std::vector<Term>> of_type(3);
  for (int job = 0; job < jobs; ++job) {
    std::vector<Term> time;
    std::vector<Term> rate{{least, -1.0}};
    for (std::vector<Term>& type : of_type) {
      for (int copy = 0; copy < 4; ++copy) {
        const int share = program.add_variable(0.0);
        time.push_back({share, 1.0});
        rate.push_back({share, random.uniform(0.1, 4.0)});
        type.push_back({share, 1.0});
      }
    }
    (void)program.add_row(0.0, rate, kUnbounded);
    rows.push_back(time);
    bounds.push_back(1.0);
  }
  for (const std::vector<Term>& type : of_type) {
    rows.push_back(type);
    bounds.push_back(static_cast<double>(1 + random.below(jobs)));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    (void)program.add_row(-kUnbounded, rows[i], bounds[i]);
  }
  return program;
}

TEST(LinearProgram, TheInteriorIsAsGoodAsACorner) {
  RandomStream random(1, "programs");
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<std::vector<Term>> rows;
    std::vector<double> bounds;
    const auto program = random_shares(random, 1 + trial, rows, bounds);
    const auto corner = program.maximise();
    const auto inside = program.maximise_inside();
    ASSERT_TRUE(corner.has_value() && inside.has_value()) << trial;
    EXPECT_NEAR(inside->objective / corner->objective, 1.0, 1e-5) << trial;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double sum = 0.0;
      for (const Term& term : rows[i]) {
        const double value = inside->values[static_cast<std::size_t>(term.variable)];
        EXPECT_GE(value, 0.0);
        sum += value;
      }
      EXPECT_LE(sum, bounds[i] + 1e-6) << trial;
    }
  }
}

/// GLPK ends the process where a function is called wrongly, or finds a mistake of its own.
TEST(GlpkProblem, AMistakeLosesTheProblemAndNotTheProcess) {
  GlpkProblem problem;
  ASSERT_TRUE(problem.run([](glp_prob* p) { glp_add_cols(p, 2); }));
  EXPECT_FALSE(problem.run([](glp_prob* p) { glp_set_obj_coef(p, 3, 1.0); }));
  EXPECT_EQ(problem.get(), nullptr);

  EXPECT_TRUE(three_alike().maximise().has_value());
  EXPECT_FALSE(GlpkProblem().run([](glp_prob* p) { glp_del_cols(p, -1, nullptr); }));
}

}  // namespace
}  // namespace mimus::scheduler
