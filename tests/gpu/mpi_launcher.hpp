// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <mpi.h>

#include "kernels/nccl/nccl_backend.hpp"
#include "kernels/nccl/nccl_error.hpp"
#include "kernels/nccl/one_gpu_ranks.hpp"

namespace mimus::kernels::test {

/// MPI, where the tests were started by a launcher of it: each rank is a process on one device.
class Launcher : public ::testing::Environment {
 public:
  void SetUp() override {
    const bool launched = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr ||
                          std::getenv("PMI_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
    if (!launched) return;
    MPI_Init(nullptr, nullptr);
    initialised_ = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int version = 0;
    check_nccl(ncclGetVersion(&version), "ncclGetVersion");
    if (size == 1) return;
    apply(one_gpu_ranks(version, rank, size));
    ::setenv("NCCL_MAX_CTAS", std::to_string(ctas_of_rank(0, size)).c_str(), 0);
  }
  void TearDown() override {
    if (initialised_) MPI_Finalize();
  }
  static NcclId shared_id() {
    NcclId id{};
    if (rank == 0) id = make_nccl_id();
    if (size > 1) MPI_Bcast(id.data(), static_cast<int>(id.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
    return id;
  }
  /// Waits for all ranks.
  static void meet() {
    if (size > 1) MPI_Barrier(MPI_COMM_WORLD);
  }
  static inline int rank = 0;
  static inline int size = 1;

 private:
  bool initialised_ = false;
};
[[maybe_unused]] inline const auto* const kLauncher =
    ::testing::AddGlobalTestEnvironment(std::make_unique<Launcher>().release());

}  // namespace mimus::kernels::test
