// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// The tensors that layers keep from the forward pass to the backward pass, which stand for
/// operands that a list of layers does not name: the other branch of an addition, the input of a
/// layer that is not the one before.
class KeptTensors {
 public:
  struct Tensor {
    std::size_t layer = 0;
    TensorRef place;
    std::int64_t bytes = 0;
    std::int64_t element = kFloat;  ///< bytes of one
  };
  using Others = std::initializer_list<TensorRef>;

  /// In the order of the layers.
  void add(const Tensor& tensor) { tensors_.push_back(tensor); }

  /// The latest tensor of exactly `bytes` that a layer before number `layer` keeps, none of `but`.
  [[nodiscard]] std::optional<TensorRef> of_size(std::size_t layer, std::int64_t bytes,
                                                 Others but) const;
  /// The latest one of at least `bytes` and of such elements.
  [[nodiscard]] std::optional<TensorRef> at_least(std::size_t layer, std::int64_t bytes,
                                                  std::int64_t element, Others but) const;

 private:
  std::vector<Tensor> tensors_;
};

}  // namespace mimus::kernels
