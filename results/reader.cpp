// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/reader.hpp"

#include <chrono>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "base/error.hpp"
#include "results/file_lock.hpp"
#include "results/h5_table.hpp"

namespace mimus::results {

namespace {

void require_file(const std::string& path) {
  if (std::filesystem::is_regular_file(path)) return;
  const std::string part = path + ".part";
  if (std::filesystem::exists(part)) {
    throw IoError(path,
                  fmt::format("is not complete yet; what there is so far stands in {}", part));
  }
  throw IoError(path, "is not a file; name a result file (.h5 or .h5.part)");
}

H5File open_result(const std::string& path) {
  require_file(path);
  silence_h5_errors();
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    throw IoError(path,
                  "is not an HDF5 file, or its writer died before its first flush; name a result "
                  "file of Mimus");
  }
  return H5File::open_read_only(path);
}

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

// Between two flushes a growing file is whole. A reader that meets a flush looks again, from the
// start, as what it has cached may be half old and half new.
template <class Action>
auto with_retries(const std::string& path, H5File& file, Action action) {
  constexpr int kAttempts = 50;  // 1 s: a flush may wait for a busy disk
  for (int attempt = 1;; ++attempt) {
    try {
      if (attempt > 1) {
        file = H5File();           // a file that is still open would be shared, cache and all
        file = open_result(path);  // which may meet a flush itself
      }
      return action(file);
    } catch (const IoError&) {
      if (attempt == kAttempts || !is_being_written(path)) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

H5File open_with_retries(const std::string& path) {
  H5File file;
  return with_retries(path, file, [&](const H5File&) { return open_result(path); });
}

}  // namespace

class Reader::Impl {
 public:
  explicit Impl(const std::string& path)
      : path_(path),
        file_(open_with_retries(path)),
        attributes_(with_retries(path, file_, [](const H5File& f) { return f.attributes(); })) {
    check_schema(path, attributes_);
  }

  [[nodiscard]] const std::map<std::string, std::string>& attributes() const { return attributes_; }

  [[nodiscard]] std::string text(const std::string& name) {
    return with_retries(path_, file_, [&](const H5File& f) { return f.read_text(name); });
  }

  [[nodiscard]] bool contains(const std::string& name) const { return file_.contains(name); }

  template <class Row>
  [[nodiscard]] std::vector<Row> rows(std::size_t skipped) {
    const auto& table = table_of<Row>();
    const std::size_t bytes = table.info().record_bytes;
    std::vector<std::byte> blank(bytes);
    table.encode(Row{}, blank.data());
    const auto records = with_retries(path_, file_, [&](const H5File& f) {
      return read_records(f, table.info(), blank, skipped);
    });
    std::vector<Row> rows;
    rows.reserve(records.size() / bytes);
    for (std::size_t at = 0; at < records.size(); at += bytes) {
      rows.push_back(table.decode(records.data() + at));
    }
    return rows;
  }

 private:
  std::string path_;
  H5File file_;
  std::map<std::string, std::string> attributes_;
};

Reader::Reader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;

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
template std::vector<StepRow> Reader::rows(std::size_t) const;
template std::vector<EventRow> Reader::rows(std::size_t) const;
template std::vector<DecisionRow> Reader::rows(std::size_t) const;
template std::vector<UtilisationRow> Reader::rows(std::size_t) const;
template std::vector<GpuRow> Reader::rows(std::size_t) const;
template std::vector<BaselineRow> Reader::rows(std::size_t) const;
template std::vector<PairRow> Reader::rows(std::size_t) const;
template std::vector<QueueDelayRow> Reader::rows(std::size_t) const;
template std::vector<RankRow> Reader::rows(std::size_t) const;
template std::vector<DeviceSampleRow> Reader::rows(std::size_t) const;
template std::vector<EnergyRow> Reader::rows(std::size_t) const;
template std::vector<CollectiveRow> Reader::rows(std::size_t) const;
template std::vector<KernelTimeRow> Reader::rows(std::size_t) const;
template std::vector<TotalRow> Reader::rows(std::size_t) const;
template std::vector<QuantileRow> Reader::rows(std::size_t) const;
template std::vector<ProfileRow> Reader::rows(std::size_t) const;
template std::vector<ProfilePairRow> Reader::rows(std::size_t) const;

}  // namespace mimus::results
