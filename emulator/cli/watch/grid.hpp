// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/cli/watch/view.hpp"

namespace mimus::emulator::cli {

/// For a place without a job on a node that takes none. It is not a letter_of() a job.
[[nodiscard]] char mark_of(NodeMark mark);

/// The cluster: a field per node, a group of letters per GPU, "." for a free place or the mark of
/// its node. Nodes that do not fit into `rows` are counted in the last line.
[[nodiscard]] std::vector<std::string> grid(const CellProgress& state, const ViewSize& size,
                                            std::size_t rows);

/// `text` in the colour of a model, or as it is.
[[nodiscard]] std::string coloured(const std::string& text, const std::string& model,
                                   const ViewSize& size);

}  // namespace mimus::emulator::cli
