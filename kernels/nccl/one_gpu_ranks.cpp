// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/one_gpu_ranks.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace mimus::kernels {
namespace {

constexpr int kMultiRankSetting = 23000;
/// Thread blocks of all ranks together. They leave room for a training kernel on the smallest GPU.
constexpr int kSharedCtas = 8;

}  // namespace

std::string nccl_version_text(int number) {
  const int base = number >= 10000 ? 10000 : 1000;
  return fmt::format("{}.{}.{}", number / base, number % base / 100, number % 100);
}

int ctas_of_rank(int wanted, int ranks_on_gpu) {
  if (ranks_on_gpu <= 1) return wanted;
  const int share = std::max(1, kSharedCtas / ranks_on_gpu);
  return wanted > 0 ? std::min(wanted, share) : share;
}

OneGpuRanks one_gpu_ranks(int nccl_version, int rank, int ranks_on_gpu, WorldHosts hosts) {
  OneGpuRanks result;
  if (nccl_version >= kMultiRankSetting) {
    result.variables = {{"NCCL_MULTI_RANK_GPU_ENABLE", "1", true}, {"NCCL_NVLS_ENABLE", "0"}};
    result.label = fmt::format("functional only: {} ranks share one GPU", ranks_on_gpu);
    return result;
  }
  result.variables = {{"NCCL_HOSTID", fmt::format("mimus-rank-{}", rank), true}};
  const bool loopback = hosts == WorldHosts::one;
  if (loopback) {
    result.variables.push_back({"NCCL_SOCKET_IFNAME", "lo"});
    result.variables.push_back({"NCCL_IB_DISABLE", "1"});
  }
  result.label = fmt::format("functional only: {} ranks share one GPU and talk through {}",
                             ranks_on_gpu, loopback ? "loopback sockets" : "the network");
  return result;
}

void apply(const OneGpuRanks& ranks) {
  for (const EnvironmentVariable& variable : ranks.variables) {
    setenv(variable.name.c_str(), variable.value.c_str(), variable.overwrite ? 1 : 0);
  }
}

}  // namespace mimus::kernels
