// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mimus::results {

/// The beginning of `text` that fits into `width` bytes; it ends before a UTF-8 character that
/// would be split.
[[nodiscard]] std::string_view fitting(std::string_view text, std::size_t width);

/// Copies `text` into `width` bytes, padded with NUL. A text that does not fit is cut. Returns
/// whether it was cut.
bool encode_text(std::string_view text, std::byte* out, std::size_t width);
[[nodiscard]] std::string decode_text(const std::byte* in, std::size_t width);

}  // namespace mimus::results
