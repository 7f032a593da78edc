// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace mimus::results {

/// The checksums of a finished file, behind the end of its HDF5 content: a CRC-32 (that of zlib)
/// for each block of `block_bytes`. HDF5 does not read this part. Numbers are little-endian:
///
///     content | one uint32 per block | uint32 CRC-32 of those | uint32 block_bytes
///             | uint64 bytes of content | 16 bytes "mimus-checksums1"
///
/// Files that are still written, and those of an earlier Mimus, have none.
/// mimus_results/checksums.py does the same in Python.
struct Checksums {
  std::uint64_t content_bytes = 0;
  std::uint32_t block_bytes = 0;
  std::vector<std::uint32_t> blocks;

  [[nodiscard]] std::uint64_t begin_of(std::size_t block) const {
    return std::uint64_t{block} * block_bytes;
  }
  /// The last block may have fewer.
  [[nodiscard]] std::size_t bytes_of(std::size_t block) const;
};

/// The checksums of an open file; none if it has none, or if they are damaged themselves.
[[nodiscard]] std::optional<Checksums> read_checksums(int descriptor);
/// The same for a file by name; none if it cannot be opened.
[[nodiscard]] std::optional<Checksums> read_checksums(const std::string& path);

/// Reads a block into `content`; false if it differs from what was written.
[[nodiscard]] bool read_block(int descriptor, const Checksums& sums, std::size_t block,
                              std::vector<std::byte>& content);
/// False if the file has fewer bytes, or cannot be read.
[[nodiscard]] bool read_exactly(int descriptor, std::uint64_t from, void* to, std::size_t count);

/// Computes the checksums of a closed file and appends them. Throws IoError.
void append_checksums(const std::string& path);

/// "is damaged: …"
[[nodiscard]] std::string damage_text(const Checksums& sums, std::size_t block);

/// A file whose content differs from what was written. The message says what to do.
class DamagedError : public IoError {
 public:
  using IoError::IoError;
  /// `how` ends without a full stop and does not say what to do.
  [[nodiscard]] static DamagedError of(const std::string& path, const std::string& how);
};

/// Reads the whole file and throws DamagedError if it is damaged. A file without checksums passes.
void require_undamaged(const std::string& path);

}  // namespace mimus::results
