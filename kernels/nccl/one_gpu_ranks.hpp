// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::kernels {

/// "2.28.9" from NCCL's version number: 22809, or 2703 as versions up to 2.8 count.
[[nodiscard]] std::string nccl_version_text(int number);

struct EnvironmentVariable {
  std::string name;
  std::string value;
  bool overwrite = false;  ///< false: a value that the user set is kept
};

/// How several ranks of a gang run NCCL on one GPU, which NCCL refuses by default.
struct OneGpuRanks {
  std::vector<EnvironmentVariable> variables;
  std::string label;  ///< for results: such times are not those of links between GPUs
};

/// Over how many hosts the ranks of all gangs are spread.
enum class WorldHosts { one, several };

/// What rank `rank` of `ranks_on_gpu` has to set before NCCL's first call, for the NCCL found at
/// run time. From 2.30 NCCL has a setting for it. Below, a separate host name for every rank makes
/// NCCL assume that many machines, so that it uses the network: sockets on the loopback interface
/// if all ranks of the world are on one host.
[[nodiscard]] OneGpuRanks one_gpu_ranks(int nccl_version, int rank, int ranks_on_gpu,
                                        WorldHosts hosts = WorldHosts::one);

/// The largest number of thread blocks of a collective, of which `wanted` are allowed (0 for NCCL's
/// choice). If ranks share a GPU, it is limited so that the kernels of all of them, which wait for
/// each other, fit on it together. For NcclOptions and not for the environment, which NCCL prefers
/// and reads once.
[[nodiscard]] int ctas_of_rank(int wanted, int ranks_on_gpu);

/// setenv() of all of them.
void apply(const OneGpuRanks& ranks);

}  // namespace mimus::kernels
