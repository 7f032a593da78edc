// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/launch/launch.hpp"
#include "kernels/launch/launch_options.hpp"
#include "kernels/layers/parameter_layout.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// The kernels of an optimiser step as PyTorch launches them (torch/optim/sgd.py and adam.py,
/// `_multi_tensor_*`, `_fused_*` and `_single_tensor_*`, without weight decay), in fp16 preceded by
/// those of the gradient scaler. A rank updates one of `parts` parts of the parameters. `counters`
/// is a place for single numbers.
[[nodiscard]] std::vector<Launch> optimiser_launches(workloads::Optimiser optimiser,
                                                     const ParameterLayout& parameters, int parts,
                                                     const LaunchOptions& options, bool loss_scaled,
                                                     const TensorRef& counters);

}  // namespace mimus::kernels
