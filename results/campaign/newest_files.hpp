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

/// Separates the files of the present configuration from those that other configurations left in
/// the same folder under the same labels. In a folder and campaign the configuration of the last
/// run counts (last_run.hpp), or if that is unknown, the configuration of the newest file of each
/// label. Of each repetition it takes the file of the last run, else the newest file, because an
/// older one had another seed or other inputs. Once a configuration has changed, labels without a
/// file of the last run, or with older files only, belong to another configuration, too.
/// mimus_results/configurations.py does the same in Python. Files that cannot be read, such as that
/// of a writer that died before its first flush, are in neither group. Profiles (mimus calibrate)
/// are not results of cells and are in neither group.
[[nodiscard]] FilesByConfiguration by_configuration(const std::vector<std::string>& paths);

}  // namespace mimus::results
