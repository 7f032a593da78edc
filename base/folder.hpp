// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus {

/// Creates `path` and its parent folders if they do not exist. Throws IoError when that fails.
void create_folder(const std::string& path);

}  // namespace mimus
