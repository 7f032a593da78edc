// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mimus::results {

/// What this process does to files until finish(), in order: the file as a process leaves
/// it that is killed at any point can be made again from it. Only one at a time.
class WriteJournal {
 public:
  struct Change {
    std::int64_t offset = 0;       ///< or, without bytes, the new length of the file
    std::vector<std::byte> bytes;  ///< none: the file was cut or lengthened
  };

  WriteJournal();
  WriteJournal(const WriteJournal&) = delete;
  WriteJournal& operator=(const WriteJournal&) = delete;
  ~WriteJournal();

  void finish();
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  void add(Change change) { changes_.push_back(std::move(change)); }

 private:
  std::vector<Change> changes_;
};

/// Does the change to the file; of the bytes, only the first `most`.
void replay(const WriteJournal::Change& change, const std::string& path,
            std::size_t most = SIZE_MAX);

}  // namespace mimus::results
