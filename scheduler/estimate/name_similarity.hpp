// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mimus::scheduler {

/// How alike two names are, 0 to 1: twice the characters that they have in common over all their
/// characters, where common are those of the longest substring of both, and of what lies before and
/// behind it likewise (Ratcliff and Metzener 1988), as difflib of Python counts them.
[[nodiscard]] double name_similarity(std::string_view a, std::string_view b);

}  // namespace mimus::scheduler
