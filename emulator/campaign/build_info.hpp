// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus::emulator {

/// What this program was built from and with; shown by `mimus --version` and recorded in every
/// result file.
struct BuildInfo {
  std::string version;
  std::string commit;  ///< 12 hex digits, "unknown" outside a git checkout
  bool dirty = false;  ///< the checkout had changes that were not committed
  std::string build_type;
  std::string compiler;
  std::string mpi;
  std::string hdf5;
  std::string python;  ///< version of the interpreter for planners; "": left out
  bool cuda = false;
  bool nccl = false;
};

[[nodiscard]] const BuildInfo& build_info();

}  // namespace mimus::emulator
