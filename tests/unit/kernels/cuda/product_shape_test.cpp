// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/product_shape.hpp"

#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace mimus::kernels::cuda {
namespace {

Product product(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  Product p;
  p.rows = rows;
  p.columns = columns;
  p.inner = inner;
  return p;
}

/// What cuBLASLt computes from a shape: D = op(A)·op(B), column-major, for each matrix of the
/// batch.
std::vector<double> multiply_column_major(const ProductShape& s, const std::vector<double>& a,
                                          const std::vector<double>& b) {
  const auto at = [](const MatrixLayout& m, std::int64_t batch, std::int64_t row,
                     std::int64_t column) {
    return static_cast<std::size_t>(batch * m.batch + column * m.leading + row);
  };
  std::vector<double> d(static_cast<std::size_t>(s.count * s.d.batch));
  for (std::int64_t batch = 0; batch < s.count; ++batch) {
    for (std::int64_t i = 0; i < s.d.rows; ++i) {
      for (std::int64_t j = 0; j < s.d.columns; ++j) {
        double& sum = d[at(s.d, batch, i, j)];
        for (std::int64_t k = 0; k < s.inner; ++k) {
          const double left = s.transpose_a ? a[at(s.a, batch, k, i)] : a[at(s.a, batch, i, k)];
          const double right = s.transpose_b ? b[at(s.b, batch, j, k)] : b[at(s.b, batch, k, j)];
          sum += left * right;
        }
      }
    }
  }
  return d;
}

/// The definition in launch.hpp, row-major.
std::vector<double> multiply_row_major(const Product& p, const std::vector<double>& left,
                                       const std::vector<double>& right) {
  std::vector<double> out(static_cast<std::size_t>(p.count * p.rows * p.columns));
  for (std::int64_t batch = 0; batch < p.count; ++batch) {
    const auto l = [&](std::int64_t i, std::int64_t k) {
      const auto place = p.transpose_left ? k * p.rows + i : i * p.inner + k;
      return left[static_cast<std::size_t>(batch * p.rows * p.inner + place)];
    };
    const auto r = [&](std::int64_t k, std::int64_t j) {
      const auto place = p.transpose_right ? j * p.inner + k : k * p.columns + j;
      return right[static_cast<std::size_t>(batch * p.inner * p.columns + place)];
    };
    for (std::int64_t i = 0; i < p.rows; ++i) {
      for (std::int64_t j = 0; j < p.columns; ++j) {
        double& sum = out[static_cast<std::size_t>((batch * p.rows + i) * p.columns + j)];
        for (std::int64_t k = 0; k < p.inner; ++k) sum += l(i, k) * r(k, j);
      }
    }
  }
  return out;
}

std::vector<double> counting(std::int64_t elements) {
  std::vector<double> values(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * i % 17) - 8.0;
  return values;
}

TEST(ProductShape, DescribesTheProductForEveryTransposition) {
  for (const int flags : {0, 1, 2, 3}) {
    Product p = product(2, 3, 5);
    p.count = 2;
    p.transpose_left = (flags & 1) != 0;
    p.transpose_right = (flags & 2) != 0;
    const auto left = counting(p.count * p.rows * p.inner);
    const auto right = counting(p.count * p.inner * p.columns);

    const auto d = multiply_column_major(product_shape(p), right, left);

    EXPECT_EQ(d, multiply_row_major(p, left, right)) << "transpositions " << flags;
  }
}

TEST(ProductShape, PutsTheBiasAlongTheColumnsOfTheOutput) {
  Product p = product(2, 3, 5);
  p.bias = true;

  const ProductShape shape = product_shape(p);

  // cuBLASLt's bias has one number per row of D.
  EXPECT_TRUE(shape.bias);
  EXPECT_EQ(shape.d.rows, 3);
}

TEST(ProductShape, KnowsTheAlignmentOfDisplacedOperands) {
  Product p = product(4, 4, 4);
  p.left = {Region::temporary, 512};  // a multiple of 256, the largest alignment that cuBLASLt uses
  p.right = {Region::temporary, 96};  // 3 · 32
  p.out = {Region::temporary, 6};     // 3 · 2

  const ProductShape shape = product_shape(p);

  EXPECT_EQ(shape.b.alignment, 256);
  EXPECT_EQ(shape.a.alignment, 32);
  EXPECT_EQ(shape.d.alignment, 2);
}

TEST(ProductShape, IsTheSameWhereverAlignedOperandsLie) {
  Product here = product(4, 4, 4);
  Product there = here;
  there.left = {Region::weights, 1024};

  EXPECT_EQ(product_shape(here), product_shape(there));
  EXPECT_EQ(ProductShapeHash{}(product_shape(here)), ProductShapeHash{}(product_shape(there)));
}

TEST(ProductShape, TellsProductsApartThatNeedAnotherAlgorithm) {
  const Product base = product(64, 32, 16);
  std::vector<Product> all(10, base);
  all[1].rows = 65;
  all[2].columns = 33;
  all[3].inner = 17;
  all[4].count = 2;
  all[5].transpose_left = true;
  all[6].transpose_right = true;
  all[7].accumulate = true;
  all[8].bias = true;
  all[9].arithmetic = Arithmetic::tf32;

  std::unordered_set<ProductShape, ProductShapeHash> shapes;
  std::unordered_set<std::size_t> hashes;
  for (const Product& p : all) {
    shapes.insert(product_shape(p));
    hashes.insert(ProductShapeHash{}(product_shape(p)));
  }

  EXPECT_EQ(shapes.size(), all.size());
  EXPECT_EQ(hashes.size(), all.size());
}

TEST(ProductShape, RefusesWhatCublasltCannotCount) {
  EXPECT_THROW((void)product_shape(product(0, 4, 4)), UsageError);
  EXPECT_THROW((void)product_shape(product(4, 4, std::int64_t{1} << 31)), UsageError);
}

TEST(ProductBytes, CoverEveryOperandOverTheBatch) {
  Product p = product(2, 3, 5);
  p.count = 7;
  p.arithmetic = Arithmetic::bf16;

  EXPECT_EQ(left_bytes(p), 7 * 2 * 5 * 2);
  EXPECT_EQ(right_bytes(p), 7 * 5 * 3 * 2);
  EXPECT_EQ(out_bytes(p), 7 * 2 * 3 * 2);
}

TEST(ProductScale, KeepsTheLargestMagnitude) {
  // A sum of 8 products of magnitude at most 1 is at most 8.
  EXPECT_FLOAT_EQ(product_scale(product(2, 3, 8)), 0.125F);
}

}  // namespace
}  // namespace mimus::kernels::cuda
