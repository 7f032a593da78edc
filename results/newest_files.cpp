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

std::map<CampaignInFolder, FilesByLabel> read_all(const std::vector<std::string>& paths) {
  std::map<CampaignInFolder, FilesByLabel> campaigns;
  for (const std::string& path : paths) {
    const Reader reader(path);
    const CampaignInFolder place{fs::path(path).parent_path().string(),
                                 reader.attribute("campaign")};
    const std::string label = reader.attribute("label");
    campaigns[place][label.empty() ? path : label].push_back(
        {path,
         reader.attribute("repetition"),
         relevant(reader.resolved_config()),
         {reader.attribute("date"), fs::last_write_time(path)}});
  }
  return campaigns;
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
  std::set<std::string> newest;
  for (const auto& [place, labels] : read_all(paths)) newest.merge(newest_of(labels));
  FilesByConfiguration out;
  for (const std::string& path : paths) {
    (newest.count(path) > 0 ? out.newest : out.others).push_back(path);
  }
  return out;
}

}  // namespace mimus::results
