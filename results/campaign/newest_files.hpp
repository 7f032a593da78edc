// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::results {

/// Result files, in the order given.
struct FilesByConfiguration {
  std::vector<std::string> newest;
  std::vector<std::string> others;
  std::vector<std::string> refusals;  ///< why files cannot be read, each with its name
};

/// Parts the files of the present configuration from those that others left in the same folder
/// under the same labels. In a folder and campaign the configuration of the last run holds
/// (last_run.hpp), where that is not known the one of the newest file of each label; and in it of
/// each repetition the file of the last run, else the newest: an older one had another seed or
/// other inputs. Once a configuration has changed, labels without a file of the last run, or with
/// older files only, are of another one, too. The same in Python: mimus_results/configurations.py.
/// Files that cannot be read, as a writer leaves one that dies before its first flush, are in
/// neither. Profiles (mimus calibrate) are no results of cells: they are in none.
[[nodiscard]] FilesByConfiguration by_configuration(const std::vector<std::string>& paths);

}  // namespace mimus::results
