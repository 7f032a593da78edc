// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "base/random.hpp"
#include "base/units.hpp"
#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::kernels {

/// Floating-point work and memory traffic.
struct WorkAmount {
  Flop flop{};
  Bytes traffic{};
};

/// Real kernels on the calling thread: OpenBLAS products, convolution by patch matrix, streaming,
/// embedding and optimiser loops. A request is executed in grains of some microseconds. The rest of
/// a grain is carried over to the next request of the same kind, so over many steps the work done
/// equals the work asked for, however small each request was. All data are random and never zero.
class CpuKernels {
 public:
  /// `arena`: memory through which streaming kernels cycle, at least 1 MiB.
  explicit CpuKernels(Bytes arena);

  /// Executes `fraction` of the group.
  void run(const KernelGroup& group, double fraction);

  /// The work really executed since construction.
  [[nodiscard]] const WorkAmount& executed() const { return executed_; }

 private:
  using Grain = WorkAmount;
  void run_flop(KernelKind kind, const workloads::GemmShape& shape, Flop amount);
  void run_traffic(KernelKind kind, Bytes amount);
  [[nodiscard]] Flop product(std::int64_t rows, std::int64_t columns, std::int64_t inner);
  [[nodiscard]] Flop convolution(const workloads::GemmShape& shape);
  [[nodiscard]] Flop recurrent_step(const workloads::GemmShape& shape);
  [[nodiscard]] Bytes stream();
  [[nodiscard]] Bytes normalise();
  [[nodiscard]] Bytes gather_scatter();
  [[nodiscard]] Bytes update(bool adam);
  [[nodiscard]] Bytes update_in_trust();
  [[nodiscard]] float* next_chunk(std::size_t floats);

  RandomStream random_;
  std::vector<float> arena_;
  std::vector<float> left_, right_, out_;  ///< operands of products, L2-resident
  std::size_t cursor_ = 0;
  std::array<Flop, kKernelKinds> flop_debt_{};
  std::array<Bytes, kKernelKinds> traffic_debt_{};
  WorkAmount executed_;
};

}  // namespace mimus::kernels
