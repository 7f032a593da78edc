// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/replica_backends.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "emulator/modelled_throughput.hpp"
#include "kernels/cpu/cpu_device.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/mpi/mpi_collective.hpp"
#include "kernels/nccl/nccl_collective.hpp"

namespace mimus::emulator {
namespace {

kernels::GangRoute route_of(const LiveCell& cell, const std::vector<scheduler::Slot>& slots,
                            int own) {
  kernels::GangRoute route;
  route.link = gang_link(cell.cluster, *cell.gpu, slots);
  std::set<std::int64_t> nodes;
  for (std::size_t replica = 0; replica < slots.size(); ++replica) {
    const GpuId gpu = slots[replica].gpu;
    const std::int64_t node = cell.cluster.shape.node_of(gpu).value();
    route.gpus.push_back(static_cast<int>(gpu.value()));
    const bool first_on_node = nodes.insert(node).second;
    if (static_cast<int>(replica) != own) continue;
    route.own_gpu = static_cast<int>(gpu.value());
    if (first_on_node) route.own_uplink = static_cast<int>(node);
  }
  if (nodes.size() > 1) {
    for (const std::int64_t node : nodes) route.nodes.push_back(static_cast<int>(node));
  } else {
    route.own_uplink.reset();
  }
  return route;
}

}  // namespace

std::unique_ptr<kernels::Device> make_device(const WorkerContext& context, GpuId gpu) {
  const LiveCell& cell = context.cell;
  if (cell.engine.device == "cuda") return kernels::make_cuda_device(context.host.local_rank());
  kernels::CpuDeviceOptions options;
  options.gpu = static_cast<int>(gpu.value());
  options.paced = cell.paced();
  options.work_scale = cell.work_scale;
  options.description =
      cell.paced() ? fmt::format("emulated {} on CPU cores, work divided by {:.0f}", cell.gpu->name,
                                 cell.work_scale)
                   : fmt::format("CPU core, unpaced, work divided by {:.0f}", cell.work_scale);
  return std::make_unique<kernels::CpuDevice>(*context.ledger, std::move(options));
}

std::unique_ptr<kernels::Collective> make_collective(const WorkerContext& context,
                                                     const GangCommunicator& gang,
                                                     const std::vector<scheduler::Slot>& slots) {
  if (gang.size() == 1) return nullptr;
  const LiveCell& cell = context.cell;
  if (cell.engine.collective == "nccl") return kernels::make_nccl_collective(gang.get());
  const kernels::MpiCollectiveOptions options{
      .work_scale = cell.work_scale, .paced = cell.paced(), .clock_offset = cell.clock_offset};
  return std::make_unique<kernels::MpiCollective>(gang.get(), options, context.ledger.get(),
                                                  route_of(cell, slots, gang.rank()));
}

}  // namespace mimus::emulator
