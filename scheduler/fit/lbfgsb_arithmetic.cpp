// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that L-BFGS-B calls, under names that cmake/MimusLbfgsb.cmake gives them. Its
// linear algebra comes first. Where a fit ends at a kink of its objective depends on the last bits,
// and a BLAS sums in a different order on every kind of processor. The same trace would then be
// scheduled differently on two machines. Here sums go from first to last, as in the BLAS and
// LINPACK that the authors of the optimiser ship with it.
#include <cmath>
#include <cstddef>

#include "base/error.hpp"

namespace {

/// A matrix in Fortran's layout: by columns, which begin `leading` numbers apart. Indices from 0.
class Columns {
 public:
  Columns(const double* values, int leading)
      : values_(values), leading_(static_cast<std::size_t>(leading)) {}
  const double* operator[](int column) const {
    return values_ + static_cast<std::size_t>(column) * leading_;
  }

 private:
  const double* values_;
  std::size_t leading_;
};

double dot(int n, const double* x, const double* y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// Computes column `j` of the upper factor from the previous ones. Returns false if the matrix is
/// not positive definite.
bool factor_column(const Columns& columns, double* column, int j) {
  double square = 0.0;
  for (int k = 0; k < j; ++k) {
    const double* before = columns[k];
    column[k] = (column[k] - dot(k, before, column)) / before[k];
    square += column[k] * column[k];
  }
  const double rest = column[j] - square;
  if (rest <= 0.0) return false;
  column[j] = std::sqrt(rest);
  return true;
}

void solve_upper(int n, const Columns& factor, double* x) {
  for (int j = n - 1; j >= 0; --j) {
    const double* column = factor[j];
    x[j] /= column[j];
    for (int i = 0; i < j; ++i) x[i] -= x[j] * column[i];
  }
}

void solve_transposed(int n, const Columns& factor, double* x) {
  for (int j = 0; j < n; ++j) {
    const double* column = factor[j];
    x[j] = (x[j] - dot(j, column, x)) / column[j];
  }
}

}  // namespace

// Arguments are those of BLAS and LAPACK. The length of a text at the end is not needed.
extern "C" {

double mimus_ddot_(const int* n, const double* x, const int* step_x, const double* y,
                   const int* step_y) {
  double sum = 0.0;
  for (int i = 0; i < *n; ++i) sum += x[i * *step_x] * y[i * *step_y];
  return sum;
}

void mimus_daxpy_(const int* n, const double* a, const double* x, const int* step_x, double* y,
                  const int* step_y) {
  for (int i = 0; i < *n; ++i) y[i * *step_y] += *a * x[i * *step_x];
}

void mimus_dscal_(const int* n, const double* a, double* x, const int* step_x) {
  for (int i = 0; i < *n; ++i) x[i * *step_x] *= *a;
}

void mimus_dcopy_(const int* n, const double* x, const int* step_x, double* y, const int* step_y) {
  for (int i = 0; i < *n; ++i) y[i * *step_y] = x[i * *step_x];
}

/// The upper Cholesky factor, like LINPACK's dpofa. `info` is 0, or the column that is not
/// positive.
void mimus_dpotrf_(const char* triangle, const int* n, double* a, const int* leading, int* info) {
  mimus::ensure(*triangle == 'U' || *triangle == 'u', "L-BFGS-B factors upper triangles");
  const Columns columns(a, *leading);
  *info = 0;
  for (int j = 0; j < *n && *info == 0; ++j) {
    double* column = a + static_cast<std::size_t>(j) * static_cast<std::size_t>(*leading);
    if (!factor_column(columns, column, j)) *info = j + 1;
  }
}

/// Solves with an upper triangle or its transpose, like LINPACK's dtrsl. `info` is 0, or the column
/// whose diagonal is zero.
void mimus_dtrtrs_(const char* triangle, const char* transposed, const char* unit, const int* n,
                   const int* right_sides, const double* a, const int* leading, double* b,
                   const int* leading_b, int* info) {
  mimus::ensure((*triangle == 'U' || *triangle == 'u') && (*unit == 'N' || *unit == 'n'),
                "L-BFGS-B solves with upper triangles that have a diagonal");
  const Columns factor(a, *leading);
  *info = 0;
  for (int j = 0; j < *n; ++j) {
    if (factor[j][j] == 0.0) *info = j + 1;
    if (*info != 0) return;
  }
  const bool upper = *transposed == 'N' || *transposed == 'n';
  for (int side = 0; side < *right_sides; ++side) {
    double* x = b + static_cast<std::size_t>(side) * static_cast<std::size_t>(*leading_b);
    upper ? solve_upper(*n, factor, x) : solve_transposed(*n, factor, x);
  }
}

// Replaces the WRITE statements. Even in silent mode the optimiser prints to stdout that a search
// direction goes uphill. This happens near the end of a fit and is not an error, and stdout belongs
// to the program.
void mimus_st_write(void*) {}
void mimus_st_write_done(void*) {}
void mimus_transfer_array_write(void*, void*, int, std::size_t) {}
void mimus_transfer_character_write(void*, void*, std::size_t) {}
void mimus_transfer_integer_write(void*, void*, int) {}
void mimus_transfer_real_write(void*, void*, int) {}
}
