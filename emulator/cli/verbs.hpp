// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator::cli {

/// State that all verbs share.
struct Session {
  std::vector<std::string> argv;
  int verbosity = 0;  ///< -1 quiet, 0 normal, 1 and more: detail
};

/// One verb after its options are declared. `action` runs when the verb was given and returns the
/// exit code.
struct Verb {
  CLI::App* app = nullptr;
  std::function<int()> action;
};

// One file each. They declare the verb's options on `app`.
[[nodiscard]] Verb add_run(CLI::App& app, Session& session);
[[nodiscard]] Verb add_new(CLI::App& app, Session& session);
[[nodiscard]] Verb add_expand(CLI::App& app, Session& session);
[[nodiscard]] Verb add_campaign(CLI::App& app, Session& session);
[[nodiscard]] Verb add_validate(CLI::App& app, Session& session);
[[nodiscard]] Verb add_policies(CLI::App& app, Session& session);
[[nodiscard]] Verb add_models(CLI::App& app, Session& session);
[[nodiscard]] Verb add_workload(CLI::App& app, Session& session);
[[nodiscard]] Verb add_summary(CLI::App& app, Session& session);
[[nodiscard]] Verb add_doctor(CLI::App& app, Session& session);
[[nodiscard]] Verb add_bench(CLI::App& app, Session& session);
[[nodiscard]] Verb add_calibrate(CLI::App& app, Session& session);
[[nodiscard]] Verb add_machine(CLI::App& app, Session& session);
[[nodiscard]] Verb add_twin(CLI::App& app, Session& session);
[[nodiscard]] Verb add_submit(CLI::App& app, Session& session);
[[nodiscard]] Verb add_schema(CLI::App& app, Session& session);
[[nodiscard]] Verb add_watch(CLI::App& app, Session& session);
[[nodiscard]] Verb add_report(CLI::App& app, Session& session);
[[nodiscard]] Verb add_export(CLI::App& app, Session& session);
[[nodiscard]] Verb add_completion(CLI::App& app, Session& session);

/// The text of `mimus --version`.
[[nodiscard]] std::string version_text();
/// Name, version and commit: its first line.
[[nodiscard]] std::string program_text();

/// Adds a verb with its one-line summary and examples, and the options that every verb has.
[[nodiscard]] CLI::App* add_verb(CLI::App& app, Session& session, const std::string& name,
                                 const std::string& summary, const std::string& examples);
/// -v, -q and --no-color.
void add_general_options(CLI::App& app, Session& session);

/// The campaign file and its `--set` options.
struct CampaignArguments {
  std::string path;
  std::vector<std::string> settings;
  std::string time_scale;  ///< "" if not given
  std::string engine{};    ///< "" if not given
  /// Throws UsageError for a setting that is not `path=value`.
  [[nodiscard]] std::vector<Override> overrides() const;
};
void add_campaign_options(CLI::App& verb, CampaignArguments& arguments);

/// -o: the folder for the results of a campaign.
void add_output_folder(CLI::App& verb, std::string& folder);

/// --models: model files of the user, and folders of them.
void add_models_option(CLI::App& verb, std::vector<std::string>& paths);

/// "summary (type, range, default value)" without empty parts.
[[nodiscard]] std::string parameter_text(std::string_view summary, std::string_view type,
                                         std::string_view range, std::string_view default_value);

/// Warns of keys without effect, and logs what imports changed; each note once.
void log_notes(const Campaign& campaign);

/// The cell whose id is, or uniquely begins with, `id`. Throws UsageError.
[[nodiscard]] std::size_t find_cell(const std::vector<std::string>& ids, const std::string& id);

}  // namespace mimus::emulator::cli
