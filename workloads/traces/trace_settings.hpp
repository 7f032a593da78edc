// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/traces/oddity.hpp"
#include "workloads/traces/trace_options.hpp"
#include "workloads/traces/trace_traits.hpp"

namespace mimus::workloads {

/// What the user asked of a trace: shared by the source and its streams, none of which needs the
/// other to live on.
struct TraceSettings {
  std::string path;         ///< the main file or the folder; see named_path()
  SourceLocation named_at;  ///< where the path stands
  TraceTraits traits;
  TraceOptions options;
  OddityPolicy oddities;
  /// Whether the trace's zero is the cell's; dates count from 1970, which no cell begins at.
  [[nodiscard]] bool keeps_origin(bool dated) const {
    return options.keep_origin.value_or(traits.keep_origin && !dated);
  }
  std::string options_text;  ///< everything but where the files are, in canonical order

  /// Of a workload from files with this content; 16 hex digits.
  [[nodiscard]] std::string source_hash(std::uint64_t content) const;
};

/// `path`.
[[nodiscard]] Field<TraceSettings> path_field(const TraceTraits& traits);
/// The options of all formats, and those of the rules.
[[nodiscard]] Fields<TraceSettings> shared_fields(const TraceTraits& traits);
/// What follows from settings that were read.
void settle(const YamlReader& reader, TraceSettings& settings, const TraceTraits& traits);

}  // namespace mimus::workloads
