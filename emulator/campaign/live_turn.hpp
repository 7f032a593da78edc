// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/file_lock.hpp"

namespace mimus::emulator {

/// A live run's claim to the cores of this machine, among runs into the same folder, from before it
/// launches its ranks until it is through: they take their first cell seconds later, and until then
/// a second run would find none that is being run. EnvironmentError when another run has it.
class LiveTurn {
 public:
  explicit LiveTurn(const std::string& folder);
  LiveTurn(const LiveTurn&) = delete;
  LiveTurn& operator=(const LiveTurn&) = delete;
  ~LiveTurn();

 private:
  std::string path_;
  results::FileLock lock_;
};

}  // namespace mimus::emulator
