// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "kernels/cuda/backend/host_reduce.hpp"

namespace mimus::kernels {

/// Moves a gang's data between hosts by non-blocking MPI, for GPUs whose gradients pass through
/// pinned host memory. fp32 and tf32 are added as floats. 16-bit numbers, which MPI does not
/// support, are moved and added as integers: their sums have no meaning, but their bytes are right.
class MpiHostReduce final : public HostReduce {
 public:
  /// `communicator` must return errors and outlives this object.
  explicit MpiHostReduce(MPI_Comm communicator);
  /// The operation under way is abandoned: its request and copy are leaked on purpose, because MPI
  /// may still write to them and its peers may never come.
  ~MpiHostReduce() override;

  void begin(CollectiveOp op, std::span<std::byte> data, Arithmetic arithmetic) override;
  [[nodiscard]] bool finished() override;

 private:
  void begin_rows(CollectiveOp op, std::span<std::byte> data, MPI_Datatype type, int count);
  void begin_transfer(std::span<std::byte> data, MPI_Datatype type, int count);

  MPI_Comm communicator_;
  int rank_ = 0;
  int size_ = 1;
  MPI_Request requests_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::vector<std::byte> copy_;  ///< of the sent data, if an operation cannot work in place
};

}  // namespace mimus::kernels
