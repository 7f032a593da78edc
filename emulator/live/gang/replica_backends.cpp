// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/replica_backends.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emulator/links_used.hpp"
#include "emulator/modelled_throughput.hpp"
#include "kernels/cpu/cpu_device.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"
#include "kernels/cuda/monitor/gpu_monitor.hpp"
#include "kernels/mpi/mpi_collective.hpp"
#include "kernels/mpi/mpi_host_reduce.hpp"
#include "kernels/nccl/one_gpu_ranks.hpp"

namespace mimus::emulator {
namespace {

kernels::ChannelName channel_name(std::int64_t attempt, const scheduler::Slot& lead,
                                  GroupKind kind) {
  constexpr std::int64_t kKinds = 8;
  return {attempt, rank_of(lead.lane) * kKinds + static_cast<std::int64_t>(kind)};
}

kernels::GangRoute route_of(const WorkerContext& context, std::int64_t attempt,
                            const std::vector<scheduler::Slot>& slots, GroupKind kind) {
  const ClusterConfig& cluster = context.cell.cluster;
  kernels::GangRoute route{.link = gang_link(cluster, slots), .channel = {}};
  kernels::ChannelSpec& channel = route.channel;
  channel.name = channel_name(attempt, slots.front(), kind);
  channel.members = 0;
  if (slots.size() > 1) channel.links = links_used(cluster, slots);
  for (const auto& slot : slots) {
    const auto rank = static_cast<std::size_t>(rank_of(slot.lane));
    channel.members += context.host.hosts()[rank] == context.host.own_host() ? 1 : 0;
  }
  route.one_host = channel.members == static_cast<int>(slots.size());
  return route;
}

/// How long a collective may take. This is half of what a wait may take, so a lost member ends the
/// attempt before the wait for it ends the run.
Duration patience_of(const LiveCell& cell) {
  return cell.engine.stage_timeout / 2;
}

/// Must be called before this process first uses NCCL.
void let_ranks_share_a_device(const WorkerContext& context, int ranks) {
  const int version = kernels::cuda_backend().versions().nccl_number;
  const bool one_host = context.host.local_size() == context.world.size();
  const auto hosts = one_host ? kernels::WorldHosts::one : kernels::WorldHosts::several;
  kernels::apply(kernels::one_gpu_ranks(version, context.world.rank(), ranks, hosts));
}

std::unique_ptr<kernels::Device> make_cuda_device(WorkerContext& context, GpuId gpu) {
  const CudaConfig& cuda = context.cell.engine.cuda;
  const CudaPlace place = place_of(context);
  context.gpus_per_device = place.gpus;
  if (place.gpus > 1 && context.cell.engine.collective == "nccl") {
    let_ranks_share_a_device(context, place.gpus);
  }
  return kernels::cuda_backend().make_device(
      *context.ledger,
      {.ordinal = place.ordinal,
       .gpu = static_cast<int>(gpu.value()),
       .graphs = cuda.graphs,
       .launch_gap = cuda.launch_gap.value_or(context.cell.cluster.gpu_of(gpu).launch_gap),
       .measures_convolutions = cuda.measures_convolutions,
       .kernel_trace = cuda.kernel_trace});
}

kernels::NcclOptions nccl_options(const WorkerContext& context, const GangCommunicator& gang) {
  const EngineConfig& engine = context.cell.engine;
  const CudaPlace place = place_of(context);
  return {.rank = gang.rank(),
          .size = gang.size(),
          .device = place.ordinal,
          .deadline = patience_of(context.cell),
          .most_ctas = kernels::ctas_of_rank(engine.cuda.nccl_ctas, place.gpus),
          .estimates = engine.cuda.nccl_estimates};
}

std::unique_ptr<kernels::Collective> make_cuda_collective(
    const WorkerContext& context, const GangCommunicator& gang,
    const std::vector<scheduler::Slot>& slots) {
  const LiveCell& cell = context.cell;
  const auto& backend = kernels::cuda_backend();
  const int device = place_of(context).ordinal;
  if (cell.engine.collective == "ring") {
    return backend.make_ring_collective({.rank = gang.rank(),
                                         .size = gang.size(),
                                         .device = device,
                                         .link = gang_link(cell.cluster, slots),
                                         .ctas = cell.engine.cuda.nccl_ctas});
  }
  if (cell.engine.collective == "mpi") {
    return backend.make_staged_collective(
        {.rank = gang.rank(), .size = gang.size(), .device = device, .deadline = patience_of(cell)},
        std::make_unique<kernels::MpiHostReduce>(gang.get()));
  }
  kernels::NcclOptions options = nccl_options(context, gang);
  if (gang.rank() == 0) options.id = backend.make_nccl_id();
  gang.share(options.id, "exchange of the NCCL id", cell.engine.stage_timeout);
  return backend.make_nccl_collective(options);
}

/// Shrinks or grows the communicator if NCCL can (see NcclCommunicator::resize()).
std::unique_ptr<kernels::Collective> resize_nccl_collective(const WorkerContext& context,
                                                            const GangCommunicator& gang,
                                                            GangChange change) {
  const auto& backend = kernels::cuda_backend();
  kernels::GangResize resize{.leaving = {}, .size = gang.size(), .rank = gang.rank()};
  for (int rank = gang.size(); rank < change.members_before; ++rank) resize.leaving.push_back(rank);
  if (gang.rank() == 0) resize.id = backend.nccl_resize_id(*change.before, resize);
  gang.share(resize.id, "exchange of the NCCL id", context.cell.engine.stage_timeout);
  if (change.before) {
    backend.resize_nccl_collective(*change.before, resize);
    return std::move(change.before);
  }
  kernels::NcclOptions options = nccl_options(context, gang);
  options.joins = true;
  options.id = resize.id;
  return backend.make_nccl_collective(options);
}

}  // namespace

CudaPlace place_of(const WorkerContext& context) {
  const auto devices = static_cast<int>(kernels::cuda_backend().devices().size());
  return cuda_place(context.host_gpu, devices, context.cell.engine.cuda.gpus_per_device);
}

/// A time slice of tenants on the cell's clock: emulated, about that of CUDA devices, unless time
/// passes so fast that hosts would spend more on turns than on work. Where slices are longer than
/// what a tenant computes between two waits, it waits for slices in which others do not slow it on
/// a GPU.
Duration time_slice(const LiveCell& cell) {
  constexpr Duration kEmulated = std::chrono::milliseconds{2};
  constexpr Duration kShortest = std::chrono::microseconds{100};
  return std::max(kShortest, cell.wall(kEmulated));
}

std::unique_ptr<kernels::Device> make_device(WorkerContext& context, GpuId gpu) {
  const LiveCell& cell = context.cell;
  if (cell.engine.on_cuda()) return make_cuda_device(context, gpu);
  kernels::CpuDeviceOptions options;
  const auto& shape = cell.cluster.shape;
  options.gpu = static_cast<int>(gpu.value());
  const NodeId node = shape.node_of(gpu);
  options.first_of_node = static_cast<int>(shape.first_gpu(node));
  options.gpus_per_node = shape.gpus_on(node);
  if (shape.core_overcommit > 1.0) options.milli_cores = shape.milli_cores_of(node);
  const auto first = static_cast<int>(shape.lane_of(gpu, 0).value());
  const int own = std::max(first, context.world.rank() - 1);
  options.turns = &context.turns;
  options.seat = {options.gpu, first, shape.lanes_per_gpu, own};
  options.paced = cell.paced();
  options.work_scale = cell.work_scale;
  options.clock = &context.clock;
  if (const auto law = emulated_sharing(cell)) {
    options.switching = law->switching().value_or(0.0);
    if (law->switching()) {
      if (shape.lanes_per_gpu > 1) options.quantum = time_slice(cell);
    } else {
      options.slowdown = [&context](WallInstant at) { return context.pace->slowdown(at); };
    }
  }
  options.description =
      cell.paced() ? fmt::format("emulated {} on CPU cores, work divided by {:.0f}",
                                 cell.cluster.gpu_of(gpu).name, cell.work_scale)
                   : fmt::format("CPU core, unpaced, work divided by {:.0f}", cell.work_scale);
  return std::make_unique<kernels::CpuDevice>(*context.ledger, std::move(options));
}

std::string start_sampling(WorkerContext& context, SampledDevice device) {
  if (!context.cell.engine.on_cuda()) return "";
  const CudaPlace place = place_of(context);
  const int lane = (context.world.rank() - 1) % context.cell.cluster.shape.lanes_per_gpu;
  if (lane != 0 || context.host_gpu.index % place.gpus != 0) return "";
  const auto opening = kernels::cuda::Nvml::open();
  if (opening.nvml == nullptr) return opening.reason;
  const auto devices = kernels::cuda_backend().devices();
  device.device = place.ordinal;
  device.clock_offset = context.cell.clock_offset;
  try {
    auto watched =
        opening.nvml->device_at(devices.at(static_cast<std::size_t>(place.ordinal)).pci_bus_id);
    context.sampler = std::make_unique<DeviceSampler>(
        opening.nvml, std::move(watched), std::move(device), context.cell.device_sample_interval);
  } catch (const EnvironmentError& unknown) {
    return unknown.what();
  }
  return "";
}

std::unique_ptr<kernels::LinkPacer> open_links(const WorkerContext& context, std::int64_t attempt,
                                               const std::vector<scheduler::Slot>& slots,
                                               GroupKind kind) {
  if (!context.cell.paced()) return nullptr;
  return std::make_unique<kernels::LinkPacer>(*context.links,
                                              route_of(context, attempt, slots, kind));
}

std::unique_ptr<kernels::LinkPacer> open_links_to_hand_over(const WorkerContext& context,
                                                            const StartMessage& next) {
  auto links = open_links(context, next.attempt, next.slots);
  if (links != nullptr) links->quiet_until(WallInstant::max());
  return links;
}

std::unique_ptr<kernels::LinkPacer> open_links_to_join(const WorkerContext& context,
                                                       const StartMessage& next) {
  auto links = open_links_to_hand_over(context, next);
  if (links == nullptr) return nullptr;
  const scheduler::Slot& lead = next.moves() ? next.state_from : next.slots.front();
  links->follow(channel_name(next.attempt_before, lead, GroupKind::data));
  return links;
}

void hand_over_links(const WorkerContext& context, const StartMessage& next, WallInstant at) {
  if (!context.cell.paced()) return;
  const auto route = route_of(context, next.attempt, next.slots, GroupKind::data);
  if (route.one_host) context.links->busy_from(route.channel.name, at);
}

void await_state_on_links(const WorkerContext& context, const StartMessage& next) {
  if (!context.cell.paced()) return;
  context.links->follow(channel_name(next.attempt, next.slots.front(), GroupKind::data),
                        channel_name(next.attempt, next.state_from, GroupKind::data));
}

std::unique_ptr<kernels::Collective> make_collective(const WorkerContext& context,
                                                     const GangCommunicator& gang,
                                                     const std::vector<scheduler::Slot>& slots,
                                                     GroupKind kind,
                                                     std::unique_ptr<kernels::LinkPacer> links) {
  const LiveCell& cell = context.cell;
  if (cell.engine.on_cuda()) {
    return gang.size() == 1 ? nullptr : make_cuda_collective(context, gang, slots);
  }
  const kernels::MpiCollectiveOptions options{.work_scale = cell.work_scale,
                                              .clock_offset = cell.clock_offset};
  if (links == nullptr) links = open_links(context, gang.tag(), slots, kind);
  const MPI_Comm communicator = gang.size() == 1 ? MPI_COMM_SELF : gang.get();
  return std::make_unique<kernels::MpiCollective>(communicator, options, std::move(links));
}

std::unique_ptr<kernels::Collective> resize_collective(const WorkerContext& context,
                                                       const GangCommunicator& gang,
                                                       const std::vector<scheduler::Slot>& slots,
                                                       GangChange change) {
  const EngineConfig& engine = context.cell.engine;
  if (engine.on_cuda() && engine.collective == "nccl") {
    return resize_nccl_collective(context, gang, std::move(change));
  }
  if (engine.on_cuda()) change.before.reset();  // emulated links stay open meanwhile
  return make_collective(context, gang, slots, GroupKind::data, std::move(change.links));
}

}  // namespace mimus::emulator
