// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/csv_blocks.hpp"

#include <fstream>

#include "base/error.hpp"
#include "base/text_file.hpp"

namespace mimus::workloads {
namespace {

std::unique_ptr<std::istream> opened(const std::string& path) {
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file) (void)read_text_file(path);  // words the refusal
  return file;
}

}  // namespace

CsvBlocks CsvBlocks::open(const std::string& path, std::string name) {
  return {opened(path), std::move(name)};
}

std::uint64_t CsvBlocks::hash_of(const std::string& path) {
  const auto file = opened(path);
  std::string block(kHashBlock, '\0');
  std::uint64_t hash = 0;
  while (*file) {
    file->read(block.data(), static_cast<std::streamsize>(block.size()));
    hash = content_hash({block.data(), static_cast<std::size_t>(file->gcount())}, hash);
  }
  return hash;
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
  return buffer_;  // a last row without a line break, or nothing
}

}  // namespace mimus::workloads
