// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mimus {

/// True for UTF-8 that contains only text: no control characters but tab and line ends, no
/// surrogates, no noncharacters (U+FDD0 to U+FDEF, the last two of each plane), no overlong
/// encodings.
[[nodiscard]] bool is_utf8_text(std::string_view text);

/// The text with each byte that is_utf8_text() refuses written as "\\x1b". Text that a message
/// quotes from an input must not reach a terminal as a command.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace mimus
