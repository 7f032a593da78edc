// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/launch_executor.hpp"

#include <type_traits>
#include <variant>

#include "kernels/cuda/kernels/kernels.hpp"
#include "kernels/launch/launch_commands.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Buckets are fp32, and attention has its own type. Otherwise two bytes may mean fp16 or bf16.
template <class Shape>
constexpr bool kNamesItsType =
    std::is_same_v<Shape, BucketCopy> || std::is_same_v<Shape, FusedAttention> ||
    std::is_same_v<Shape, MultiTensor>;

}  // namespace

void LaunchExecutor::prepare(const LaunchPlan& plan, const RegionAddresses& regions,
                             cudaStream_t stream) {
  halves_ = plan.halves;
  const auto prepare_one = [&](const Launch& launch) {
    if (const auto* product = std::get_if<Product>(&launch)) products_.prepare(*product);
    const auto* pass = std::get_if<Convolution>(&launch);
    if (pass == nullptr) return;
    if (measures_convolutions_) {
      convolutions_.prepare_measured(*pass, regions, stream);
    } else {
      convolutions_.prepare(*pass);
    }
  };
  for (const auto* part : {&plan.forward, &plan.backward, &plan.optimiser}) {
    for (const Launch& launch : *part) prepare_one(launch);
  }
}

void LaunchExecutor::enqueue(const Launch& launch, const RegionAddresses& regions,
                             cudaStream_t stream) {
  std::visit(
      [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Shape, Product>) {
          products_.enqueue(shape, regions, stream);
        } else if constexpr (std::is_same_v<Shape, Convolution>) {
          convolutions_.enqueue(shape, regions, stream);
        } else if constexpr (kNamesItsType<Shape>) {
          cuda::enqueue(shape, regions, stream);
        } else {
          cuda::enqueue(shape, regions, stream, halves_);
        }
      },
      launch);
}

std::int64_t LaunchExecutor::most_commands(const Launch& launch) {
  if (std::holds_alternative<Product>(launch)) return MatrixProducts::kMostCommands;
  if (const auto* pass = std::get_if<Convolution>(&launch)) {
    return Convolutions::most_commands(*pass);
  }
  return kernels_of(launch) + most_fills_of(launch);
}

std::int64_t LaunchExecutor::workspace_bytes() const {
  return products_.workspace_bytes() + convolutions_.workspace_bytes();
}

WorkSpaces LaunchExecutor::work_spaces(const LaunchPlan& plan) const {
  WorkSpaces all{.product = products_.pass_workspace_bytes()};
  for (const auto* pass : {&plan.forward, &plan.backward}) {
    for (const Launch& launch : *pass) {
      const auto* convolution = std::get_if<Convolution>(&launch);
      all.by_launch.push_back(convolution == nullptr ? 0
                                                     : convolutions_.workspace_bytes(*convolution));
    }
  }
  return all;
}

}  // namespace mimus::kernels::cuda
