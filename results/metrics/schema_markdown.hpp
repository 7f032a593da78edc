// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/schema/schema.hpp"

namespace mimus::results {

/// The columns of a table in Markdown.
[[nodiscard]] std::string columns_markdown(const TableInfo& table);
/// The reference of all tables and columns in Markdown: the text of docs/results.md.
[[nodiscard]] std::string schema_markdown();

}  // namespace mimus::results
