// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <mpi.h>

#include "base/error.hpp"

namespace mimus::kernels {

/// Throws LibraryError with MPI's own text unless `code` is MPI_SUCCESS. Communicators must return
/// errors (MPI_ERRORS_RETURN), otherwise no error is seen.
void check_mpi(int code, std::string_view call);

}  // namespace mimus::kernels
