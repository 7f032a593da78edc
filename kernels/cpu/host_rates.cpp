// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/host_rates.hpp"

#include <algorithm>
#include <ctime>

#include "kernels/cpu/cpu_kernels.hpp"

namespace mimus::kernels {
namespace {

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

constexpr workloads::GemmShape kTypicalShape{.rows = 4096, .columns = 256, .inner = 1152};

bool has_arithmetic(KernelKind kind) {
  return kind == KernelKind::convolution || kind == KernelKind::gemm ||
         kind == KernelKind::batched_gemm || kind == KernelKind::recurrent;
}

/// Work per CPU second of one kernel: the best of three runs.
double best_rate(CpuKernels& kernels, const KernelGroup& group, double seconds_per_run) {
  double best = 0.0;
  for (int run = 0; run < 3; ++run) {
    const double amount_before = kernels.executed().flop.value + kernels.executed().traffic.value;
    const double begin = thread_cpu_seconds();
    double spent = 0.0;
    while (spent < seconds_per_run) {
      kernels.run(group, 1.0);
      spent = thread_cpu_seconds() - begin;
    }
    const double amount =
        kernels.executed().flop.value + kernels.executed().traffic.value - amount_before;
    best = std::max(best, amount / spent);
  }
  return best;
}

}  // namespace

double HostRates::cpu_seconds(const Segment& segment) const {
  double seconds = 0.0;
  for (const KernelGroup& group : segment.kernels) {
    const auto kind = static_cast<std::size_t>(group.kind);
    if (group.flop.value > 0.0) {
      const FlopPerSecond rate =
          flop[kind].value > 0.0 ? flop[kind] : flop[static_cast<std::size_t>(KernelKind::gemm)];
      seconds += group.flop / Flop{rate.value};
    }
    seconds += group.traffic / Bytes{traffic[kind].value};
  }
  return seconds;
}

double HostRates::cpu_seconds_per_device_second(const FootprintPlan& plan) const {
  double micro_batch = 0.0;
  for (const Segment& segment : plan.forward) micro_batch += cpu_seconds(segment);
  for (const Segment& segment : plan.backward) micro_batch += cpu_seconds(segment);
  const double step = plan.shape.accumulation * micro_batch + cpu_seconds(plan.optimiser);
  return step / std::max(to_seconds(plan.device_time()), 1e-9);
}

HostRates measure_host_rates(Duration budget) {
  constexpr double kRuns = 3.0 * (kKernelKinds + 4);
  const double per_run = to_seconds(budget) / kRuns;
  CpuKernels kernels(Bytes{8.0 * kMi});
  HostRates rates;
  for (int k = 0; k < kKernelKinds; ++k) {
    const auto kind = static_cast<KernelKind>(k);
    const auto index = static_cast<std::size_t>(k);
    KernelGroup group{.kind = kind, .shape = kTypicalShape, .flop = {}, .traffic = Bytes{2e5}};
    rates.traffic[index] = BytesPerSecond{best_rate(kernels, group, per_run)};
    if (!has_arithmetic(kind)) continue;
    group.flop = Flop{2e6};
    group.traffic = Bytes{};
    rates.flop[index] = FlopPerSecond{best_rate(kernels, group, per_run)};
  }
  return rates;
}

double choose_work_scale(double cpu_seconds_per_device_second, double time_scale, int gpus,
                         int cores, double load) {
  const int used = std::min(cores, gpus);  // a replica runs on one core
  return std::max(1.0, cpu_seconds_per_device_second * time_scale * gpus / (used * load));
}

}  // namespace mimus::kernels
