// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/layers/attention_runs.hpp"
#include "kernels/layers/layer_sizes.hpp"

namespace mimus::kernels {

/// The gradients that the backward pass passes from layer to layer. Number i is between layer i - 1
/// and layer i; there is one more than there are layers.
class GradientSizes {
 public:
  GradientSizes(const workloads::Model& model, const std::vector<LayerWidths>& widths,
                const std::vector<LayerSizes>& sizes, const std::vector<AttentionRun>& runs);

  /// The larger of the bytes that layer i writes to it and that layer i - 1 reads.
  [[nodiscard]] std::int64_t needed(std::size_t i) const { return needed_[i]; }
  /// Whether layer i has a gradient for its input. An embedding has none. A sum of several tensors
  /// passes the gradient of its output to all of them.
  [[nodiscard]] bool written_by(std::size_t i) const { return written_[i]; }

 private:
  std::vector<std::int64_t> needed_;
  std::vector<bool> written_;
};

}  // namespace mimus::kernels
