// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/file/h5_file.hpp"

namespace mimus::results {

/// How far the work behind a file is (running, complete, failed, ...), and why. Both keep their
/// place in the file, so that they can be changed when nothing else can be.
inline void write_status(H5File& file, const std::string& status, const std::string& reason) {
  file.set_fixed_text("status", status, 16);
  file.set_fixed_text("status_reason", reason, 256);
}

}  // namespace mimus::results
