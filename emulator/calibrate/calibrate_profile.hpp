// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "emulator/calibrate/calibrate_measurement.hpp"
#include "emulator/calibrate/calibrate_plan.hpp"
#include "results/profile_file.hpp"

namespace mimus::emulator {

/// Everything besides the points that a measurement depends on, as stored in the profile's
/// attributes. Rows of files that differ in it must not be combined.
[[nodiscard]] std::map<std::string, std::string> calibration_settings(
    const CalibrationBed& bed, const CalibrateOptions& options);

/// Attribute that holds the fingerprint of a model's footprint, and the fingerprint.
[[nodiscard]] std::string fingerprint_attribute(const std::string& model);
[[nodiscard]] std::string fingerprint_text(const workloads::Model& model);

/// Removes measurements of footprints that have changed since from a profile.
void drop_changed_models(results::ProfileContent& content, const workloads::ModelCatalogue& models);

/// UsageError naming the setting in which the file at `path` differs.
void check_same_settings(const std::string& path, const results::ProfileContent& content,
                         const std::map<std::string, std::string>& settings);

/// True if there is a complete file at `options.output` with every point of the plan. Throws
/// UsageError if the file exists but lacks some, or was measured with other settings.
[[nodiscard]] bool is_complete(const CalibrateOptions& options, const CalibrationPlan& plan,
                               const CalibrationBed& bed);

/// Refuses, before any rank is started, an unfinished file of another run or of other settings.
/// Throws TakenError or UsageError.
void check_unfinished(const CalibrateOptions& options, const CalibrationBed& bed);

[[nodiscard]] results::ProfileRow row_of(const SoloPoint& point, const Measured& measured,
                                         const CalibrationBed& bed);
/// `shared`: one per tenant of the pair. `solo`: their rows. One row for a model beside itself,
/// the mean of both tenants.
[[nodiscard]] std::vector<results::ProfilePairRow> rows_of(const PairPoint& pair,
                                                           const std::vector<Measured>& shared,
                                                           const results::ProfileRow& first,
                                                           const results::ProfileRow& second);

/// A profile during its measurement. Every row is on disk when add() returns.
class GrowingProfile {
 public:
  /// Continues with the rows of an unfinished file at `options.output`. Throws TakenError when
  /// another process writes it, and UsageError when it was measured with other settings.
  GrowingProfile(const CalibrateOptions& options, const CalibrationBed& bed,
                 results::Provenance provenance, const std::vector<results::RankRow>& ranks);

  /// The row of a point; null if it has none yet.
  [[nodiscard]] const results::ProfileRow* find(const results::ProfileRow& key) const;
  [[nodiscard]] bool has(const PairPoint& pair) const;
  [[nodiscard]] bool has(const results::ProfileLinkRow& key) const;
  void add(const results::ProfileRow& row);
  void add(const results::ProfileLinkRow& row);
  void add(const std::vector<results::ProfilePairRow>& rows);

  void set_text(const std::string& name, const std::string& value) {
    writer_.set_text(name, value);
  }
  void set_status(const std::string& status, const std::string& reason) {
    writer_.set_status(status, reason);
  }
  void complete() { writer_.complete(); }

 private:
  results::ProfileContent content_;
  results::ProfileWriter writer_;
};

}  // namespace mimus::emulator
