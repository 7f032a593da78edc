// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/file/h5_file.hpp"

namespace mimus::results {

/// The state of the work behind a file (running, complete, failed, ...), and the reason. Both have
/// a fixed place in the file, so that they can be changed when nothing else can be.
inline void write_status(H5File& file, const std::string& status, const std::string& reason) {
  file.set_fixed_text("status", status, 16);
  file.set_fixed_text("status_reason", reason, 256);
}

}  // namespace mimus::results
