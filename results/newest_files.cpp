// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/newest_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "results/reader.hpp"

namespace mimus::results {

namespace {

namespace fs = std::filesystem;

/// When a file was written. Its date has whole seconds, in which a virtual cell is done many times
/// over; the clock of the file system tells those apart.
using Written = std::pair<std::string, fs::file_time_type>;

struct ResultFile {
  std::string path;
  std::string repetition;
  std::string configuration;
  Written written;
};

/// The files of one label: those of its newest configuration, and whether it had another.
struct LabelFiles {
  std::vector<ResultFile> kept;
  bool changed = false;
};

using FilesByLabel = std::map<std::string, std::vector<ResultFile>>;
using CampaignInFolder = std::pair<std::string, std::string>;

/// Without what changes no result: it is no part of `config_hash` either.
std::string relevant(const std::string& config) {
  std::istringstream lines(config);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("stage_timeout:") == std::string::npos) text += line + "\n";
  }
  return text;
}

using Campaigns = std::map<CampaignInFolder, FilesByLabel>;

/// Returns the file's present name: when it is completed it loses its end.
std::string add_file(const std::string& named, Campaigns& campaigns) {
  const std::string path = fs::exists(named) ? named : fs::path(named).replace_extension().string();
  const Reader reader(path);
  std::error_code gone;
  const CampaignInFolder place{fs::path(path).parent_path().string(), reader.attribute("campaign")};
  const std::string label = reader.attribute("label");
  campaigns[place][label.empty() ? path : label].push_back(
      {path,
       reader.attribute("repetition"),
       relevant(reader.resolved_config()),
       {reader.attribute("date"), fs::last_write_time(path, gone)}});
  return path;
}

LabelFiles newest_of_label(std::vector<ResultFile> files) {
  std::sort(files.begin(), files.end(),
            [](const ResultFile& a, const ResultFile& b) { return a.written > b.written; });
  LabelFiles found;
  std::set<std::string> repetitions;
  for (const ResultFile& file : files) {
    const bool same = file.configuration == files.front().configuration;
    found.changed = found.changed || !same;
    if (same && repetitions.insert(file.repetition).second) found.kept.push_back(file);
  }
  return found;
}

std::set<std::string> newest_of(const FilesByLabel& labels) {
  std::vector<LabelFiles> found;
  std::optional<Written> began;
  for (const auto& [label, files] : labels) {
    found.push_back(newest_of_label(files));
    if (!found.back().changed) continue;
    const Written& first = found.back().kept.back().written;
    began = began ? std::min(*began, first) : first;
  }
  std::set<std::string> paths;
  for (const LabelFiles& label : found) {
    const bool is_older = began && !label.changed && label.kept.front().written < *began;
    if (is_older) continue;
    for (const ResultFile& file : label.kept) paths.insert(file.path);
  }
  return paths;
}

}  // namespace

FilesByConfiguration by_configuration(const std::vector<std::string>& paths) {
  FilesByConfiguration out;
  Campaigns campaigns;
  std::vector<std::string> readable;
  for (const std::string& path : paths) {
    try {
      readable.push_back(add_file(path, campaigns));
    } catch (const Error& error) {
      out.refusals.emplace_back(error.what());
    }
  }
  std::set<std::string> newest;
  for (const auto& [place, labels] : campaigns) newest.merge(newest_of(labels));
  for (const std::string& path : readable) {
    (newest.count(path) > 0 ? out.newest : out.others).push_back(path);
  }
  return out;
}

}  // namespace mimus::results
