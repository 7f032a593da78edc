// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>

#include "base/config_tree.hpp"

namespace mimus::workloads {

/// Public data live outside the project; a leading ${MIMUS_SHARED} keeps their place out of
/// campaign files. It stands for that environment variable, or "../shared" when that is not set.
[[nodiscard]] std::string expanded_path(const std::string& path);

/// The path that a configuration names, for expanded_path(): relative to the file that names it,
/// and as written where it stands on the command line or begins with ${MIMUS_SHARED}.
[[nodiscard]] std::string named_path(const ConfigNode& path, const std::string& key);

/// The bytes of an input file. Throws ConfigError naming the path when it cannot be read.
[[nodiscard]] std::string read_input_file(const std::string& path);

/// The file for reading it block by block. Throws as read_input_file.
[[nodiscard]] std::unique_ptr<std::istream> open_input_file(const std::string& path);

/// What tells one state of a file from another without reading it: canonical path, size and time
/// of the last change. Throws ConfigError when there is no such file.
[[nodiscard]] std::string file_identity(const std::string& path);

/// Hash of a file's content, continued from `seed`. Blocks of 1 MiB are hashed one by one, so that
/// reading a file in such blocks gives the same.
[[nodiscard]] std::uint64_t content_hash(std::string_view text, std::uint64_t seed = 0);
inline constexpr std::size_t kHashBlock = std::size_t{1} << 20;
/// The same of everything in a file. Throws as read_input_file.
[[nodiscard]] std::uint64_t file_content_hash(const std::string& path);

}  // namespace mimus::workloads
