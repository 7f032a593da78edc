// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/kernels/bucket_kernels.hpp"
#include "kernels/cuda/kernels/optimiser_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = MultiTensor::Function;
using OptimiserTest = GpuTest;

struct Values {
  double w, g, m, v, t;
};

double wrapped_reference(double w) {
  if (w < 0.1) w += 0.9;
  if (w >= 1.0) w -= 0.9;
  return std::clamp(w, 0.1, 1.0);
}

Values reference(Function function, Values p) {
  const auto moments = [&] {
    p.m += 0.1 * (p.g - p.m);
    p.v += 0.001 * (p.g * p.g - p.v);
  };
  switch (function) {
    case Function::sgd:
      p.m += 0.1 * (p.g - p.m), p.w -= 1e-3 * p.m;
      break;
    case Function::adam:
      moments(), p.w -= 1e-3 * p.m / std::sqrt(p.v);
      break;
    case Function::lamb_moments:
      moments(), p.t = p.m / std::sqrt(p.v) + 1e-4 * p.w;
      break;
    case Function::scale_first:
      p.m *= 0.9;
      break;
    case Function::decay:
      p.t = p.g + 1e-4 * p.w;
      break;
    case Function::add_first:
      p.m += 0.1 * p.t;
      break;
    case Function::apply_first:
      p.w -= 1e-3 * p.m;
      break;
    case Function::lerp_first:
      p.m += 0.1 * (p.g - p.m);
      break;
    case Function::scale_second:
      p.v *= 0.999;
      break;
    case Function::square_second:
      p.v += 0.001 * p.g * p.g;
      break;
    case Function::root_second:
      p.t = std::sqrt(p.v);
      break;
    case Function::apply_ratio:
      p.w -= 1e-3 * p.m / p.t;
      break;
    default:
      break;  // a division by one, an addition of 1e-8
  }
  return {wrapped_reference(p.w), bounded_reference(p.g), bounded_reference(p.m),
          bounded_reference(p.v), bounded_reference(p.t)};
}

constexpr std::int64_t kNorms = 4096;  ///< more than LAMB's norms and their offsets take

/// Separate fp32 regions, as in a replica.
class Replica {
 public:
  explicit Replica(std::int64_t parameters) : tensors(Arithmetic::fp32), parameters_(parameters) {
    const auto place = [&](Region region, std::int64_t elements) {
      const TensorRef at = tensors.add_random(elements);
      regions.base[static_cast<std::size_t>(region)] = tensors.regions().at(at);
      return at;
    };
    weights = place(Region::weights, parameters);
    gradients = place(Region::gradients, parameters);
    moments = place(Region::moments, 2 * parameters);
    scratch = place(Region::temporary, parameters + kNorms);
    buckets = place(Region::buckets, parameters);
  }
  Values get(std::int64_t i) {
    return {tensors.get(weights, i), tensors.get(gradients, i), tensors.get(moments, i),
            tensors.get(moments, parameters_ + i), tensors.get(scratch, i)};
  }
  std::vector<Values> all() {
    std::vector<Values> values;
    for (std::int64_t i = 0; i < parameters_; ++i) values.push_back(get(i));
    return values;
  }

  Tensors tensors;
  RegionAddresses regions;
  TensorRef weights, gradients, moments, scratch, buckets;

 private:
  std::int64_t parameters_;
};

void expect_values(const Values& actual, const Values& expected, std::int64_t index) {
  const std::string where = "parameter " + std::to_string(index);
  expect_close(actual.w, expected.w, 1e-5, where + " w");
  expect_close(actual.g, expected.g, 1e-5, where + " g");
  expect_close(actual.m, expected.m, 1e-5, where + " m");
  expect_close(actual.v, expected.v, 1e-5, where + " v");
  expect_close(actual.t, expected.t, 1e-5, where + " t");
}

/// Tensors that begin anywhere, are shorter than a vector, and leave gaps that must not change.
/// There is more than one chunk. `parameters` decides whether the second moment is aligned.
void check(Function function, std::int64_t parameters) {
  Replica replica(parameters);
  MultiTensor shape;
  shape.function = function;
  shape.parameters = parameters;
  shape.tensors = {{0, 5}, {5, 1}, {8, 1000}, {1011, 3}, {1101, parameters - 1101 - 7}};
  const std::vector<Values> before = replica.all();
  replica.tensors.upload();

  enqueue(shape, replica.regions, nullptr);

  replica.tensors.download();
  std::vector<Values> expected = before;
  for (const TensorSpan& span : shape.tensors) {
    for (std::int64_t i = span.first; i < span.first + span.elements; ++i) {
      expected[static_cast<std::size_t>(i)] =
          reference(function, before[static_cast<std::size_t>(i)]);
    }
  }
  for (std::int64_t i = 0; i < parameters; ++i) {
    expect_values(replica.get(i), expected[static_cast<std::size_t>(i)], i);
    if (::testing::Test::HasNonfatalFailure()) return;
  }
}

TEST_F(OptimiserTest, EveryFunctionUpdatesWhatItNamesAndNothingBetweenTensors) {
  for (const Function function :
       {Function::sgd, Function::adam, Function::lamb_moments, Function::scale_first,
        Function::decay, Function::add_first, Function::apply_first, Function::lerp_first,
        Function::scale_second, Function::square_second, Function::root_second, Function::divide,
        Function::add_epsilon, Function::apply_ratio, Function::unscale}) {
    check(function, 2048);
    check(function, 2051);
  }
}

/// LAMB's last two kernels. Every tensor takes a step of the size of its weights. One tensor has
/// several chunks, and the list has more chunks than fit a table.
TEST_F(OptimiserTest, LambScalesTheStepOfATensorByTheRatioOfItsNorms) {
  constexpr std::int64_t kSmall = 400;
  constexpr std::int64_t kLarge = 150'000;
  Replica replica(kSmall * 8 + kLarge);
  MultiTensor shape;
  shape.parameters = kSmall * 8 + kLarge;
  for (std::int64_t i = 0; i < kSmall; ++i) shape.tensors.push_back({i * 8, 1 + i % 8});
  shape.tensors.push_back({kSmall * 8, kLarge});
  const std::vector<Values> before = replica.all();
  replica.tensors.upload();

  for (const Function function : {Function::lamb_norms, Function::lamb_apply}) {
    shape.function = function;
    enqueue(shape, replica.regions, nullptr);
  }

  replica.tensors.download();
  for (const TensorSpan& span : shape.tensors) {
    double weights = 0.0;
    double updates = 0.0;
    for (std::int64_t i = span.first; i < span.first + span.elements; ++i) {
      weights += before[static_cast<std::size_t>(i)].w * before[static_cast<std::size_t>(i)].w;
      updates += before[static_cast<std::size_t>(i)].t * before[static_cast<std::size_t>(i)].t;
    }
    const double rate = 1e-3 * std::sqrt(weights / updates);
    for (std::int64_t i = span.first; i < span.first + span.elements; ++i) {
      Values expected = before[static_cast<std::size_t>(i)];
      expected.w = wrapped_reference(expected.w - rate * expected.t);
      expect_values(replica.get(i), expected, i);
      if (::testing::Test::HasNonfatalFailure()) return;
    }
  }
}

TEST_F(OptimiserTest, TensorsOfSeveralChunksAreCovered) {
  check(Function::adam, 150'000);
}

TEST_F(OptimiserTest, ListsLongerThanATableTakeSeveralLaunches) {
  constexpr std::int64_t kTensors = 3 * kTableChunks + 7;
  Replica replica(kTensors * 4);
  MultiTensor shape;
  shape.function = Function::sgd;
  shape.parameters = kTensors * 4;
  for (std::int64_t i = 0; i < kTensors; ++i) shape.tensors.push_back({i * 4, 4});
  const std::vector<Values> before = replica.all();
  replica.tensors.upload();

  enqueue(shape, replica.regions, nullptr);

  replica.tensors.download();
  for (std::int64_t i = 0; i < kTensors * 4; ++i) {
    expect_values(replica.get(i), reference(Function::sgd, before[static_cast<std::size_t>(i)]), i);
  }
}

TEST_F(OptimiserTest, WeightsStayInTheirRangeThroughManySteps) {
  Replica replica(1024);
  MultiTensor shape;
  shape.function = Function::adam;
  shape.tensors = {{0, 1024}};
  shape.parameters = 1024;
  replica.tensors.upload();

  for (int step = 0; step < 3000; ++step) enqueue(shape, replica.regions, nullptr);

  replica.tensors.download();
  double sum = 0.0;
  for (std::int64_t i = 0; i < 1024; ++i) {
    const double w = replica.get(i).w;
    ASSERT_GE(w, 0.099) << i;
    ASSERT_LE(w, 1.001) << i;
    sum += w;
  }
  // Uniform in [0.1, 1): mean 0.55, standard deviation of the mean 0.26 / 32.
  EXPECT_NEAR(sum / 1024.0, 0.55, 0.05);
}

TEST_F(OptimiserTest, AGradientThatIsNotFiniteRaisesTheFlagAndBecomesFinite) {
  Replica replica(64);
  MultiTensor shape;
  shape.function = Function::unscale;
  shape.tensors = {{0, 64}};
  shape.parameters = 64;
  replica.tensors.set(replica.gradients, 37, HUGE_VAL);
  replica.tensors.upload();

  enqueue(shape, replica.regions, nullptr);

  replica.tensors.download();
  EXPECT_EQ(replica.tensors.get(replica.scratch, 0), 1.0);
  EXPECT_EQ(replica.get(37).g, 4.0);
}

/// Aligned or not, in both directions: only the span is copied, and divided by the replicas on the
/// way in.
TEST_F(OptimiserTest, BucketsTakeSpansOfGradientsAndGiveThemBack) {
  for (const TensorSpan span : {TensorSpan{0, 1}, TensorSpan{8, 1001}, TensorSpan{5, 300'000}}) {
    for (const bool back : {false, true}) {
      Replica replica(300'100);
      const TensorRef& from = back ? replica.buckets : replica.gradients;
      const TensorRef& to = back ? replica.gradients : replica.buckets;
      std::vector<double> expected = replica.tensors.values(to, 300'100);
      for (std::int64_t i = span.first; i < span.first + span.elements; ++i) {
        expected[static_cast<std::size_t>(i)] = replica.tensors.get(from, i) / (back ? 1.0 : 4.0);
      }
      replica.tensors.upload();

      enqueue(BucketCopy{.back = back, .gradients = span, .replicas = 4}, replica.regions, nullptr);

      replica.tensors.download();
      expect_all_close(replica.tensors.values(to, 300'100), expected, 1e-6, "bucket");
    }
  }
}

}  // namespace
}  // namespace mimus::kernels::cuda
