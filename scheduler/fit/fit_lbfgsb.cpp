// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "scheduler/fit/fit_problem.hpp"

// L-BFGS-B 3.0 (Byrd, Lu, Nocedal and Zhu, 1995; Morales and Nocedal, 2011). It is called
// repeatedly and says in `task` what it needs next. Fortran conventions: everything by reference,
// lengths of texts at the end.
extern "C" void setulb_(const int* n, const int* m, double* x, const double* l, const double* u,
                        const int* nbd, double* f, double* g, const double* factr,
                        const double* pgtol, double* wa, int* iwa, char* task, const int* iprint,
                        char* csave, int* lsave, int* isave, double* dsave, std::size_t task_length,
                        std::size_t csave_length);

namespace mimus::scheduler {
namespace {

constexpr std::size_t kCorrections = 10;  ///< pairs of steps that are kept
constexpr std::size_t kText = 60;

/// The defaults of SciPy's minimize(), which the artifact calls.
constexpr double kRelativeReduction = 1e7;  ///< in units of the machine epsilon: 2.2e-9
constexpr double kProjectedGradient = 1e-5;
constexpr int kMostEvaluations = 15'000;

/// One minimisation, with a workspace of the sizes that the library documents.
class Conversation {
 public:
  Conversation(const FitParameters& from, const FitParameters& lower, const FitParameters& upper)
      : at_(from), lower_(lower), upper_(upper) {
    for (std::size_t i = 0; i < n; ++i) bounded_[i] = std::isinf(upper[i]) ? kBelow : kBothSides;
    task_.fill(' ');
    csave_.fill(' ');
    std::memcpy(task_.data(), "START", 5);
  }

  template <class Objective>
  FitParameters run(Objective&& objective) {
    for (int evaluations = 0; evaluations < kMostEvaluations;) {
      turn();
      if (asks("FG")) {
        value_ = objective(at_, slope_);
        ++evaluations;
      } else if (!asks("NEW_X")) {
        break;
      }
    }
    return at_;
  }

 private:
  static constexpr int kBelow = 1;
  static constexpr int kBothSides = 2;
  static constexpr std::size_t n = kFitParameters;
  static constexpr std::size_t m = kCorrections;

  [[nodiscard]] bool asks(std::string_view what) const {
    return std::string_view(task_.data(), kText).starts_with(what);
  }

  void turn() {
    constexpr int kVariables = n;
    constexpr int kPairs = m;
    constexpr int kSilent = -1;
    setulb_(&kVariables, &kPairs, at_.data(), lower_.data(), upper_.data(), bounded_.data(),
            &value_, slope_.data(), &kRelativeReduction, &kProjectedGradient, work_.data(),
            marks_.data(), task_.data(), &kSilent, csave_.data(), lsave_.data(), isave_.data(),
            dsave_.data(), kText, kText);
  }

  FitParameters at_, lower_, upper_;
  FitParameters slope_{};
  double value_ = 0.0;
  std::array<int, n> bounded_{};
  std::array<double, 2 * m * n + 5 * n + 11 * m * m + 8 * m> work_{};
  std::array<int, 3 * n> marks_{};
  std::array<char, kText> task_{}, csave_{};
  std::array<int, 4> lsave_{};
  std::array<int, 44> isave_{};
  std::array<double, 29> dsave_{};
};

}  // namespace

const char* fit_method() {
  return "L-BFGS-B 3.0";
}

FitParameters least_error(const FixedParameters& fixed, std::span<const StepSample> samples) {
  FitParameters from{0.1, 0.01, 0.1, 0.01, 0.1, 0.01, 1.001};
  FitParameters lower{};
  FitParameters upper{};
  lower.fill(kLeastTime);
  upper.fill(std::numeric_limits<double>::infinity());
  lower[kGamma] = 1.0;
  upper[kGamma] = kMostGamma;
  for (std::size_t i = 0; i < kFitParameters; ++i) {
    if (fixed[i]) from[i] = lower[i] = upper[i] = *fixed[i];
  }
  return Conversation(from, lower, upper).run([&](const FitParameters& at, FitParameters& slope) {
    return fit_objective(at, samples, slope);
  });
}

}  // namespace mimus::scheduler
