// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus::emulator {

/// A live run's claim to the cores of this machine, among runs into the same folder, from before it
/// launches its ranks until it is through: they take their first cell seconds later, and until then
/// a second run would find none that is being run. The claim is a name that only this machine
/// knows, so nothing is left of it, however the process ends. EnvironmentError when another run has
/// it.
class LiveTurn {
 public:
  explicit LiveTurn(const std::string& folder);
  LiveTurn(const LiveTurn&) = delete;
  LiveTurn& operator=(const LiveTurn&) = delete;
  ~LiveTurn();

 private:
  int socket_ = -1;
};

}  // namespace mimus::emulator
