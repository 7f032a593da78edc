// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/input/input_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/relative_path.hpp"
#include "base/text_file.hpp"
#include "base/yaml_reader.hpp"

namespace mimus::workloads {

namespace {

constexpr std::string_view kPrefix = "${MIMUS_SHARED}";

}  // namespace

std::string expanded_path(const std::string& path) {
  if (!path.starts_with(kPrefix)) return path;
  const char* folder = std::getenv("MIMUS_SHARED");
  const bool given = folder != nullptr && *folder != '\0';
  return (given ? std::string(folder) : std::string("../shared")) + path.substr(kPrefix.size());
}

std::string named_path(const ConfigNode& path, const std::string& key) {
  const auto written = read_scalar<std::string>(path, key);
  return written.starts_with(kPrefix) ? written : relative_to(path.where, written);
}

std::string read_input_file(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  std::ifstream stream(path, std::ios::binary);
  // The slower reader handles files without a known size and files that cannot be opened.
  if (error || !stream) return read_text_file(path);
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (stream.gcount() != static_cast<std::streamsize>(size)) return read_text_file(path);
  return text;
}

std::unique_ptr<std::istream> open_input_file(const std::string& path) {
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file) (void)read_text_file(path);  // throws the error message
  return file;
}

std::string file_identity(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path canonical = fs::canonical(path, error);
  const auto size = error ? 0 : fs::file_size(canonical, error);
  const auto changed = error ? fs::file_time_type{} : fs::last_write_time(canonical, error);
  if (!error) {
    return fmt::format("{}|{}|{}", canonical.string(), size, changed.time_since_epoch().count());
  }
  (void)read_text_file(path);  // throws the error message, unless the path is a pipe
  return "";
}

std::uint64_t content_hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (std::size_t begin = 0; begin < text.size(); begin += kHashBlock) {
    hash = stable_hash(text.substr(begin, kHashBlock), hash);
  }
  return hash;
}

std::uint64_t file_content_hash(const std::string& path) {
  const auto file = open_input_file(path);
  std::string block(kHashBlock, '\0');
  std::uint64_t hash = 0;
  while (*file) {
    file->read(block.data(), static_cast<std::streamsize>(block.size()));
    hash = content_hash({block.data(), static_cast<std::size_t>(file->gcount())}, hash);
  }
  return hash;
}

}  // namespace mimus::workloads
