// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/libraries/matrix_product.hpp"

#include <utility>
#include <vector>

#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

class MatrixProductTest : public GpuTest {};

/// Sizes that no tile divides. `transpositions` has one bit for each operand.
Product small_product(Arithmetic arithmetic, int transpositions) {
  Product p;
  p.rows = 40, p.columns = 72, p.inner = 56, p.count = 3;
  p.transpose_left = (transpositions & 1) != 0;
  p.transpose_right = (transpositions & 2) != 0;
  p.arithmetic = arithmetic;
  return p;
}

void place(Product& p, Tensors& tensors) {
  p.left = tensors.add_random(p.count * p.rows * p.inner);
  p.right = tensors.add_random(p.count * p.inner * p.columns);
  p.out = tensors.add_random(p.count * p.rows * p.columns);
}

/// The definition in launch.hpp times product_scale().
std::vector<double> reference(const Product& p, Tensors& tensors) {
  std::vector<double> out = tensors.values(p.out, p.count * p.rows * p.columns);
  for (std::int64_t batch = 0; batch < p.count; ++batch) {
    for (std::int64_t i = 0; i < p.rows; ++i) {
      for (std::int64_t j = 0; j < p.columns; ++j) {
        double sum = 0.0;
        for (std::int64_t k = 0; k < p.inner; ++k) {
          const auto l = p.transpose_left ? k * p.rows + i : i * p.inner + k;
          const auto r = p.transpose_right ? j * p.inner + k : k * p.columns + j;
          sum += tensors.get(p.left, batch * p.rows * p.inner + l) *
                 tensors.get(p.right, batch * p.inner * p.columns + r);
        }
        double& result = out[static_cast<std::size_t>((batch * p.rows + i) * p.columns + j)];
        result = (p.accumulate ? result : 0.0) + sum / static_cast<double>(p.inner);
      }
    }
  }
  return out;
}

/// TF32 keeps ten bits of an operand, like fp16.
double tolerance_of(Arithmetic arithmetic) {
  return 2.0 * tolerance(arithmetic == Arithmetic::tf32 ? Arithmetic::fp16 : arithmetic);
}

void expect_product(const Product& p, Tensors& tensors, const std::vector<double>& expected) {
  tensors.download();
  expect_all_close(tensors.values(p.out, p.count * p.rows * p.columns), expected,
                   tolerance_of(p.arithmetic), name(p.arithmetic));
}

void check_transpositions(Arithmetic arithmetic) {
  MatrixProducts products;
  for (const int transpositions : {0, 1, 2, 3}) {
    Tensors tensors(arithmetic);
    Product p = small_product(arithmetic, transpositions);
    place(p, tensors);
    const std::vector<double> expected = reference(p, tensors);
    tensors.upload();

    products.enqueue(p, tensors.regions(), nullptr);

    expect_product(p, tensors, expected);
  }
}

TEST_F(MatrixProductTest, MultipliesInEveryTransposition) {
  check_transpositions(Arithmetic::fp32);
  check_transpositions(Arithmetic::fp16);
}

TEST_F(MatrixProductTest, MultipliesInTheArithmeticOfAmpere) {
  if (!at_least_ampere()) GTEST_SKIP() << kNeedsAmpere;
  check_transpositions(Arithmetic::tf32);
  check_transpositions(Arithmetic::bf16);
}

TEST_F(MatrixProductTest, AddsToTheOutputWhenAsked) {
  MatrixProducts products;
  Tensors tensors(Arithmetic::fp32);
  Product p = small_product(Arithmetic::fp32, 0);
  p.accumulate = true;
  place(p, tensors);
  const std::vector<double> expected = reference(p, tensors);
  tensors.upload();

  products.enqueue(p, tensors.regions(), nullptr);

  expect_product(p, tensors, expected);
}

TEST_F(MatrixProductTest, AddsABiasThatIsNotZero) {
  MatrixProducts products;
  Tensors tensors(Arithmetic::fp32);
  Product p = small_product(Arithmetic::fp32, 0);
  p.bias = true;
  place(p, tensors);
  std::vector<double> expected = reference(p, tensors);
  for (double& value : expected) value += 0x1.787878p-7;  // the float whose bytes are all 0x3c
  tensors.upload();

  products.enqueue(p, tensors.regions(), nullptr);

  expect_product(p, tensors, expected);
}

TEST_F(MatrixProductTest, IsReplayedByAGraph) {
  MatrixProducts products;
  Tensors tensors(Arithmetic::fp16);
  Product p = small_product(Arithmetic::fp16, 2);
  place(p, tensors);
  const std::vector<double> expected = reference(p, tensors);
  products.prepare(p);
  const Stream stream;

  const Graph graph =
      Graph::capture(stream.get(), [&] { products.enqueue(p, tensors.regions(), stream.get()); });
  tensors.upload();
  GraphExec(graph).launch(stream.get());
  stream.synchronize();

  expect_product(p, tensors, expected);
}

TEST_F(MatrixProductTest, HoldsAWorkspaceOfItsGenerationForEitherPass) {
  MatrixProducts products;
  EXPECT_EQ(products.workspace_bytes(), 0) << "before any shape";
  products.prepare(small_product(Arithmetic::bf16, 0));

  EXPECT_GE(products.workspace_bytes(), 2 * (8 << 20));
  EXPECT_LE(products.workspace_bytes(), 2 * (32 << 20));
  products.give_back();
  EXPECT_EQ(products.workspace_bytes(), 0);
}

}  // namespace
}  // namespace mimus::kernels::cuda
