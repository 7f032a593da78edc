// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/mpi/mpi_host_reduce.hpp"

#include <new>
#include <utility>

#include "kernels/mpi/mpi_error.hpp"

namespace mimus::kernels {
namespace {

MPI_Datatype type_of(Arithmetic arithmetic) {
  return element_bytes(arithmetic) == 4 ? MPI_FLOAT : MPI_UINT16_T;
}

}  // namespace

MpiHostReduce::MpiHostReduce(MPI_Comm communicator) : communicator_(communicator) {
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
}

MpiHostReduce::~MpiHostReduce() {
  const bool idle = requests_[0] == MPI_REQUEST_NULL && requests_[1] == MPI_REQUEST_NULL;
  if (!idle) static_cast<void>(new (std::nothrow) std::vector<std::byte>(std::move(copy_)));
}

void MpiHostReduce::begin(CollectiveOp op, std::span<std::byte> data, Arithmetic arithmetic) {
  const MPI_Datatype type = type_of(arithmetic);
  const auto count =
      static_cast<int>(data.size() / static_cast<std::size_t>(element_bytes(arithmetic)));
  switch (op) {
    case CollectiveOp::all_reduce:
      check_mpi(
          MPI_Iallreduce(MPI_IN_PLACE, data.data(), count, type, MPI_SUM, communicator_, requests_),
          "MPI_Iallreduce");
      return;
    case CollectiveOp::broadcast:
      check_mpi(MPI_Ibcast(data.data(), count, type, 0, communicator_, requests_), "MPI_Ibcast");
      return;
    case CollectiveOp::send_recv: {
      copy_.assign(data.begin(), data.end());
      const int next = (rank_ + 1) % size_;
      const int previous = (rank_ + size_ - 1) % size_;
      check_mpi(MPI_Isend(copy_.data(), count, type, next, 0, communicator_, requests_),
                "MPI_Isend");
      check_mpi(MPI_Irecv(data.data(), count, type, previous, 0, communicator_, requests_ + 1),
                "MPI_Irecv");
      return;
    }
    case CollectiveOp::transfer:
      begin_transfer(data, type, count);
      return;
    case CollectiveOp::all_gather:
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::all_to_all:
      begin_rows(op, data, type, count / size_);
      return;
  }
}

/// Starts operations on one row of `count` elements per rank.
void MpiHostReduce::begin_rows(CollectiveOp op, std::span<std::byte> data, MPI_Datatype type,
                               int count) {
  if (op == CollectiveOp::all_gather) {
    check_mpi(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data.data(), count, type,
                             communicator_, requests_),
              "MPI_Iallgather");
    return;
  }
  copy_.assign(data.begin(), data.end());
  if (op == CollectiveOp::all_to_all) {
    check_mpi(MPI_Ialltoall(copy_.data(), count, type, data.data(), count, type, communicator_,
                            requests_),
              "MPI_Ialltoall");
    return;
  }
  const std::size_t row = data.size() / static_cast<std::size_t>(size_);
  check_mpi(
      MPI_Ireduce_scatter_block(copy_.data(), data.data() + row * static_cast<std::size_t>(rank_),
                                count, type, MPI_SUM, communicator_, requests_),
      "MPI_Ireduce_scatter_block");
}

/// `data` does not change until finished(), so the first member need not copy it.
void MpiHostReduce::begin_transfer(std::span<std::byte> data, MPI_Datatype type, int count) {
  if (rank_ == 0) {
    check_mpi(MPI_Isend(data.data(), count, type, 1, 0, communicator_, requests_), "MPI_Isend");
  } else {
    check_mpi(MPI_Irecv(data.data(), count, type, 0, 0, communicator_, requests_), "MPI_Irecv");
  }
}

bool MpiHostReduce::finished() {
  int flag = 0;
  check_mpi(MPI_Testall(2, requests_, &flag, MPI_STATUSES_IGNORE), "MPI_Testall");
  return flag != 0;
}

}  // namespace mimus::kernels
