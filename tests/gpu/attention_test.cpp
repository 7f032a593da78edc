// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kernels/cuda/kernels/attention/attention_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using AttentionTest = GpuTest;

/// A launch of attention with operands, and the results of the reference.
class Case {
 public:
  Case(Arithmetic arithmetic, std::int64_t heads, std::int64_t rows, std::int64_t features)
      : tensors(arithmetic) {
    shape.batch = 2;
    shape.heads = heads;
    shape.rows = rows;
    shape.features = features;
    shape.arithmetic = arithmetic;
    const std::int64_t elements = shape.batch * heads * rows * features;
    for (TensorRef* in : {&shape.query, &shape.key, &shape.value, &shape.out_gradient}) {
      *in = tensors.add_random(elements, -1.5, 1.5);
    }
    for (TensorRef* out :
         {&shape.out, &shape.query_gradient, &shape.key_gradient, &shape.value_gradient}) {
      *out = tensors.add(elements);
    }
    shape.statistics = tensors.add(shape.batch * heads * rows, 4);
  }

  void run() {
    tensors.upload();
    enqueue(shape, tensors.regions(), nullptr);
    tensors.download();
  }

  /// Index in a tensor of batch × rows × heads · features.
  [[nodiscard]] std::int64_t at(std::int64_t head, std::int64_t row, std::int64_t feature) const {
    const std::int64_t line = head / shape.heads * shape.rows + row;
    return (line * shape.heads + head % shape.heads) * shape.features + feature;
  }
  double get(const TensorRef& place, std::int64_t head, std::int64_t row, std::int64_t feature) {
    return tensors.get(place, at(head, row, feature));
  }
  double dot(const TensorRef& a, std::int64_t row_a, const TensorRef& b, std::int64_t row_b,
             std::int64_t head) {
    double sum = 0.0;
    for (std::int64_t f = 0; f < shape.features; ++f) {
      sum += get(a, head, row_a, f) * get(b, head, row_b, f);
    }
    return sum;
  }
  [[nodiscard]] double scale() const {
    return 1.0 / std::sqrt(static_cast<double>(shape.features));
  }

  /// The softmax of a query's scores, followed by log Σ exp.
  std::vector<double> probabilities(std::int64_t head, std::int64_t row) {
    std::vector<double> p;
    for (std::int64_t k = 0; k < shape.rows; ++k) {
      p.push_back(scale() * dot(shape.query, row, shape.key, k, head));
    }
    const double max = *std::max_element(p.begin(), p.end());
    double sum = 0.0;
    for (double& value : p) sum += value = std::exp(value - max);
    for (double& value : p) value /= sum;
    p.push_back(max + std::log(sum));
    return p;
  }

  /// Factors are rounded to 11 bits before the product (8 for bf16). A result is a sum of products.
  [[nodiscard]] double error() const {
    if (shape.arithmetic == Arithmetic::fp32) return 1e-4;
    return shape.arithmetic == Arithmetic::bf16 ? 0.1 : 0.02;
  }

  Tensors tensors;
  FusedAttention shape;
};

void check_forward(Case& item) {
  item.run();
  for (std::int64_t head = 0; head < 2 * item.shape.heads; ++head) {
    for (std::int64_t row = 0; row < item.shape.rows; ++row) {
      const std::vector<double> p = item.probabilities(head, row);
      const float statistic =
          item.tensors.raw<float>(item.shape.statistics, head * item.shape.rows + row);
      expect_close(static_cast<double>(statistic), p.back(), 0.1 * item.error(), "log-sum-exp");
      for (std::int64_t f = 0; f < item.shape.features; ++f) {
        double expected = 0.0;
        for (std::int64_t k = 0; k < item.shape.rows; ++k) {
          expected += p[static_cast<std::size_t>(k)] * item.get(item.shape.value, head, k, f);
        }
        double actual = item.get(item.shape.out, head, row, f);
        // A sum that cancels may have either sign. It is then bounded in absolute value.
        if (std::fabs(expected) < item.error() * 0.125) {
          actual = std::fabs(actual);
          expected = std::fabs(expected);
        }
        expect_close(actual, bounded_reference(expected), item.error(),
                     "out at row " + std::to_string(row));
        if (::testing::Test::HasNonfatalFailure()) return;
      }
    }
  }
}

/// Gradients of one head by the chain rule, rows × features each.
struct Gradients {
  std::vector<double> query, key, value;
};

/// Stores what a forward pass would leave for the gradient of a head.
void keep_forward(Case& item, std::int64_t head) {
  for (std::int64_t row = 0; row < item.shape.rows; ++row) {
    const std::vector<double> p = item.probabilities(head, row);
    item.tensors.set_raw(item.shape.statistics, head * item.shape.rows + row,
                         static_cast<float>(p.back()));
    for (std::int64_t f = 0; f < item.shape.features; ++f) {
      double out = 0.0;
      for (std::int64_t k = 0; k < item.shape.rows; ++k) {
        out += p[static_cast<std::size_t>(k)] * item.get(item.shape.value, head, k, f);
      }
      item.tensors.set(item.shape.out, item.at(head, row, f), out);
    }
  }
}

Gradients reference_gradients(Case& item, std::int64_t head) {
  const std::int64_t rows = item.shape.rows;
  const std::int64_t features = item.shape.features;
  const auto size = static_cast<std::size_t>(rows * features);
  Gradients sums{std::vector<double>(size), std::vector<double>(size), std::vector<double>(size)};
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::vector<double> p = item.probabilities(head, row);
    const double expected = item.dot(item.shape.out, row, item.shape.out_gradient, row, head);
    for (std::int64_t k = 0; k < rows; ++k) {
      const double probability = p[static_cast<std::size_t>(k)];
      const double dp = item.dot(item.shape.out_gradient, row, item.shape.value, k, head);
      const double ds = item.scale() * probability * (dp - expected);
      for (std::int64_t f = 0; f < features; ++f) {
        const auto at_row = static_cast<std::size_t>(row * features + f);
        const auto at_key = static_cast<std::size_t>(k * features + f);
        sums.query[at_row] += ds * item.get(item.shape.key, head, k, f);
        sums.key[at_key] += ds * item.get(item.shape.query, head, row, f);
        sums.value[at_key] += probability * item.get(item.shape.out_gradient, head, row, f);
      }
    }
  }
  return sums;
}

void check_gradient(Case& item) {
  item.shape.gradient = true;
  for (std::int64_t head = 0; head < 2 * item.shape.heads; ++head) keep_forward(item, head);
  item.run();
  for (std::int64_t head = 0; head < 2 * item.shape.heads; ++head) {
    const Gradients expected = reference_gradients(item, head);
    for (std::int64_t row = 0; row < item.shape.rows; ++row) {
      for (std::int64_t f = 0; f < item.shape.features; ++f) {
        const auto i = static_cast<std::size_t>(row * item.shape.features + f);
        const auto check = [&](const TensorRef& place, double value, const char* what) {
          const double actual = item.get(place, head, row, f);
          // A gradient that is zero except for rounding may have either sign.
          const double signed_value =
              std::fabs(value) < 1e-5 ? std::copysign(value, actual) : value;
          expect_close(actual, bounded_reference(signed_value), item.error(),
                       std::string{what} + " at row " + std::to_string(row));
        };
        check(item.shape.query_gradient, expected.query[i], "dq");
        check(item.shape.key_gradient, expected.key[i], "dk");
        check(item.shape.value_gradient, expected.value[i], "dv");
        if (::testing::Test::HasNonfatalFailure()) return;
      }
    }
  }
}

/// Whether the largest tiles (the fp32 gradient's) fit, which need 138 KB of shared memory.
bool takes_every_tile() {
  int device = 0;
  int bytes = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             "cudaDeviceGetAttribute");
  return bytes >= 138 * 1024 && at_least_ampere();
}

/// One row, less than a tile, slightly more than a tile, several tiles; both sizes of heads; and
/// more tiles of keys than blocks are resident on 132 multiprocessors. Cases that a small device
/// refuses are skipped with its message.
template <class Check>
void for_cases(Arithmetic arithmetic, Check&& check) {
  std::string refused;
  for (const auto& [heads, rows, features] : {std::array<std::int64_t, 3>{1, 1, 64},
                                              {2, 19, 64},
                                              {1, 70, 128},
                                              {3, 130, 64},
                                              {220, 17, 64}}) {
    Case item(arithmetic, heads, rows, features);
    try {
      check(item);
    } catch (const EnvironmentError& error) {
      if (takes_every_tile()) throw;
      refused = error.what();
    }
  }
  if (!refused.empty()) GTEST_SKIP() << refused;
}

TEST_F(AttentionTest, Fp32MatchesTheFormula) {
  for_cases(Arithmetic::fp32, check_forward);
}
TEST_F(AttentionTest, Tf32MatchesTheFormula) {
  for_cases(Arithmetic::tf32, check_forward);
}
TEST_F(AttentionTest, Fp16MatchesTheFormula) {
  for_cases(Arithmetic::fp16, check_forward);
}
TEST_F(AttentionTest, Bf16MatchesTheFormula) {
  for_cases(Arithmetic::bf16, check_forward);
}
TEST_F(AttentionTest, Fp32GradientsFollowTheChainRule) {
  for_cases(Arithmetic::fp32, check_gradient);
}
TEST_F(AttentionTest, Tf32GradientsFollowTheChainRule) {
  for_cases(Arithmetic::tf32, check_gradient);
}
TEST_F(AttentionTest, Fp16GradientsFollowTheChainRule) {
  for_cases(Arithmetic::fp16, check_gradient);
}
TEST_F(AttentionTest, Bf16GradientsFollowTheChainRule) {
  for_cases(Arithmetic::bf16, check_gradient);
}

/// A late key that fits far better than the previous ones makes the warp rescale its partial sums.
TEST_F(AttentionTest, AScoreThatGrowsLateRescalesWhatWasSummed) {
  if (!at_least_ampere()) GTEST_SKIP() << kNeedsAmpere;
  Case item(Arithmetic::fp32, 1, 130, 64);
  for (std::int64_t f = 0; f < 64; ++f) {
    item.tensors.set(item.shape.key, item.at(0, 120, f), 4.0 * item.get(item.shape.query, 0, 5, f));
  }
  check_forward(item);
}

TEST_F(AttentionTest, OtherHeadsAreRefusedWithWhatIsPossible) {
  Case item(Arithmetic::fp32, 1, 8, 64);
  item.shape.features = 48;
  try {
    enqueue(item.shape, item.tensors.regions(), nullptr);
    FAIL() << "heads of 48 features were taken";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string{error.what()}.find("64 and 128"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mimus::kernels::cuda
