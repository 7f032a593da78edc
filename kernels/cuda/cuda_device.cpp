// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_device.hpp"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <utility>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "kernels/cuda/collective/stream_collectives.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"
#include "kernels/cuda/step/split_step.hpp"
#include "kernels/cuda/step/stream_step.hpp"
#include "kernels/plan/launch_plan.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Makes the device current for this process before its streams are created.
const CudaDeviceOptions& with_device(const CudaDeviceOptions& options) {
  int devices = 0;
  check_cuda(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  if (options.ordinal >= devices) {
    throw EnvironmentError(
        fmt::format("there is no CUDA device {}: this process sees {}; check "
                    "CUDA_VISIBLE_DEVICES and the GPUs of the job",
                    options.ordinal, devices));
  }
  if (options.measures_convolutions && !Convolutions::can_measure()) {
    throw EnvironmentError(
        "engine.cuda.convolutions: measured tries cuDNN's algorithms, but this build has no cuDNN; "
        "leave the key out, or build with cuDNN");
  }
  check_cuda(cudaSetDevice(options.ordinal), "cudaSetDevice");
  return options;
}

std::string describe(int ordinal) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  return fmt::format("{} (CUDA device {})", properties.name, ordinal);
}

}  // namespace

CudaDevice::CudaDevice(Ledger& ledger, const CudaDeviceOptions& options)
    : replica_(ledger, with_device(options)), description_(describe(options.ordinal)) {}

CudaDevice::~CudaDevice() {
  release();
}

void CudaDevice::reserve(const FootprintPlan& plan) {
  ensure(plan.launches != nullptr, "a CUDA device needs the launches of a plan");
  check_limit(plan);
  StateBuffers state = replica_.memory ? replica_.memory->give_state_up() : state_.take();
  free_device();
  const LaunchPlan& launches = *plan.launches;
  const Bytes own{static_cast<double>(launches.memory.total())};
  const Bytes needed = std::max(plan.memory, own);
  replica_.ledger.reserve_memory(replica_.options.gpu, needed);
  booked_ = needed;
  try {
    replica_.memory.emplace(launches.memory, launches.halves, replica_.compute.get(),
                            std::move(state));
    replica_.spilled.hold(launches.memory);
    LaunchExecutor& executor = replica_.executor;
    executor.prepare(launches, replica_.memory->regions(), replica_.compute.get());
    const PeakMemory peak = peak_memory(launches.allocations, executor.work_spaces(launches));
    replica_.memory->hold_fragments(
        launches.memory.fragments_of(peak.reserved, executor.workspace_bytes()));
    state_.copy_back(replica_.memory->regions(), replica_.compute.get());
  } catch (const DeviceFullError&) {
    release();
    throw OutOfMemoryError(ExitCode::run_failed, why_full(needed));
  } catch (...) {
    release();
    throw;
  }
  ++replica_.reservations;
  replica_.trace.restart();
}

/// Weights, moments, gradients, and what single launches need stay on the device.
void CudaDevice::check_limit(const FootprintPlan& plan) const {
  const MemoryPlan& memory = plan.launches->memory;
  const bool is_split = plan.split != nullptr && plan.spilled > Bytes{};
  if (!is_split && memory.total() <= memory.limit.device) return;
  const auto text = [](std::int64_t bytes) {
    return format_bytes(Bytes{static_cast<double>(bytes)});
  };
  throw OutOfMemoryError(
      ExitCode::run_failed,
      fmt::format("out of memory on GPU {}: {}", replica_.options.gpu,
                  is_split ? "the memory of models that are split over GPUs cannot be spilled"
                           : fmt::format("the limit leaves {} beside the context, and {} of the "
                                         "replica's memory cannot be spilled",
                                         text(memory.limit.device), text(memory.total()))));
}

/// Describes the memory of the device, after the replica has given back its own part of it.
std::string CudaDevice::why_full(Bytes needed) const {
  const int gpu = replica_.options.gpu;
  const std::string use = device_memory_use();
  std::string text =
      fmt::format("out of memory on GPU {}: the replica needs {}", gpu, format_bytes(needed));
  if (use.empty()) return text;
  return fmt::format("{}, {}, other replicas have booked {}", text, use,
                     format_bytes(replica_.ledger.used_memory(gpu)));
}

void CudaDevice::keep(Bytes amount) {
  ensure(replica_.memory.has_value(), "a replica without memory is to give it back");
  StateBuffers state = replica_.memory->give_state_up();
  if (amount > Bytes{}) {
    state_.stay(std::move(state));
  } else {
    state_.move_to_host(std::move(state), replica_.compute.get());
  }
  free_device();
  replica_.ledger.reserve_memory(replica_.options.gpu, amount);
  booked_ = amount;
}

void CudaDevice::release() noexcept {
  state_.drop();
  replica_.spilled.drop();
  free_device();
}

void CudaDevice::free_device() noexcept {
  if (booked_.value <= 0.0) return;
  replica_.leave();
  replica_.memory.reset();
  replica_.spilled.leave_device();
  replica_.executor.give_back();
  replica_.ledger.release_memory(replica_.options.gpu, booked_);
  booked_ = Bytes{};
}

std::unique_ptr<TrainingStep> CudaDevice::make_step(const GangCollectives& gang,
                                                    const FootprintPlan& plan) {
  ensure(plan.launches != nullptr, "a CUDA device needs the launches of a plan");
  replica_.reading = &plan.reading;
  const StreamCollectives ordered = stream_collectives(gang);
  if (plan.split != nullptr) {
    return std::make_unique<SplitStep>(replica_, ordered, *plan.launches, *plan.split);
  }
  return std::make_unique<StreamStep>(replica_, ordered.data, *plan.launches);
}

DeviceReport CudaDevice::take_report() {
  DeviceReport report = std::exchange(replica_.report, DeviceReport{});
  if (replica_.memory.has_value()) {
    report.held_bytes = replica_.memory->bytes() + replica_.spilled.device_bytes() +
                        replica_.executor.workspace_bytes();
  }
  return report;
}

int CudaDevice::co_tenants() const {
  const int own = replica_.tenant ? 1 : 0;
  return std::max(0, replica_.ledger.tenants(replica_.options.gpu) - own);
}

}  // namespace mimus::kernels::cuda
