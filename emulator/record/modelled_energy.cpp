// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/modelled_energy.hpp"

namespace mimus::emulator {

void write_modelled_energy(const EmulatedPower& power, const scheduler::ClusterShape& shape,
                           const GpuLog& gpus, const NodeLog& nodes, Instant at,
                           results::Recorder& recorder) {
  const double span = to_seconds(at);
  for (int i = 0; i < shape.gpus(); ++i) {
    const GpuId gpu{i};
    const kernels::PowerDraw* draw = power.of_type(shape.type_of(gpu));
    if (draw == nullptr) continue;
    const NodeId node = shape.node_of(gpu);
    const double on = span - to_seconds(nodes.asleep(node));
    const double busy = power.knows_busy_time ? gpus.busy(gpu) : gpus.allocated(gpu);
    results::EnergyRow row;
    row.gpu = gpu.value();
    row.node = node.value();
    row.span = span;
    row.joules = draw->idle * on + (draw->busy - draw->idle) * busy;
    row.mean_power = span > 0.0 ? row.joules / span : 0.0;
    row.source = power.knows_busy_time ? "modelled" : "modelled_held";
    recorder.add(row);
  }
}

}  // namespace mimus::emulator
