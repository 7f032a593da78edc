// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::workloads {

/// Where a public trace lives, and the shell commands that make a workload of it.
struct PublicTrace {
  std::string name;
  std::string title;
  std::string paper;  ///< to cite
  std::string licence;
  std::string home;  ///< URL
  std::string size;
  std::vector<std::string> sources;  ///< of workloads that read it, the one for `use` first
  std::vector<std::string> fetch;
  std::vector<std::string> use;  ///< the first converts what was fetched
  std::string note;              ///< empty when there is none
};

/// All of workloads/traces/public_traces.yaml, in its order.
[[nodiscard]] std::vector<PublicTrace> public_traces();

/// Names the public trace that a source reads, and how to get it; empty when there is none.
[[nodiscard]] std::string how_to_get(const std::string& source);

}  // namespace mimus::workloads
