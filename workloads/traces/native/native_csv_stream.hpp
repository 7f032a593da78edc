// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "workloads/traces/input/csv_blocks.hpp"
#include "workloads/traces/job_shaper.hpp"
#include "workloads/traces/native/native_row.hpp"
#include "workloads/traces/trace_filter.hpp"
#include "workloads/traces/trace_settings.hpp"

namespace mimus::workloads {

/// Mimus' own CSV read while it is consumed: memory does not grow with the file. Rows must be in
/// order of arrival.
class NativeCsvStream final : public JobStream {
 public:
  /// Reads the file once for its hash. Throws ConfigError when its header is wrong.
  NativeCsvStream(std::shared_ptr<const TraceSettings> settings, const NativeColumns& columns,
                  const WorkloadContext& context);
  /// The same from blocks of a file with this content.
  NativeCsvStream(std::shared_ptr<const TraceSettings> settings, const NativeColumns& columns,
                  const WorkloadContext& context, CsvBlocks blocks, std::uint64_t content_hash);

  [[nodiscard]] std::optional<Job> next() override;
  [[nodiscard]] std::optional<std::int64_t> size() const override { return std::nullopt; }
  [[nodiscard]] std::string source() const override { return settings_->path; }
  [[nodiscard]] std::string source_hash() const override;
  [[nodiscard]] std::vector<std::string> notes() const override { return report_.notes(); }

 private:
  [[nodiscard]] bool next_row();
  [[nodiscard]] std::optional<ParsedRow> read_row();
  void check_order(const TraceRecord& record);

  std::shared_ptr<const TraceSettings> settings_;
  std::uint64_t content_hash_;
  CsvBlocks blocks_;
  CsvReader csv_;
  NativeRowReader rows_;
  RecordRules rules_;
  TraceFilter filter_;
  JobShaper shaper_;
  ImportReport report_;
  std::optional<Duration> first_submit_, last_submit_;
  std::optional<Instant> origin_;
  Duration estimate_{};
  bool dated_ = false;
  std::int64_t taken_ = 0;
};

}  // namespace mimus::workloads
