// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus {

/// A document of nlohmann::json as text, in one line if `indent` is negative. Bytes that are not
/// UTF-8, as in file names and quoted parts of damaged inputs, become U+FFFD; plain `dump()` throws
/// there.
template <class Json>
[[nodiscard]] std::string json_text(const Json& document, int indent = -1) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mimus
