// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {

// The verbs of `mimus workload`, one file each. They declare their options on `workload`.
[[nodiscard]] Verb add_workload_describe(CLI::App& workload, Session& session);
[[nodiscard]] Verb add_workload_check(CLI::App& workload, Session& session);
[[nodiscard]] Verb add_workload_convert(CLI::App& workload, Session& session);
[[nodiscard]] Verb add_workload_sample(CLI::App& workload, Session& session);
[[nodiscard]] Verb add_workload_scale(CLI::App& workload, Session& session);
[[nodiscard]] Verb add_workload_generate(CLI::App& workload, Session& session);
[[nodiscard]] Verb add_workload_predict(CLI::App& workload, Session& session);
[[nodiscard]] Verb add_workload_get(CLI::App& workload, Session& session);

}  // namespace mimus::emulator::cli
