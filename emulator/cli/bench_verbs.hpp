// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus::emulator::cli {

/// Errors of Horus' predictors of utilisation and memory on each model of the catalogue that is
/// held out, on GPUs of this type: `mimus bench predictors`.
void print_predictors(const std::string& gpu, bool json);

}  // namespace mimus::emulator::cli
