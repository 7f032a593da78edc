// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus::emulator {

/// A live run's claim to the cores of this machine, among runs into the same folder. It lasts from
/// before the launch of the ranks until the end of the run. Ranks take their first cell only
/// seconds after the launch, and until then a second run would find no running cell. The claim is a
/// name that only this machine knows, so nothing is left of it, however the process ends. Throws
/// EnvironmentError when another run has the claim.
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
