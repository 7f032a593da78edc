// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {

/// A folder in the Pollux layout with two applications in round numbers. cifar10 (resnet18, M0
/// 128): a step takes 1 s on one GPU, of which 0.2 s sync; 2 s, of which 1 s sync, on two nodes;
/// both from 32 to 1024 samples per GPU, at twice the time for 1024. Two epochs of 100 progress
/// each; gradients without noise, so that a step gains 1 whatever its batch. ncf (neumf, M0 256): 1
/// s per step on one GPU and one epoch of 1000.
inline void write_pollux_tables(const TemporaryFolder& folder) {
  const std::string header = "local_bsz,step_time,sync_time\n";
  folder.write("traces/cifar10/placements.csv",
               "placement," + header +
                   "1,32,1,0.2\n1,1024,2,0.4\n2,32,1.2,0.4\n2,1024,2.4,0.8\n"
                   "11,32,2,1\n11,1024,4,2\n");
  folder.write("traces/cifar10/scalability.csv", "num_nodes,num_replicas," + header);
  folder.write("traces/cifar10/validation-128.csv",
               "progress,iteration,grad_sqr,grad_var\n100,100,1,0\n200,200,1,0\n");
  folder.write("traces/ncf/placements.csv", "placement," + header + "1,32,1,0.5\n1,32768,1,0.5\n");
  folder.write("traces/ncf/scalability.csv", "num_nodes,num_replicas," + header);
  folder.write("traces/ncf/validation-256.csv",
               "progress,iteration,grad_sqr,grad_var\n1000,1000,1,0\n");
}

/// The folder's path, once they are in it.
inline std::string with_tables(const TemporaryFolder& folder) {
  write_pollux_tables(folder);
  return folder.path();
}

}  // namespace mimus::emulator::test
