// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/mpi/mpi_error.hpp"

#include <array>
#include <string>

namespace mimus::kernels {

void check_mpi(int code, std::string_view call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw LibraryError(call, code, std::string(text.data(), static_cast<std::size_t>(length)));
}

}  // namespace mimus::kernels
