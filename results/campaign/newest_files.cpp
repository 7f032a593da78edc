// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/campaign/newest_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "results/campaign/last_run.hpp"
#include "results/file/reader.hpp"

namespace mimus::results {

namespace {

namespace fs = std::filesystem;

/// When a file was written. Its date has whole seconds, in which many runs of a virtual cell fit.
/// The time stamp of the file system distinguishes these.
using Written = std::pair<std::string, fs::file_time_type>;

struct FileOfCell {
  std::string path;
  std::string repetition;
  std::string configuration;
  bool ran_last = false;  ///< belongs to a cell of the last run
  Written written;

  /// Files of the last run take precedence; among the others, the file that was written last.
  [[nodiscard]] auto rank() const { return std::tie(ran_last, written); }
};

/// The files of one label: those of its present configuration, and whether it had another one
/// before.
struct LabelFiles {
  std::vector<FileOfCell> kept;
  bool changed = false;

  [[nodiscard]] bool ran_last() const { return kept.front().ran_last; }
};

using FilesByLabel = std::map<std::string, std::vector<FileOfCell>>;
using CampaignInFolder = std::pair<std::string, std::string>;

/// The configuration without keys that change no result. `config_hash` leaves them out, too.
std::string relevant(const std::string& config) {
  std::istringstream lines(config);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("stage_timeout:") == std::string::npos) text += line + "\n";
  }
  return text;
}

struct CampaignFiles {
  std::set<std::string> last_run;
  FilesByLabel by_label;
};
using Campaigns = std::map<CampaignInFolder, CampaignFiles>;

/// Returns the present name of the file, because it loses its suffix when it is completed. Returns
/// nothing for a profile.
std::optional<std::string> add_file(const std::string& named, Campaigns& campaigns) {
  const std::string path = fs::exists(named) ? named : fs::path(named).replace_extension().string();
  const Reader reader(path);
  if (reader.attribute("kind") == "profile") return std::nullopt;
  std::error_code gone;
  const CampaignInFolder place{fs::path(path).parent_path().string(), reader.attribute("campaign")};
  const std::string label = reader.attribute("label");
  const auto [at, fresh] = campaigns.try_emplace(place);
  CampaignFiles& files = at->second;
  if (fresh) files.last_run = last_run(place.first, place.second);
  const bool ran_last = files.last_run.count(without_number(reader.attribute("cell"))) > 0;
  files.by_label[label.empty() ? path : label].push_back(
      {path,
       reader.attribute("repetition"),
       relevant(reader.resolved_config()),
       ran_last,
       {reader.attribute("date"), fs::last_write_time(path, gone)}});
  return path;
}

LabelFiles newest_of_label(std::vector<FileOfCell> files) {
  std::sort(files.begin(), files.end(),
            [](const FileOfCell& a, const FileOfCell& b) { return a.rank() > b.rank(); });
  LabelFiles found;
  std::set<std::string> repetitions;
  for (const FileOfCell& file : files) {
    const bool same = file.configuration == files.front().configuration;
    found.changed = found.changed || !same;
    if (same && repetitions.insert(file.repetition).second) found.kept.push_back(file);
  }
  return found;
}

/// When the present configuration began, as far as the files show it. Nothing if it never changed.
std::optional<Written> began(const std::vector<LabelFiles>& labels) {
  std::optional<Written> first;
  for (const LabelFiles& label : labels) {
    if (!label.changed) continue;
    const Written& own = label.kept.back().written;
    first = first ? std::min(*first, own) : own;
  }
  return first;
}

std::set<std::string> newest_of(const FilesByLabel& by_label) {
  std::vector<LabelFiles> labels;
  for (const auto& [label, files] : by_label) labels.push_back(newest_of_label(files));
  const std::optional<Written> change = began(labels);
  const bool last_run_is_known =
      std::any_of(labels.begin(), labels.end(), [](const auto& label) { return label.ran_last(); });
  std::set<std::string> paths;
  for (const LabelFiles& label : labels) {
    const bool is_older = !label.changed && change && label.kept.front().written < *change;
    const bool is_other = last_run_is_known ? change && !label.ran_last() : is_older;
    if (is_other) continue;
    for (const FileOfCell& file : label.kept) paths.insert(file.path);
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
      if (auto present = add_file(path, campaigns)) readable.push_back(std::move(*present));
    } catch (const Error& error) {
      out.refusals.emplace_back(error.what());
    }
  }
  std::set<std::string> newest;
  for (const auto& [place, files] : campaigns) newest.merge(newest_of(files.by_label));
  for (const std::string& path : readable) {
    (newest.count(path) > 0 ? out.newest : out.others).push_back(path);
  }
  return out;
}

}  // namespace mimus::results
