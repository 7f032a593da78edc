// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "results/file/result_file.hpp"

namespace mimus::results {

namespace {

std::string value_or_empty(const std::map<std::string, std::string>& attributes,
                           const std::string& name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? "" : found->second;
}

void check_schema(const std::string& path, const std::map<std::string, std::string>& attributes) {
  if (value_or_empty(attributes, "schema") != kSchemaName) {
    throw IoError(path, fmt::format("is an HDF5 file but holds no attribute schema = {}; name a "
                                    "result file of Mimus",
                                    kSchemaName));
  }
  const std::string version = value_or_empty(attributes, "schema_version");
  if (version != fmt::format("{}", kSchemaVersion)) {
    throw IoError(
        path, fmt::format("has schema version {}, this program reads version {}; read "
                          "it with the Mimus version in its attribute software_version "
                          "(\"{}\")",
                          version, kSchemaVersion, value_or_empty(attributes, "software_version")));
  }
}

}  // namespace

class Reader::Impl {
 public:
  explicit Impl(const std::string& path)
      : path_(path), file_(open_result_file(path)), attributes_(file_->attributes()) {
    check_schema(path, attributes_);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::map<std::string, std::string>& attributes() const { return attributes_; }

  [[nodiscard]] std::string text(const std::string& name) { return file_->text(name); }

  [[nodiscard]] bool contains(const std::string& name) {
    for (const auto* known : {&tables(), &profile_tables()}) {
      const auto found = std::ranges::find(*known, name, &TableInfo::name);
      if (found != known->end()) return file_->rows_of(**found).has_value();
    }
    return false;
  }

  template <class Row>
  [[nodiscard]] std::vector<Row> rows(std::size_t skipped) {
    const auto& table = table_of<Row>();
    const std::size_t bytes = table.info().record_bytes;
    std::vector<std::byte> blank(bytes);
    table.encode(Row{}, blank.data());
    const auto records = file_->records(table.info(), blank, skipped);
    std::vector<Row> rows;
    rows.reserve(records.size() / bytes);
    for (std::size_t at = 0; at < records.size(); at += bytes) {
      rows.push_back(table.decode(records.data() + at));
    }
    return rows;
  }

 private:
  std::string path_;
  std::unique_ptr<ResultFile> file_;
  std::map<std::string, std::string> attributes_;
};

Reader::Reader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;

const std::string& Reader::path() const {
  return impl_->path();
}

std::string Reader::attribute(const std::string& name) const {
  return value_or_empty(impl_->attributes(), name);
}

std::map<std::string, std::string> Reader::attributes() const {
  return impl_->attributes();
}

std::string Reader::resolved_config() const {
  return impl_->text("provenance/config_yaml");
}

std::string Reader::command_line() const {
  return impl_->text("provenance/command_line");
}

bool Reader::recorded(const std::string& table) const {
  return impl_->contains(table);
}

template <class Row>
std::vector<Row> Reader::rows(std::size_t skipped) const {
  return impl_->rows<Row>(skipped);
}

template std::vector<JobRow> Reader::rows(std::size_t) const;
template std::vector<AttemptRow> Reader::rows(std::size_t) const;
template std::vector<PlacementRow> Reader::rows(std::size_t) const;
template std::vector<SuspensionRow> Reader::rows(std::size_t) const;
template std::vector<LimitRow> Reader::rows(std::size_t) const;
template std::vector<StepRow> Reader::rows(std::size_t) const;
template std::vector<EventRow> Reader::rows(std::size_t) const;
template std::vector<DecisionRow> Reader::rows(std::size_t) const;
template std::vector<UtilisationRow> Reader::rows(std::size_t) const;
template std::vector<GpuRow> Reader::rows(std::size_t) const;
template std::vector<NodeStateRow> Reader::rows(std::size_t) const;
template std::vector<NodeRow> Reader::rows(std::size_t) const;
template std::vector<AllocationRow> Reader::rows(std::size_t) const;
template std::vector<TenantRow> Reader::rows(std::size_t) const;
template std::vector<ApplicationRow> Reader::rows(std::size_t) const;
template std::vector<TrialRow> Reader::rows(std::size_t) const;
template std::vector<BaselineRow> Reader::rows(std::size_t) const;
template std::vector<PairRow> Reader::rows(std::size_t) const;
template std::vector<QueueDelayRow> Reader::rows(std::size_t) const;
template std::vector<RankRow> Reader::rows(std::size_t) const;
template std::vector<DeviceSampleRow> Reader::rows(std::size_t) const;
template std::vector<EnergyRow> Reader::rows(std::size_t) const;
template std::vector<CollectiveRow> Reader::rows(std::size_t) const;
template std::vector<KernelTimeRow> Reader::rows(std::size_t) const;
template std::vector<FairnessRow> Reader::rows(std::size_t) const;
template std::vector<FigureRow> Reader::rows(std::size_t) const;
template std::vector<TotalRow> Reader::rows(std::size_t) const;
template std::vector<QuantileRow> Reader::rows(std::size_t) const;
template std::vector<ProfileRow> Reader::rows(std::size_t) const;
template std::vector<ProfilePairRow> Reader::rows(std::size_t) const;
template std::vector<ProfileLinkRow> Reader::rows(std::size_t) const;

}  // namespace mimus::results
