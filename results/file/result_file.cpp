// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/result_file.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "results/file/checksums.hpp"
#include "results/file/file_lock.hpp"
#include "results/file/h5_table.hpp"
#include "results/file/merged_table.hpp"
#include "results/file/reading_child.hpp"

namespace mimus::results {

namespace {

void require_file(const std::string& path) {
  if (std::filesystem::is_regular_file(path)) return;
  const std::string part = path + ".part";
  if (std::filesystem::exists(part)) {
    throw IoError(path, fmt::format("is not complete yet; what exists so far is in {}", part));
  }
  throw IoError(path, "is not a file; name a result file (.h5 or .h5.part)");
}

H5File open_present(const std::string& path) {
  require_file(path);
  silence_h5_errors();
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    throw IoError(path,
                  "is not an HDF5 file, or its writer died before its first flush; name a result "
                  "file of Mimus");
  }
  return H5File::open_read_only(path);
}

class DirectFile final : public ResultFile {
 public:
  explicit DirectFile(std::string path) : path_(std::move(path)) {
    with_retries([](const H5File&) { return true; });
  }

  std::map<std::string, std::string> attributes() override {
    return with_retries([](const H5File& file) { return file.attributes(); });
  }
  std::string text(const std::string& name) override {
    return with_retries([&](const H5File& file) { return file.read_text(name); });
  }
  std::optional<std::uint64_t> rows_of(const TableInfo& table) override {
    return with_retries([&](const H5File& file) { return results::rows_of(file, table); });
  }
  void require_same_columns(const TableInfo& table) override {
    with_retries([&](const H5File& file) {
      results::require_same_columns(file, table);
      return true;
    });
  }
  std::vector<std::byte> records(const TableInfo& table, const std::vector<std::byte>& blank,
                                 std::size_t skipped) override {
    return with_retries(
        [&](const H5File& file) { return read_records(file, table, blank, skipped); });
  }

 private:
  // A growing file is consistent between two flushes. A reader that hits a flush starts again from
  // the beginning, because its cache may be half old and half new.
  template <class Action>
  std::invoke_result_t<Action, const H5File&> with_retries(Action action) {
    constexpr int kAttempts = 50;  // 1 s: a flush may wait for a busy disk
    for (int attempt = 1;; ++attempt) {
      try {
        // HDF5 would share a file that is still open, including its cache.
        if (attempt > 1) file_ = H5File();
        if (!file_.is_open()) file_ = open_present(path_);
        return action(file_);
      } catch (const H5Error& error) {
        if (attempt == kAttempts || !is_being_written(path_)) throw explained(error);
      } catch (const IoError&) {
        if (attempt == kAttempts || !is_being_written(path_)) throw;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  [[nodiscard]] DamagedError explained(const H5Error& error) const {
    const std::string& reason = error.reason();
    const bool says_so = reason.starts_with("is damaged");
    return DamagedError::of(path_, says_so ? reason : "is damaged or was cut off: " + reason);
  }

  std::string path_;
  H5File file_;
};

std::string as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> as_bytes(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::vector<const TableInfo*> all_tables() {
  std::vector<const TableInfo*> all = tables();
  all.insert(all.end(), profile_tables().begin(), profile_tables().end());
  return all;
}

/// Concatenates texts, each one preceded by its length.
std::string pack(const std::map<std::string, std::string>& texts) {
  std::string all;
  for (const auto& [name, value] : texts) {
    all += fmt::format("{} {} {}{}", name.size(), value.size(), name, value);
  }
  return all;
}

std::map<std::string, std::string> unpack(std::string_view all) {
  std::map<std::string, std::string> texts;
  const auto take_number = [&all] {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
    all.remove_prefix(static_cast<std::size_t>(end - all.data()) + 1);
    return number;
  };
  const auto take_text = [&all](std::size_t size) {
    const std::string text(all.substr(0, size));
    all.remove_prefix(size);
    return text;
  };
  while (!all.empty()) {
    const std::size_t name_size = take_number();
    const std::size_t value_size = take_number();
    const std::string name = take_text(name_size);
    texts[name] = take_text(value_size);
  }
  return texts;
}

constexpr const char* kRows = "rows ";  // no attribute of ours begins with this

/// The facts needed of almost every file: its attributes and, as `rows TABLE`, its row counts.
std::map<std::string, std::string> facts_of(DirectFile& file) {
  auto facts = file.attributes();
  for (const TableInfo* table : all_tables()) {
    if (const auto rows = file.rows_of(*table)) {
      facts[kRows + table->name] = fmt::format("{}", *rows);
    }
  }
  return facts;
}

const TableInfo& table_named(const std::string& name) {
  const auto all = all_tables();
  const auto found = std::ranges::find(all, name, &TableInfo::name);
  if (found == all.end()) throw InternalError(fmt::format("no table {}", name));
  return **found;
}

/// Answers requests in the child process.
class Answers {
 public:
  explicit Answers(std::string path) : path_(std::move(path)) {}

  std::string operator()(const std::string& packed) {
    if (!file_) file_ = std::make_shared<DirectFile>(path_);
    auto question = unpack(packed);
    const std::string& what = question["what"];
    if (what == "facts") return pack(facts_of(*file_));
    if (what == "text") return file_->text(question["name"]);
    const TableInfo& table = table_named(question["table"]);
    if (what == "columns") {
      file_->require_same_columns(table);
      return "";
    }
    return as_text(
        file_->records(table, as_bytes(question["blank"]), std::stoull(question["skipped"])));
  }

 private:
  std::string path_;
  std::shared_ptr<DirectFile> file_;
};

class IsolatedFile final : public ResultFile {
 public:
  explicit IsolatedFile(const std::string& path) : path_(path) {
    facts_ = unpack(ask({{"what", "facts"}}));
  }

  std::map<std::string, std::string> attributes() override {
    auto found = facts_;
    std::erase_if(found, [](const auto& fact) { return fact.first.starts_with(kRows); });
    return found;
  }
  std::string text(const std::string& name) override {
    return ask({{"what", "text"}, {"name", name}});
  }
  std::optional<std::uint64_t> rows_of(const TableInfo& table) override {
    const auto found = facts_.find(kRows + table.name);
    if (found == facts_.end()) return std::nullopt;
    return std::stoull(found->second);
  }
  void require_same_columns(const TableInfo& table) override {
    const std::string none = ask({{"what", "columns"}, {"table", table.name}});
  }
  std::vector<std::byte> records(const TableInfo& table, const std::vector<std::byte>& blank,
                                 std::size_t skipped) override {
    if (rows_of(table).value_or(0) <= skipped) return {};
    return as_bytes(ask({{"what", "records"},
                         {"table", table.name},
                         {"blank", as_text(blank)},
                         {"skipped", fmt::format("{}", skipped)}}));
  }

 private:
  std::string ask(const std::map<std::string, std::string>& question) {
    constexpr int kAttempts = 3;
    for (int attempt = 1;; ++attempt) {
      try {
        if (!child_) child_.emplace(path_, Answers(path_));
        return child_->ask(pack(question));
      } catch (const IoError&) {
        child_.reset();  // the cause may be half a flush
        if (attempt == kAttempts || !is_being_written(path_)) throw;
      }
    }
  }

  std::string path_;
  std::optional<ReadingChild> child_;
  std::map<std::string, std::string> facts_;  ///< as they were when the file was opened
};

}  // namespace

std::unique_ptr<ResultFile> open_result_file(const std::string& path) {
  require_file(path);
  if (read_checksums(path)) return std::make_unique<DirectFile>(path);
  return std::make_unique<IsolatedFile>(path);
}

}  // namespace mimus::results
