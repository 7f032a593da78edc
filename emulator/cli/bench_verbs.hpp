// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus::emulator::cli {

/// Errors of Horus' predictors of utilisation and memory on each model of the catalogue that is
/// held out, on GPUs of this type: `mimus bench predictors`.
void print_predictors(const std::string& gpu, bool json);

/// What `mimus bench nodes` is asked.
struct NodesBench {
  std::string sequence;  ///< a file
  std::string from;      ///< first day
  int days = 14;
  std::string rule = "{}";  ///< keys of policy.power: ces
};
/// Figures of Helios' energy saving on a recorded sequence of nodes in use, with each forecast.
void print_nodes(const NodesBench& asked, bool json);

}  // namespace mimus::emulator::cli
