// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "emulator/record/gpu_log.hpp"
#include "emulator/record/node_log.hpp"
#include "kernels/footprint/power_draw.hpp"

namespace mimus::emulator {

/// The power draw of emulated devices.
struct EmulatedPower {
  /// By number of the GPU type; nothing if devices are real, or their type has no power.
  std::vector<std::optional<kernels::PowerDraw>> draws;
  bool knows_busy_time = true;  ///< else GPUs count as busy while they are allocated

  /// Null if it is not known.
  [[nodiscard]] const kernels::PowerDraw* of_type(int type) const {
    const auto at = static_cast<std::size_t>(type);
    return at < draws.size() && draws[at] ? &*draws[at] : nullptr;
  }
};

/// Writes the energy that each emulated GPU would have drawn until `at`, from rows that the logs
/// have written. The draw grows in proportion to the busy time. GPUs of a node that sleeps draw
/// nothing of their own. Writes nothing of GPUs whose draw is not known.
void write_modelled_energy(const EmulatedPower& power, const scheduler::ClusterShape& shape,
                           const GpuLog& gpus, const NodeLog& nodes, Instant at,
                           results::Recorder& recorder);

}  // namespace mimus::emulator
