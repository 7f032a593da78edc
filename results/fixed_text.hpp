// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mimus::results {

/// Copies `text` into `width` bytes, padded with NUL; what does not fit is cut before the UTF-8
/// character that would be split. Returns whether something was cut.
bool encode_text(std::string_view text, std::byte* out, std::size_t width);
[[nodiscard]] std::string decode_text(const std::byte* in, std::size_t width);

}  // namespace mimus::results
