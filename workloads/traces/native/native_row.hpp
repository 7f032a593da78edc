// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "workloads/csv/csv_reader.hpp"
#include "workloads/traces/native/native_columns.hpp"
#include "workloads/traces/trace_record.hpp"

namespace mimus::workloads {

/// Reads the rows of Mimus' own CSV, and of tables whose columns are named for it;
/// docs/workloads.md describes it. Columns may be left out, and a blank field is as good as a
/// missing column.
class NativeRowReader {
 public:
  NativeRowReader(const CsvReader& csv, const NativeColumns& columns);
  /// The current row; its views last until the next call. Throws ConfigError.
  [[nodiscard]] TraceRecord read(const CsvReader& row);

 private:
  using Column = std::optional<CsvReader::Column>;
  void read_times(const CsvReader& row, TraceRecord& record);
  [[nodiscard]] Duration read_time(const CsvReader& row, CsvReader::Column column);
  /// Nothing where the field holds no date.
  [[nodiscard]] std::optional<Duration> read_date(const CsvReader& row,
                                                  CsvReader::Column column) const;
  void read_request(const CsvReader& row, TraceRecord& record) const;
  void read_work(const CsvReader& row, TraceRecord& record) const;
  void read_data(const CsvReader& row, TraceRecord& record) const;

  Column name_, user_, virtual_cluster_, group_, model_, gang_, gang_min_, gang_max_, gpu_share_,
      batch_, batch_plan_, samples_, arrival_, run_time_, estimate_, deadline_, outcome_, failures_,
      class_, stages_, cores_, host_memory_, host_share_, gpu_types_, rates_, data_set_, data_size_,
      application_, start_, end_;
  std::optional<bool> dated_;  ///< as the first row says
  std::optional<TimeZone> zone_;
  Duration stated_estimate_{};
};

/// "0.5:broken cable;0.75:" for failures at half and at three quarters of the work; a backslash
/// stands before a colon, semicolon or backslash that belongs to a reason.
[[nodiscard]] std::string failures_text(const FailurePlan& plan);
/// Nothing for any other text.
[[nodiscard]] std::optional<FailurePlan> parse_failures(std::string_view text);

/// "0.446:0.008:0:0.49": seconds of the input, compute and network stages and of the iteration.
[[nodiscard]] std::string stages_text(const StageTimes& stages);
/// Nothing for any other text.
[[nodiscard]] std::optional<StageTimes> parse_stages(std::string_view text);

/// "V100;P100".
[[nodiscard]] std::string gpu_types_text(const std::vector<std::string>& types);
/// None for a text that is empty or in which a name is.
[[nodiscard]] std::vector<std::string> parse_gpu_types(std::string_view text);
/// Iterations/s by GPU type, the one of the run time first: "V100:32.35;K80:4.8".
[[nodiscard]] std::string rates_text(const TypeRates& rates);
/// Nothing for anything else.
[[nodiscard]] TypeRates parse_rates(std::string_view text);

}  // namespace mimus::workloads
