// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Runs beside mpi_collective_test.cpp, which has main(): as one process and with several ranks.
#include "kernels/mpi/mpi_host_reduce.hpp"

#include <array>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace mimus::kernels {
namespace {

/// The first two ranks; null for others.
MPI_Comm first_two() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm pair = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
  return pair;
}

TEST(MpiHostReduce, TransfersFromTheFirstToTheSecond) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) GTEST_SKIP() << "needs more than one rank";
  MPI_Comm pair = first_two();
  if (pair == MPI_COMM_NULL) return;
  int rank = 0;
  MPI_Comm_rank(pair, &rank);
  std::array<std::byte, 64> data{};
  data.fill(std::byte{rank == 0 ? std::uint8_t{7} : std::uint8_t{9}});
  MpiHostReduce host(pair);

  for (const Arithmetic arithmetic : {Arithmetic::fp32, Arithmetic::bf16}) {
    host.begin(CollectiveOp::transfer, data, arithmetic);
    while (!host.finished()) {
    }
  }

  for (const std::byte value : data) EXPECT_EQ(value, std::byte{7});
  MPI_Comm_free(&pair);
}

TEST(MpiHostReduce, AnAllToAllIsATransposeOfRows) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<float> rows;  // two numbers for each rank: from whom, to whom
  for (int to = 0; to < size; ++to) {
    rows.push_back(static_cast<float>(rank));
    rows.push_back(static_cast<float>(to));
  }
  MpiHostReduce host(MPI_COMM_WORLD);

  host.begin(CollectiveOp::all_to_all, std::as_writable_bytes(std::span(rows)), Arithmetic::fp32);
  while (!host.finished()) {
  }

  for (int from = 0; from < size; ++from) {
    const auto at = static_cast<std::size_t>(2 * from);
    EXPECT_EQ(rows[at], static_cast<float>(from));
    EXPECT_EQ(rows[at + 1], static_cast<float>(rank));
  }
}

}  // namespace
}  // namespace mimus::kernels
