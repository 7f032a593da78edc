// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/recorder.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/time.hpp"
#include "results/file/file_status.hpp"
#include "results/file/part_file.hpp"
#include "results/file/table_buffer.hpp"
#include "results/metrics/metric.hpp"
#include "results/totals/cell_totals.hpp"
#include "results/totals/step_statistics.hpp"

namespace mimus::results {

namespace {

constexpr Duration kFlushPeriod = std::chrono::seconds(1);

template <class... Rows>
using Buffers = std::tuple<std::optional<TableBuffer<Rows>>...>;

}  // namespace

class Recorder::Impl {
 public:
  Impl(const std::string& path, const Provenance& provenance, RecordLevel level)
      : part_(path),
        file_(H5File::create(part_.new_path(), part_.part_path())),
        level_(level),
        later_(provenance.later),
        is_virtual_(provenance.says("engine", "virtual")),
        counts_samples_(!provenance.says("step_time", "duration")),
        steps_(is_virtual_ ? Pace::emulated : Pace::kept_by_host) {
    write_provenance(provenance);
    std::apply([&](auto&... table) { (create(table), ...); }, tables_);
    figures_table_.emplace(file_);
    totals_table_.emplace(file_);
    quantiles_table_.emplace(file_);
    set_status("running", "");
    part_.show();
  }

  ~Impl() {
    if (completed_) return;
    try {
      if (status_ == "running") set_status("interrupted", "ended without completing the cell");
      close();
    } catch (const std::exception& error) {
      log::error("{}", error.what());
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] bool keeps(RecordLevel least) const { return is_recorded(least, level_); }

  void arrived(double time) { totals_.arrived(time); }

  /// `known` belongs to the row but has no column.
  template <class Row, class... Known>
  void add(const Row& row, Known... known) {
    ensure_open();
    auto& table = std::get<std::optional<TableBuffer<Row>>>(tables_);
    if (table) table->add(row);
    count(row, known...);
  }

  void set_attribute(const std::string& name, const std::string& value) {
    ensure_open();
    const auto room = place_of(name).text_bytes;
    if (room == 0) throw InternalError(fmt::format("attribute {} is a number, not a text", name));
    file_.set_fixed_text(name, value, room);
  }

  void set_attribute(const std::string& name, double value) {
    ensure_open();
    if (place_of(name).text_bytes > 0) {
      throw InternalError(fmt::format("attribute {} is a text, not a number", name));
    }
    file_.set_attribute(name, value);
  }

  void flush() {
    ensure_open();
    std::apply([](auto&... table) { ((table ? table->write() : void()), ...); }, tables_);
    write_totals();
    file_.flush();
    std::apply([](auto&... table) { ((table ? table->commit() : void()), ...); }, tables_);
    figures_table_->commit();
    totals_table_->commit();
    quantiles_table_->commit();
    if (!keeps(RecordLevel::full)) write_step_statistics();
    file_.flush();
    last_flush_ = wall_now();
  }

  void flush_if_due() {
    if (coarse_wall_now() - last_flush_ >= kFlushPeriod) flush();
  }

  void set_status(const std::string& status, const std::string& reason) {
    ensure_open();
    if (status != "running") close_totals();
    write_status(file_, status, reason);
    status_ = status;
    flush();
  }

  void complete() {
    set_status("complete", "");
    close();
    completed_ = true;
    part_.publish();
  }

 private:
  /// Rows count in the totals whether or not their table is recorded.
  template <class Row, class... Known>
  void count(const Row& row, Known... known) {
    if constexpr (requires { totals_.add(row, known...); }) totals_.add(row, known...);
  }
  void count(const StepRow& row) { steps_.add(row); }
  void count(const QueueDelayRow&) {}  // the job's own row has its waits

  void write_totals() {
    Observed seen;
    seen.totals = {totals_.totals(), quantiles_};
    seen.is_virtual = is_virtual_;
    seen.counts_samples = counts_samples_;
    seen.steps = steps_.figures();
    totals_table_->write(seen.totals.totals);
    figures_table_->write(figure_rows(figures_of(seen)));
  }

  // Quantiles and fairness require sorting everything, so they are written only when the cell
  // stops.
  void close_totals() {
    totals_.close();
    quantiles_ = totals_.quantiles();
    quantiles_table_->write(quantiles_);
    if (std::exchange(judged_, true)) return;
    if (!keeps(RecordLevel::jobs)) return;
    totals_.each_fairness([&](const FairnessRow& row) { add(row); });
    totals_.each_application([&](const ApplicationRow& row) { add(row); });
  }

  template <class Row>
  void create(std::optional<TableBuffer<Row>>& table) {
    if (keeps(table_of<Row>().info().least)) table.emplace(file_);
  }

  void write_provenance(const Provenance& provenance) {
    for (const auto& [name, value] : provenance.attributes) file_.set_attribute(name, value);
    file_.set_attribute("schema", std::string(kSchemaName));
    file_.set_attribute("schema_version", kSchemaVersion);
    file_.set_attribute("record", std::string(name(level_)));
    for (const auto& place : later_) take_place(place);
    file_.create_group("provenance");
    file_.write_text("provenance/config_yaml", provenance.resolved_config);
    file_.write_text("provenance/command_line", provenance.command_line);
  }

  void take_place(const LaterAttribute& place) {
    if (place.text_bytes > 0) return file_.set_fixed_text(place.name, "", place.text_bytes);
    file_.set_attribute(place.name, std::numeric_limits<double>::quiet_NaN());
  }

  [[nodiscard]] const LaterAttribute& place_of(const std::string& name) const {
    const auto found = std::ranges::find(later_, name, &LaterAttribute::name);
    if (found != later_.end()) return *found;
    throw InternalError(
        fmt::format("attribute {} is not reserved in {}; name it in Provenance::later", name,
                    part_.final_path()));
  }

  void write_step_statistics() {
    const StepFigures steps = steps_.figures();
    file_.set_attribute("off_solo_median", steps.off_solo_median);
    file_.set_attribute("late_share", steps.late_share);
    file_.set_attribute("useful_seconds", steps.useful_seconds);
  }

  void ensure_open() const {
    if (open_) return;
    throw InternalError(
        fmt::format("{}: nothing may be recorded after complete()", part_.final_path()));
  }

  // HDF5 keeps a file open as long as any of its datasets is open.
  void close() {
    std::apply([](auto&... table) { (table.reset(), ...); }, tables_);
    figures_table_.reset();
    totals_table_.reset();
    quantiles_table_.reset();
    file_.close();
    open_ = false;
  }

  PartFile part_;
  H5File file_;
  RecordLevel level_;
  std::vector<LaterAttribute> later_;
  Buffers<JobRow, AttemptRow, PlacementRow, SuspensionRow, LimitRow, StepRow, EventRow, DecisionRow,
          UtilisationRow, GpuRow, NodeStateRow, NodeRow, AllocationRow, TenantRow, ApplicationRow,
          TrialRow, BaselineRow, PairRow, QueueDelayRow, RankRow, DeviceSampleRow, EnergyRow,
          CollectiveRow, KernelTimeRow, FairnessRow>
      tables_;
  std::optional<TableSnapshot<FigureRow>> figures_table_;
  std::optional<TableSnapshot<TotalRow>> totals_table_;
  std::optional<TableSnapshot<QuantileRow>> quantiles_table_;
  CellTotals totals_;
  std::vector<QuantileRow> quantiles_;
  bool is_virtual_;
  bool counts_samples_;
  StepStatistics steps_;
  bool judged_ = false;
  WallInstant last_flush_{};
  std::string status_;
  bool open_ = true;
  bool completed_ = false;
};

Recorder::Recorder(std::string path, Provenance provenance, RecordLevel level)
    : impl_(std::make_unique<Impl>(path, provenance, level)) {}
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;
Recorder::~Recorder() = default;

bool Recorder::keeps(RecordLevel least) const {
  return impl_->keeps(least);
}

void Recorder::arrived(double time) {
  impl_->arrived(time);
}

void Recorder::add(const JobRow& row, double mean_active) {
  impl_->add(row, mean_active);
}

template <class Row>
void Recorder::add(const Row& row) {
  impl_->add(row);
}
template void Recorder::add(const JobRow&);
template void Recorder::add(const AttemptRow&);
template void Recorder::add(const PlacementRow&);
template void Recorder::add(const SuspensionRow&);
template void Recorder::add(const LimitRow&);
template void Recorder::add(const StepRow&);
template void Recorder::add(const EventRow&);
template void Recorder::add(const DecisionRow&);
template void Recorder::add(const UtilisationRow&);
template void Recorder::add(const GpuRow&);
template void Recorder::add(const NodeStateRow&);
template void Recorder::add(const NodeRow&);
template void Recorder::add(const AllocationRow&);
template void Recorder::add(const TenantRow&);
template void Recorder::add(const ApplicationRow&);
template void Recorder::add(const TrialRow&);
template void Recorder::add(const BaselineRow&);
template void Recorder::add(const PairRow&);
template void Recorder::add(const QueueDelayRow&);
template void Recorder::add(const RankRow&);
template void Recorder::add(const DeviceSampleRow&);
template void Recorder::add(const EnergyRow&);
template void Recorder::add(const CollectiveRow&);
template void Recorder::add(const KernelTimeRow&);

void Recorder::set_attribute(const std::string& name, const std::string& value) {
  impl_->set_attribute(name, value);
}
void Recorder::set_attribute(const std::string& name, double value) {
  impl_->set_attribute(name, value);
}

void Recorder::flush() {
  impl_->flush();
}
void Recorder::flush_if_due() {
  impl_->flush_if_due();
}
void Recorder::set_status(const std::string& status, const std::string& reason) {
  impl_->set_status(status, reason);
}
void Recorder::complete() {
  impl_->complete();
}

}  // namespace mimus::results
