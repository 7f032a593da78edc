// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/traces/oddity.hpp"

namespace mimus::workloads {

/// What the options, messages and rules need to know of a format.
struct TraceTraits {
  std::string name = {};  ///< of the source in YAML
  std::string summary = {};
  std::string path_is = "a file";
  std::string path_summary = {};      ///< what is expected there
  std::string row_word = "line";      ///< what TraceRecord::row counts: "line" or "entry"
  std::string gpus_column = {};       ///< for messages about the gang
  std::string model_column = {};      ///< for messages about the model
  std::vector<Oddity> oddities = {};  ///< that may occur. With never_started, starts are recorded
  std::vector<std::string> estimates = {};  ///< columns with an estimate of the run time
  std::string default_estimate = "none";    ///< value of the option `estimate`
  bool keep_origin = false;                 ///< default: the trace's zero is the cell's zero
  bool published_training = false;  ///< work of a job with a model alone: a share of its training

  [[nodiscard]] bool may(Oddity oddity) const;
};

}  // namespace mimus::workloads
