// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/worker/link_measurement.hpp"

#include <algorithm>
#include <memory>

#include "emulator/live/gang/replica_backends.hpp"
#include "kernels/all_reduce_timing.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"
#include "kernels/mpi/mpi_collective.hpp"

namespace mimus::emulator {
namespace {

constexpr int kWarmUp = 5;
constexpr int kLeast = 5;
constexpr int kMost = 100;

/// The collective of one gang on any kind of device.
class LinkTimer {
 public:
  LinkTimer(const WorkerContext& context, const GangCommunicator& gang,
            const std::vector<scheduler::Slot>& slots)
      : context_(context), gang_(gang) {
    if (on_cuda()) {
      collective_ = make_collective(context, gang, slots);
      return;
    }
    auto mpi = std::make_unique<kernels::MpiCollective>(gang.get(), kernels::MpiCollectiveOptions{},
                                                        nullptr);
    on_host_ = mpi.get();
    collective_ = std::move(mpi);
  }

  [[nodiscard]] std::string description() const {
    return on_cuda() ? kernels::cuda_backend().description(*collective_) : "MPI, unpaced";
  }

  /// Why no link between two GPUs is measured, or "".
  [[nodiscard]] std::string no_link() const {
    if (!on_cuda()) return "";  // the device's description says that the host's MPI is measured
    if (context_.cell.engine.collective == "ring") return "emulated";
    return place_of(context_).gpus > 1 ? "one device" : "";
  }

  /// As many operations as fit `budget`, each as seen by its slowest member. [s]
  [[nodiscard]] std::vector<double> measure(Bytes size, Duration budget) const {
    const double one = slowest(time(size, kWarmUp, 1)).front();
    const auto fitting = static_cast<int>(to_seconds(budget) / std::max(one, 1e-9));
    return slowest(time(size, 0, std::clamp(fitting, kLeast, kMost)));
  }

 private:
  [[nodiscard]] bool on_cuda() const { return context_.cell.engine.on_cuda(); }
  [[nodiscard]] Duration patience() const { return context_.cell.engine.stage_timeout / 2; }

  [[nodiscard]] std::vector<Duration> time(Bytes size, int warm_up, int count) const {
    const kernels::AllReduceSeries series{
        .size = size, .warm_up = warm_up, .count = count, .deadline = patience()};
    if (!on_cuda()) return kernels::time_all_reduces(*on_host_, series);
    return kernels::cuda_backend().time_all_reduces(*collective_, place_of(context_).ordinal,
                                                    series);
  }

  [[nodiscard]] std::vector<double> slowest(const std::vector<Duration>& own) const {
    std::vector<double> seconds;
    for (const Duration time : own) seconds.push_back(to_seconds(time));
    gang_.take_largest(seconds, "exchange of measured times", context_.cell.engine.stage_timeout);
    return seconds;
  }

  const WorkerContext& context_;
  const GangCommunicator& gang_;
  std::unique_ptr<kernels::Collective> collective_;
  kernels::HostOrderedCollective* on_host_ = nullptr;
};

}  // namespace

void measure_link(const WorkerContext& context, const MeasureLink& message) {
  context.set_stage(Stage::gang_creation);
  const GangCommunicator gang(context.world.communicator(), message.slots, message.tag);
  const LinkTimer timer(context, gang, message.slots);
  context.set_stage(Stage::all_reduce);
  for (const std::int64_t bytes : message.bytes) {
    auto seconds = timer.measure(Bytes{static_cast<double>(bytes)}, Duration{message.budget_ns});
    if (gang.rank() != 0) continue;
    context.mailbox.send(0, LinkTimes{.bytes = bytes,
                                      .seconds = std::move(seconds),
                                      .via = timer.description(),
                                      .no_link = timer.no_link()});
  }
  context.set_stage(Stage::idle);
}

}  // namespace mimus::emulator
