// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/completion/candidates.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "emulator/cli/completion/values.hpp"

namespace mimus::emulator::cli {
namespace {

bool is_option_word(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

/// The option `--set` or `-j`, or nullptr.
const CLI::Option* option_named(const CLI::App& app, const std::string& word) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional() && option->check_name(word)) return option;
  }
  return nullptr;
}

const CLI::App* verb_named(const CLI::App& app, const std::string& word) {
  const auto verbs =
      app.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == word; });
  return verbs.empty() ? nullptr : verbs.front();
}

/// Reads the words before the cursor like the parser, but ignores what is missing.
class Scan {
 public:
  explicit Scan(const CLI::App& root) : app_(&root) {}

  void read(const std::string& word) {
    if (pending_ != nullptr) {
      pending_ = nullptr;
    } else if (!only_arguments_ && word == "--") {
      only_arguments_ = true;
    } else if (!only_arguments_ && is_option_word(word)) {
      read_option(word);
    } else if (const CLI::App* verb = verb_named(*app_, word); verb && arguments_.empty()) {
      app_ = verb;
    } else {
      arguments_.push_back(word);
    }
  }

  [[nodiscard]] const CLI::App& app() const { return *app_; }
  /// The option whose value comes next, or nullptr.
  [[nodiscard]] const CLI::Option* pending() const { return pending_; }
  [[nodiscard]] const std::vector<std::string>& arguments() const { return arguments_; }
  [[nodiscard]] bool takes_options() const { return !only_arguments_; }

 private:
  void read_option(const std::string& word) {
    if (word.find('=') != std::string::npos) return;
    const CLI::Option* option = option_named(*app_, word);
    if (option != nullptr && takes_value(*option)) pending_ = option;
  }

  const CLI::App* app_;
  const CLI::Option* pending_ = nullptr;
  std::vector<std::string> arguments_;
  bool only_arguments_ = false;
};

/// The positional argument that comes next. The last one may be repeated.
const CLI::Option* next_argument(const Scan& scan) {
  const auto positional =
      scan.app().get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (positional.empty()) return nullptr;
  if (scan.arguments().size() < positional.size()) return positional[scan.arguments().size()];
  return positional.back()->get_items_expected_max() > 1 ? positional.back() : nullptr;
}

std::vector<Candidate> option_words(const CLI::App& app) {
  std::vector<Candidate> words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      words.push_back({"--" + name, option->get_description()});
    }
  }
  return words;
}

std::vector<Candidate> verb_words(const CLI::App& app) {
  std::vector<Candidate> words;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back({verb->get_name(), verb->get_description()});
  }
  return words;
}

Candidates value_candidates(const Scan& scan, const CLI::Option& option, const std::string& text) {
  try {
    return option_values({scan.app(), option, scan.arguments(), text});
  } catch (const Error&) {
    return {};  // no suggestions from a campaign that cannot be read
  }
}

void keep_matching(Candidates& found, const std::string& prefix) {
  std::erase_if(found.words, [&](const Candidate& c) { return !c.word.starts_with(prefix); });
}

/// For `--option=value`. The candidates contain the option, because the shell replaces the whole
/// word.
Candidates after_equals(const Scan& scan, const std::string& word) {
  const std::size_t equals = word.find('=');
  const CLI::Option* option = option_named(scan.app(), word.substr(0, equals));
  if (option == nullptr || !takes_value(*option)) return {};
  const std::string text = word.substr(equals + 1);
  Candidates found = value_candidates(scan, *option, text);
  keep_matching(found, text);
  for (Candidate& candidate : found.words) {
    candidate.word = word.substr(0, equals + 1) + candidate.word;
  }
  return found;
}

}  // namespace

Candidates complete(const CLI::App& root, const std::vector<std::string>& words) {
  const std::string prefix = words.empty() ? "" : words.back();
  Scan scan(root);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) scan.read(words[i]);
  Candidates found;
  if (scan.pending() != nullptr) {
    found = value_candidates(scan, *scan.pending(), prefix);
  } else if (scan.takes_options() && prefix.starts_with("--") &&
             prefix.find('=') != std::string::npos) {
    return after_equals(scan, prefix);
  } else if (scan.takes_options() && prefix.starts_with("-")) {
    found.words = option_words(scan.app());
  } else if (scan.app().get_require_subcommand_min() > 0 && scan.arguments().empty()) {
    found.words = verb_words(scan.app());
  } else if (const CLI::Option* argument = next_argument(scan)) {
    found = value_candidates(scan, *argument, prefix);
  }
  keep_matching(found, prefix);
  return found;
}

}  // namespace mimus::emulator::cli
