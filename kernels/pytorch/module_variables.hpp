// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/pytorch/allocation_log.hpp"

namespace mimus::kernels {

/// Tensors that variables of a model's own functions name in the forward pass, beside the output of
/// the last layer, and the casts of weights that autocast keeps: they are held although nothing
/// reads them any more, until the function returns.
class ModuleVariables {
 public:
  using Tensor = AllocationLog::Tensor;

  explicit ModuleVariables(AllocationLog& log) : log_(log) {}

  void keep_cast(Tensor weights) { casts_.push_back(weights); }
  void of_model(Tensor tensor) { model_.push_back(tensor); }
  /// Of a block of layers around attention, which ends with its second residual sum.
  void of_block(Tensor tensor) { block_.push_back(tensor); }
  void block_begins() { sums_ = 0; }
  void residual_sum() {
    constexpr int kSumsOfBlock = 2;
    if (!block_.empty() && ++sums_ == kSumsOfBlock) log_.drop(block_);
  }
  /// Of the attention in a block, from its scores to its product with the values.
  void of_attention(Tensor tensor) { attention_.push_back(tensor); }
  void attention_ends() { log_.drop(attention_); }
  /// The forward pass returns, and autocast is left.
  void pass_ends() {
    for (auto* variables : {&model_, &block_, &attention_, &casts_}) log_.drop(*variables);
  }

 private:
  AllocationLog& log_;
  std::vector<Tensor> casts_;
  std::vector<Tensor> model_;
  std::vector<Tensor> block_;
  std::vector<Tensor> attention_;
  int sums_ = 0;  ///< residual sums since the block's attention
};

}  // namespace mimus::kernels
