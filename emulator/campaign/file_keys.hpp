// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/fields.hpp"
#include "results/schema/record_level.hpp"

namespace mimus::emulator {

/// The keys of a campaign file beside its sections.
struct FileKeys {
  int schema = 1;
  std::string name;  ///< of the result folder
  std::string description;
  std::int64_t seed = 0;
  int repetitions = 1;
  int first_repetition = 0;
  results::RecordLevel record = results::RecordLevel::full;
  std::vector<std::string> model_files;  ///< that the campaign adds
  std::vector<ConfigNode> machines;      ///< entries of the files of machine types that it adds
};

/// All of them, in the order of the reference.
[[nodiscard]] const Fields<FileKeys>& file_fields();

/// Those that are also read alone.
[[nodiscard]] const Param<int>& first_repetition_key();
[[nodiscard]] const Param<results::RecordLevel>& record_key();

}  // namespace mimus::emulator
