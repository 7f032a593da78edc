// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mimus {

/// True for UTF-8 of nothing but text: no control characters but tab and the ends of lines, no
/// surrogates, no code points that Unicode keeps out of text (U+FDD0 to U+FDEF, the last two of
/// each plane), none in more bytes than it needs.
[[nodiscard]] bool is_utf8_text(std::string_view text);

/// The text with each byte that is_utf8_text() refuses as "\\x1b": what a message quotes from an
/// input must not reach a terminal as a command.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace mimus
