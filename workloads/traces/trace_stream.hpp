// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "workloads/traces/job_shaper.hpp"
#include "workloads/traces/row_sink.hpp"
#include "workloads/traces/trace_settings.hpp"

namespace mimus::workloads {

/// The jobs of one cell out of a trace that is in memory once for all of them.
class TraceStream final : public JobStream {
 public:
  /// Throws ConfigError when a row cannot be used, unless such rows are collected.
  TraceStream(std::shared_ptr<const TraceSettings> settings,
              std::shared_ptr<const ParsedTrace> trace, const WorkloadContext& context,
              Strictness strictness);

  [[nodiscard]] std::optional<Job> next() override;
  /// Nothing when rows are collected: shaping may refuse some.
  [[nodiscard]] std::optional<std::int64_t> size() const override;
  [[nodiscard]] std::string source() const override;
  [[nodiscard]] std::string source_hash() const override;
  [[nodiscard]] std::vector<std::string> notes() const override { return report_.notes(); }
  [[nodiscard]] const ImportReport& report() const { return report_; }

 private:
  void check_estimate() const;
  void choose_rows(const WorkloadContext& context);
  void set_origin();
  void refuse(const ConfigError& error);
  [[nodiscard]] std::span<const Duration> estimates_of(const ParsedRow& row) const;

  std::shared_ptr<const TraceSettings> settings_;
  std::shared_ptr<const ParsedTrace> trace_;
  Strictness strictness_;
  ImportReport report_;
  JobShaper shaper_;
  std::vector<std::uint32_t> chosen_;  ///< positions in the trace's rows
  std::size_t next_ = 0;
  Instant origin_{};
};

}  // namespace mimus::workloads
