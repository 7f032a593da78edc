// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/fixed_text.hpp"

#include <algorithm>
#include <cstring>

namespace mimus::results {

namespace {

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

std::string_view fitting(std::string_view text, std::size_t width) {
  std::size_t kept = std::min(text.size(), width);
  if (kept < text.size()) {
    while (kept > 0 && is_continuation(text[kept])) --kept;
  }
  return text.substr(0, kept);
}

bool encode_text(std::string_view text, std::byte* out, std::size_t width) {
  const std::size_t kept = fitting(text, width).size();
  if (kept > 0) std::memcpy(out, text.data(), kept);
  std::memset(out + kept, 0, width - kept);
  return kept < text.size();
}

std::string decode_text(const std::byte* in, std::size_t width) {
  const std::byte* end = in + width;
  while (end != in && *(end - 1) == std::byte{0}) --end;
  std::string text(static_cast<std::size_t>(end - in), '\0');
  if (!text.empty()) std::memcpy(text.data(), in, text.size());
  return text;
}

}  // namespace mimus::results
