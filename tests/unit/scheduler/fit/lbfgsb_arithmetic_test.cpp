// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <gtest/gtest.h>

extern "C" {
double mimus_ddot_(const int*, const double*, const int*, const double*, const int*);
void mimus_daxpy_(const int*, const double*, const double*, const int*, double*, const int*);
void mimus_dpotrf_(const char*, const int*, double*, const int*, int*);
void mimus_dtrtrs_(const char*, const char*, const char*, const int*, const int*, const double*,
                   const int*, double*, const int*, int*);
}

namespace mimus::scheduler {
namespace {

constexpr int kSize = 3;
constexpr int kLeading = 4;  ///< one row more than is used

/// By columns, the upper triangle of UᵀU with U = [2 1 3; 0 4 5; 0 0 6], and rows of 99 that must
/// not be touched.
std::array<double, 12> matrix() {
  return {4, 99, 99, 99, 2, 17, 99, 99, 6, 23, 70, 99};
}

TEST(LbfgsbArithmetic, FactorsTheUpperTriangle) {
  auto a = matrix();
  int info = -1;
  mimus_dpotrf_("U", &kSize, a.data(), &kLeading, &info);

  EXPECT_EQ(info, 0);
  EXPECT_EQ(a, (std::array<double, 12>{2, 99, 99, 99, 1, 4, 99, 99, 3, 5, 6, 99}));
}

TEST(LbfgsbArithmetic, NamesTheColumnThatIsNotPositive) {
  auto a = matrix();
  a[5] = 1.0;  // less than 1², the square of the factor's element above it
  int info = -1;
  mimus_dpotrf_("U", &kSize, a.data(), &kLeading, &info);

  EXPECT_EQ(info, 2);
}

TEST(LbfgsbArithmetic, SolvesWithATriangleAndWithItsTranspose) {
  const std::array<double, 12> factor{2, 99, 99, 99, 1, 4, 99, 99, 3, 5, 6, 99};
  const int sides = 2;
  int info = -1;
  // U x for x = (1, 2, 3) and (-1, 0, 1)
  std::array<double, 8> b{13, 23, 18, 99, 1, 5, 6, 99};
  mimus_dtrtrs_("U", "N", "N", &kSize, &sides, factor.data(), &kLeading, b.data(), &kLeading,
                &info);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(b, (std::array<double, 8>{1, 2, 3, 99, -1, 0, 1, 99}));

  // Uᵀ x for the same
  std::array<double, 8> c{2, 9, 31, 99, -2, -1, 3, 99};
  mimus_dtrtrs_("U", "T", "N", &kSize, &sides, factor.data(), &kLeading, c.data(), &kLeading,
                &info);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(c, b);
}

TEST(LbfgsbArithmetic, NamesAZeroOnTheDiagonal) {
  std::array<double, 12> factor{2, 99, 99, 99, 1, 0, 99, 99, 3, 5, 6, 99};
  std::array<double, 4> b{1, 1, 1, 1};
  const int sides = 1;
  int info = -1;
  mimus_dtrtrs_("U", "N", "N", &kSize, &sides, factor.data(), &kLeading, b.data(), &kLeading,
                &info);

  EXPECT_EQ(info, 2);
}

// This order loses the small numbers, and the opposite order would keep them: 1e16 + 1 + 1.
TEST(LbfgsbArithmetic, AddsFromTheFirstToTheLast) {
  const std::array<double, 3> x{1e16, 1.0, 1.0};
  const std::array<double, 5> y{1.0, 99.0, 1.0, 99.0, 1.0};
  const int one = 1;
  const int two = 2;

  EXPECT_EQ(mimus_ddot_(&kSize, x.data(), &one, y.data(), &two), 1e16);
}

TEST(LbfgsbArithmetic, AddsMultiplesStepByStep) {
  std::array<double, 5> y{1, 99, 2, 99, 3};
  const std::array<double, 3> x{10, 20, 30};
  const double a = 0.5;
  const int one = 1;
  const int two = 2;
  mimus_daxpy_(&kSize, &a, x.data(), &one, y.data(), &two);

  EXPECT_EQ(y, (std::array<double, 5>{6, 99, 12, 99, 18}));
}

}  // namespace
}  // namespace mimus::scheduler
