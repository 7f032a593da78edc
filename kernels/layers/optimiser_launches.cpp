// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/optimiser_launches.hpp"

#include "base/error.hpp"
#include "kernels/layers/small_launches.hpp"
#include "kernels/layers/tensor_lists.hpp"

namespace mimus::kernels {
namespace {

using Function = MultiTensor::Function;
using workloads::Optimiser;

/// A kernel over all tensors: its lists of operands, and whether it takes a scalar per tensor.
struct Pass {
  Function function;
  int depth = 1;
  bool scalars = false;
};

/// grad = grad.add(param, weight_decay); buf.mul_(momentum); buf.add_(grad); param.add_(buf, -lr)
const std::vector<Pass>& sgd_passes() {
  static const std::vector<Pass> passes{{Function::decay, 3},
                                        {Function::scale_first, 1},
                                        {Function::add_first, 2},
                                        {Function::apply_first, 2}};
  return passes;
}

/// lerp_; mul_; addcmul_; sqrt; div_ and addcdiv_ by the bias corrections, a scalar per tensor;
/// add_
const std::vector<Pass>& adam_passes() {
  static const std::vector<Pass> passes{
      {Function::lerp_first, 2},        {Function::scale_second, 1}, {Function::square_second, 3},
      {Function::root_second, 2},       {Function::divide, 1, true}, {Function::add_epsilon, 1},
      {Function::apply_ratio, 3, true},
  };
  return passes;
}

/// You et al., ICLR 2020, Algorithm 2, in the three kernels of fused implementations.
const std::vector<Pass>& lamb_passes() {
  static const std::vector<Pass> passes{
      {Function::lamb_moments}, {Function::lamb_norms}, {Function::lamb_apply}};
  return passes;
}

class OptimiserSequence {
 public:
  OptimiserSequence(const ParameterLayout& parameters, int parts, const LaunchOptions& options)
      : tensors_(tensors_of_part(parameters, parts)),
        elements_(part_elements(parameters, parts)),
        options_(options) {}

  void over_all(const Pass& pass) {
    const auto limits = tensor_list_limits(pass.depth, pass.scalars, options_.arguments);
    for (auto& list : split_tensor_lists(tensors_, limits)) add(pass.function, std::move(list));
  }

  /// The list is not divided, because norms cover whole tensors.
  void over_whole_list(const std::vector<Pass>& passes) {
    for (const Pass& pass : passes) add(pass.function, tensors_);
  }

  /// The same passes for one tensor after another.
  void per_tensor(const std::vector<Pass>& passes) {
    for (const TensorSpan& tensor : tensors_) {
      for (const Pass& pass : passes) add(pass.function, {tensor});
    }
  }

  /// Fused optimisers keep the step count on the device, one per tensor, and increment it first.
  void count_steps(const TensorRef& counters) {
    const std::vector<TensorSpan> numbers(tensors_.size(), {0, 1});
    const auto limits = tensor_list_limits(1, false, options_.arguments);
    const std::size_t lists = split_tensor_lists(numbers, limits).size();
    launches.insert(launches.end(), lists, count_launch(counters));
  }

  std::vector<Launch> launches;

 private:
  void add(Function function, std::vector<TensorSpan> tensors) {
    launches.push_back(MultiTensor{function, std::move(tensors), elements_});
  }

  std::vector<TensorSpan> tensors_;
  std::int64_t elements_;
  LaunchOptions options_;
};

const std::vector<Pass>& passes_of(Optimiser optimiser) {
  switch (optimiser) {
    case Optimiser::sgd_momentum:
      return sgd_passes();
    case Optimiser::adam:
      return adam_passes();
    case Optimiser::lamb:
      return lamb_passes();
  }
  throw InternalError("unknown optimiser");
}

void fused(OptimiserSequence& sequence, Optimiser optimiser, const TensorRef& counters) {
  if (optimiser == Optimiser::sgd_momentum) return sequence.over_all({Function::sgd, 3});
  sequence.count_steps(counters);
  sequence.over_all({Function::adam, 4});
}

}  // namespace

std::vector<Launch> optimiser_launches(Optimiser optimiser, const ParameterLayout& parameters,
                                       int parts, const LaunchOptions& options, bool loss_scaled,
                                       const TensorRef& counters) {
  OptimiserSequence sequence(parameters, parts, options);
  if (loss_scaled) {
    // The scale as double, its reciprocal, the cast back, the flag set to zero; then the gradients.
    sequence.launches.assign(4, count_launch(counters));
    sequence.over_all({Function::unscale, 1});
  }
  const auto& passes = passes_of(optimiser);
  if (options.optimiser == OptimiserLaunches::per_tensor) {
    sequence.per_tensor(passes);
  } else if (optimiser == Optimiser::lamb) {
    sequence.over_whole_list(passes);
  } else if (options.optimiser == OptimiserLaunches::fused) {
    fused(sequence, optimiser, counters);
  } else {
    for (const Pass& pass : passes) sequence.over_all(pass);
  }
  if (loss_scaled) sequence.launches.push_back(count_launch(counters));  // the scale's update
  return std::move(sequence.launches);
}

}  // namespace mimus::kernels
