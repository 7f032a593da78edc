// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/formats/gavel_job_type.hpp"

#include "base/quantity_text.hpp"

namespace mimus::workloads {

GavelJobType gavel_job_type(std::string_view name) {
  constexpr std::string_view kBatch = " (batch size ";
  constexpr std::int64_t kLargestBatch = 1'000'000;
  GavelJobType type;
  const auto batch_at = name.find(kBatch);
  const std::string_view network = name.substr(0, batch_at);
  if (network == "ResNet-18") type.model = "resnet18";
  if (network == "ResNet-50") type.model = "resnet50";
  if (batch_at == std::string_view::npos || !name.ends_with(')')) return type;
  const auto digits = name.substr(batch_at + kBatch.size());
  const auto batch = parse_integer(digits.substr(0, digits.size() - 1));
  if (batch && *batch > 0 && *batch <= kLargestBatch) type.gpu_batch = *batch;
  return type;
}

void take_gavel_job(const CsvReader& row, CsvReader::Column job_type,
                    CsvReader::Column scale_factor, TraceRecord& record) {
  record.row = row.line();
  const auto gang = row.get<std::int64_t>(scale_factor, {.min = 1.0, .max = 1e6});
  record.add_gpus(1.0, gang);
  record.gpus_at = row.place(scale_factor);
  const GavelJobType type = gavel_job_type(row.text(job_type));
  record.model = type.model;
  record.model_at = row.place(job_type);
  if (!type.model.empty()) record.total_batch = type.gpu_batch * gang;
}

}  // namespace mimus::workloads
