// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// One source per trace format; docs/workloads.md has what each column becomes.
[[nodiscard]] Choice<WorkloadSource> native_csv_source();   ///< `csv`
[[nodiscard]] Choice<WorkloadSource> philly_source();       ///< `philly`
[[nodiscard]] Choice<WorkloadSource> philly_json_source();  ///< `philly-json`
[[nodiscard]] Choice<WorkloadSource> pai_source();          ///< `pai`
[[nodiscard]] Choice<WorkloadSource> pai_tables_source();   ///< `pai-tables`
[[nodiscard]] Choice<WorkloadSource> helios_source();       ///< `helios`
[[nodiscard]] Choice<WorkloadSource> acme_source();         ///< `acme`
[[nodiscard]] Choice<WorkloadSource> openb_source();        ///< `openb`
[[nodiscard]] Choice<WorkloadSource> pollux_source();       ///< `pollux`
[[nodiscard]] Choice<WorkloadSource> tiresias_source();     ///< `tiresias`
[[nodiscard]] Choice<WorkloadSource> muri_source();         ///< `muri`
[[nodiscard]] Choice<WorkloadSource> gavel_source();        ///< `gavel`
[[nodiscard]] Choice<WorkloadSource> shockwave_source();    ///< `shockwave`

/// All of the above, in the order of the reference.
[[nodiscard]] inline std::vector<Choice<WorkloadSource>> trace_sources() {
  return {pollux_source(),   native_csv_source(), philly_source(), philly_json_source(),
          pai_source(),      pai_tables_source(), helios_source(), acme_source(),
          openb_source(),    tiresias_source(),   muri_source(),   gavel_source(),
          shockwave_source()};
}

}  // namespace mimus::workloads
