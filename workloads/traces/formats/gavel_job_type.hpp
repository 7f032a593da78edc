// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "workloads/csv/csv_reader.hpp"
#include "workloads/traces/trace_record.hpp"

namespace mimus::workloads {

/// Gavel's name of a kind of job, which Shockwave took over: "ResNet-18 (batch size 64)".
struct GavelJobType {
  std::string_view model;      ///< in the catalogue; empty when it has none for it
  std::int64_t gpu_batch = 0;  ///< samples per GPU; 0 when the name states none
};

/// ResNet-18 works on CIFAR-10 and ResNet-50 on ImageNet, as ours do. The others (recommendation by
/// an auto-encoder, LSTM language model, translation, CycleGAN, A3C) have no equal in the
/// catalogue.
[[nodiscard]] GavelJobType gavel_job_type(std::string_view name);

/// Fills in what job type and scale factor say. Throws ConfigError at the scale factor.
void take_gavel_job(const CsvReader& row, CsvReader::Column job_type,
                    CsvReader::Column scale_factor, TraceRecord& record);

}  // namespace mimus::workloads
