// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mimus::scheduler {

/// Similarity of two names, 0 to 1: twice the characters that they have in common over all their
/// characters. Common characters are those of the longest common substring, and recursively those
/// of the parts before and behind it (Ratcliff and Metzener 1988), as in Python's difflib.
[[nodiscard]] double name_similarity(std::string_view a, std::string_view b);

}  // namespace mimus::scheduler
