// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/checksums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <fmt/format.h>

namespace mimus::results {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are stored as they are");

constexpr std::uint32_t kBlockBytes = 65536;  // the amount that HDF5 reads of a table at once
constexpr std::string_view kMark = "mimus-checksums1";

struct Footer {
  std::uint32_t table_checksum = 0;
  std::uint32_t block_bytes = 0;
  std::uint64_t content_bytes = 0;
  std::array<char, kMark.size()> mark{};
};
static_assert(sizeof(Footer) == 32, "no gaps");

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(open(path.c_str(), flags | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

bool write_exactly(int descriptor, std::uint64_t to, const void* from, std::size_t count) {
  const auto* bytes = static_cast<const std::byte*>(from);
  while (count > 0) {
    const ssize_t put = pwrite(descriptor, bytes, count, static_cast<off_t>(to));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    to += static_cast<std::uint64_t>(put);
    count -= static_cast<std::size_t>(put);
  }
  return true;
}

std::uint64_t size_of(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::uint32_t checksum(const void* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(crc32_z(0, static_cast<const unsigned char*>(bytes), count));
}

std::uint64_t blocks_in(std::uint64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes;
}

std::uint32_t table_checksum(const std::vector<std::uint32_t>& blocks) {
  return checksum(blocks.data(), blocks.size() * sizeof(std::uint32_t));
}

bool write(int descriptor, const Checksums& sums) {
  Footer footer{table_checksum(sums.blocks), sums.block_bytes, sums.content_bytes, {}};
  std::ranges::copy(kMark, footer.mark.begin());
  const std::size_t table_bytes = sums.blocks.size() * sizeof(std::uint32_t);
  return write_exactly(descriptor, sums.content_bytes, sums.blocks.data(), table_bytes) &&
         write_exactly(descriptor, sums.content_bytes + table_bytes, &footer, sizeof footer);
}

}  // namespace

std::size_t Checksums::bytes_of(std::size_t block) const {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(block_bytes, content_bytes - begin_of(block)));
}

bool read_block(int descriptor, const Checksums& sums, std::size_t block,
                std::vector<std::byte>& content) {
  content.resize(sums.bytes_of(block));
  return read_exactly(descriptor, sums.begin_of(block), content.data(), content.size()) &&
         checksum(content.data(), content.size()) == sums.blocks[block];
}

bool read_exactly(int descriptor, std::uint64_t from, void* to, std::size_t count) {
  auto* bytes = static_cast<std::byte*>(to);
  while (count > 0) {
    const ssize_t got = pread(descriptor, bytes, count, static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    from += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

std::optional<Checksums> read_checksums(int descriptor) {
  const std::uint64_t size = size_of(descriptor);
  Footer footer;
  if (size < sizeof footer ||
      !read_exactly(descriptor, size - sizeof footer, &footer, sizeof footer)) {
    return std::nullopt;
  }
  const bool marked = std::ranges::equal(footer.mark, kMark) && footer.block_bytes == kBlockBytes;
  if (!marked || footer.content_bytes > size) return std::nullopt;
  const std::uint64_t blocks = blocks_in(footer.content_bytes);
  const std::uint64_t table_bytes = blocks * sizeof(std::uint32_t);
  if (footer.content_bytes + table_bytes + sizeof footer != size) return std::nullopt;
  Checksums sums{footer.content_bytes, footer.block_bytes, std::vector<std::uint32_t>(blocks)};
  if (!read_exactly(descriptor, footer.content_bytes, sums.blocks.data(), table_bytes) ||
      table_checksum(sums.blocks) != footer.table_checksum) {
    return std::nullopt;
  }
  return sums;
}

std::optional<Checksums> read_checksums(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  return file.get() < 0 ? std::nullopt : read_checksums(file.get());
}

void append_checksums(const std::string& path) {
  const Descriptor file(path, O_RDWR);
  Checksums sums{size_of(file.get()), kBlockBytes, {}};
  std::vector<std::byte> buffer;
  const std::uint64_t blocks = blocks_in(sums.content_bytes);
  for (std::size_t block = 0; block < blocks; ++block) {
    buffer.resize(sums.bytes_of(block));
    if (!read_exactly(file.get(), sums.begin_of(block), buffer.data(), buffer.size())) {
      throw IoError(path, fmt::format("cannot be read again: {}", std::strerror(errno)));
    }
    sums.blocks.push_back(checksum(buffer.data(), buffer.size()));
  }
  if (!write(file.get(), sums)) {
    throw IoError(path, fmt::format("its checksums cannot be written: {}", std::strerror(errno)));
  }
}

std::string damage_text(const Checksums& sums, std::size_t block) {
  const std::uint64_t begin = sums.begin_of(block);
  return fmt::format("is damaged: bytes {} to {} are not those that were written", begin,
                     begin + sums.bytes_of(block));
}

DamagedError DamagedError::of(const std::string& path, const std::string& how) {
  return {path, how + "; restore the file from a copy, or remove it and run its cell again"};
}

void require_undamaged(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  if (file.get() < 0) throw IoError(path, fmt::format("{}", std::strerror(errno)));
  const auto sums = read_checksums(file.get());
  if (!sums) return;
  std::vector<std::byte> buffer;
  for (std::size_t block = 0; block < sums->blocks.size(); ++block) {
    if (!read_block(file.get(), *sums, block, buffer)) {
      throw DamagedError::of(path, damage_text(*sums, block));
    }
  }
}

}  // namespace mimus::results
