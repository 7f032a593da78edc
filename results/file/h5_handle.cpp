// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/h5_handle.hpp"

#include <string_view>

namespace mimus::results {

namespace {

// The walk goes from the outermost to the innermost call, which knows the cause.
herr_t keep_innermost(unsigned /*depth*/, const H5E_error2_t* entry, void* text) {
  if (entry->desc != nullptr && *entry->desc != '\0') {
    *static_cast<std::string*>(text) = entry->desc;
  }
  return 0;
}

// For a failed system call, HDF5 also prints time, descriptor and buffer in two lines, and the name
// under which the file was created.
std::string what_the_system_says(const std::string& reason) {
  constexpr std::string_view kBefore = "error message = '";
  const std::size_t begin = reason.find(kBefore);
  if (begin == std::string::npos) return reason;
  const std::size_t text = begin + kBefore.size();
  return reason.substr(text, reason.find('\'', text) - text);
}

}  // namespace

void silence_h5_errors() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void throw_h5_error(const std::string& path, const char* call) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &reason);
  H5Eclear2(H5E_DEFAULT);
  throw H5Error(path, call, reason.empty() ? "no reason given" : what_the_system_says(reason));
}

}  // namespace mimus::results
