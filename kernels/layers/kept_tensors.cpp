// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/kept_tensors.hpp"

#include <algorithm>

namespace mimus::kernels {
namespace {

template <class Fits>
std::optional<TensorRef> latest(const std::vector<KeptTensors::Tensor>& tensors, std::size_t layer,
                                KeptTensors::Others but, Fits fits) {
  const auto found = std::find_if(tensors.rbegin(), tensors.rend(), [&](const auto& tensor) {
    return tensor.layer < layer && fits(tensor) &&
           std::find(but.begin(), but.end(), tensor.place) == but.end();
  });
  return found == tensors.rend() ? std::nullopt : std::optional(found->place);
}

}  // namespace

std::optional<TensorRef> KeptTensors::of_size(std::size_t layer, std::int64_t bytes,
                                              Others but) const {
  return latest(tensors_, layer, but, [&](const Tensor& tensor) { return tensor.bytes == bytes; });
}

std::optional<TensorRef> KeptTensors::at_least(std::size_t layer, std::int64_t bytes,
                                               std::int64_t element, Others but) const {
  return latest(tensors_, layer, but, [&](const Tensor& tensor) {
    return tensor.bytes >= bytes && tensor.element == element;
  });
}

}  // namespace mimus::kernels
