// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "results/schema/record_level.hpp"
#include "results/schema/rows.hpp"

namespace mimus::results {

/// A root attribute whose value is known only during or after the run. Its place is reserved when
/// the file is created. Adding an attribute later would move others, and a crash during the move
/// would leave a file that cannot be opened.
struct LaterAttribute {
  std::string name;
  std::size_t text_bytes = 0;  ///< room for a text; 0: a number
};

/// The origin of a file. Written as root attributes; texts as datasets under /provenance.
struct Provenance {
  std::map<std::string, std::string> attributes = {};  ///< software, commit, host, seed, cell, …
  std::string resolved_config = {};                    ///< YAML of this cell
  std::string command_line = {};
  std::vector<LaterAttribute> later = {};  ///< empty or NaN until Recorder::set_attribute

  [[nodiscard]] bool says(const std::string& attribute, const std::string& value) const {
    const auto found = attributes.find(attribute);
    return found != attributes.end() && found->second == value;
  }
};

/// Writes one result file. Rows of tables that its level does not keep still count in `totals` and
/// `quantiles`, from which summarise() computes the same figures. Rows are buffered. `flush_if_due`
/// writes them to disk at most once a second, so that a crash loses no more than that. The file is
/// called `<path>.part` until complete() renames it. All members throw IoError on failure, naming
/// the file.
class Recorder {
 public:
  Recorder(std::string path, Provenance provenance, RecordLevel level);
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;
  /// Without complete() the file stays `.part`, flushed, with status "interrupted".
  ~Recorder();

  /// Whether tables that are recorded from the level `least` on are kept. Callers need not make
  /// rows that are not kept, except JobRow, StepRow, DecisionRow, UtilisationRow, GpuRow, PairRow
  /// and EnergyRow, which feed the summary at every level.
  [[nodiscard]] bool keeps(RecordLevel least) const;

  /// A job arrives [s]. Call it in order of time, before adding rows of utilisation that begin
  /// later.
  void arrived(double time);
  /// Adds a row of any table of a cell's file except `fairness`, `figures`, `totals` and
  /// `quantiles`, which the recorder makes itself.
  template <class Row>
  void add(const Row& row);
  /// For a job during whose life `mean_active` jobs were in the system on average (ActiveJobs);
  /// otherwise 1.
  void add(const JobRow& row, double mean_active);

  /// Sets one of Provenance::later, of its type. A text that does not fit is cut. Throws
  /// InternalError for any other attribute.
  void set_attribute(const std::string& name, const std::string& value);
  void set_attribute(const std::string& name, double value);

  void flush();
  void flush_if_due();
  /// Marks the file with `status` (running | interrupted | failed), with a reason, and flushes.
  void set_status(const std::string& status, const std::string& reason);
  /// Sets status = complete, closes the file and renames `.part`. Nothing may be added afterwards.
  void complete();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mimus::results
