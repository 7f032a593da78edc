// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/time.hpp"

namespace mimus::kernels::cuda {

/// How the MPS of a pipe directory ended.
enum class MpsEnd {
  before,  ///< it had ended already
  asked,   ///< it quit
  killed,  ///< it did not quit in time
};

/// Asks daemon and servers to quit, kills those that still run after `patience`, and removes the
/// pipe directory.
MpsEnd end_mps(const std::string& pipe_directory, Duration patience) noexcept;

/// The same without asking, for processes that do not answer.
void kill_mps(const std::string& pipe_directory) noexcept;

}  // namespace mimus::kernels::cuda
