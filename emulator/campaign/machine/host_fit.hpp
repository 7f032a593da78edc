// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/footprint/gpu_spec.hpp"
#include "workloads/models/model.hpp"

namespace mimus::emulator {

/// A measured step of one replica on one GPU.
struct SoloStep {
  std::int64_t batch = 1;  ///< samples
  double seconds = 0.0;
};

/// Host times of one model on a machine, from its steps on one GPU.
struct HostFit {
  enum class Kind {
    fitted,  ///< both, to steps of several batches
    scaled,  ///< those of the base times one factor: only one batch
    kept,    ///< those of the base, which fit the steps as well
  };
  workloads::HostWork host;  ///< contention is that of the base
  Kind kind = Kind::fitted;
  double error = 0.0;       ///< mean |modelled ÷ measured − 1| with it
  double worst = 0.0;       ///< largest
  double base_error = 0.0;  ///< mean, with the host of the base
};
[[nodiscard]] const char* name(HostFit::Kind kind);

/// Least squares of modelled ÷ measured − 1 over the host times per_step and per_sample, neither
/// negative, of the step model (kernels::solo_step_time): host and kernels overlap, so a step is
/// not their sum. The kernels are those of the base. `steps` has at least one.
[[nodiscard]] HostFit fit_host(const workloads::Model& model, const kernels::GpuSpec& base,
                               const std::vector<SoloStep>& steps);

/// The step model on one GPU. [s]
[[nodiscard]] double modelled_solo_step(const workloads::Model& model, const kernels::GpuSpec& gpu,
                                        std::int64_t batch);

}  // namespace mimus::emulator
