// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/input/csv_blocks.hpp"

#include "base/error.hpp"

namespace mimus::workloads {

CsvBlocks CsvBlocks::open(const std::string& path, std::string name) {
  return {open_input_file(path), std::move(name)};
}

bool CsvBlocks::read_block() {
  buffer_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + block_);
  file_->read(buffer_.data() + before, static_cast<std::streamsize>(block_));
  buffer_.resize(before + static_cast<std::size_t>(file_->gcount()));
  return buffer_.size() > before;
}

std::string_view CsvBlocks::next() {
  while (read_block()) {
    std::size_t last_end = 0;
    for (; scanned_ < buffer_.size(); ++scanned_) {
      if (buffer_[scanned_] == '"') quoted_ = !quoted_;
      if (buffer_[scanned_] == '\n' && !quoted_) last_end = scanned_ + 1;
    }
    if (last_end > 0) {
      begin_ = last_end;
      return std::string_view(buffer_).substr(0, last_end);
    }
    if (buffer_.size() > kMaxRow) {
      throw ConfigError({name_, 0, 0}, "",
                        "has a row of more than 64 MiB; a quotation mark may be missing");
    }
  }
  begin_ = scanned_ = buffer_.size();
  return buffer_;  // a last row without a line break, or empty
}

}  // namespace mimus::workloads
