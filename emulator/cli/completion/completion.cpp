// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/cli/completion/candidates.hpp"
#include "emulator/cli/text/one_of.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_completions();
}  // namespace mimus::embedded

namespace mimus::emulator::cli {
namespace {

constexpr const char* kCompletionExamples =
    "  source <(mimus completion bash)     in ~/.bashrc\n"
    "  source <(mimus completion zsh)      in ~/.zshrc, after compinit\n"
    "  mimus completion candidates -- run --    what the shells ask: words, then what they mean";

struct CompletionArguments {
  std::string shell;
  std::vector<std::string> words;
};

std::string script(const std::string& shell) {
  for (const auto& [file, text] : embedded::embedded_completions()) {
    if (file.ends_with("mimus." + shell)) return std::string(text);
  }
  throw InternalError("the completion of " + shell + " was not compiled in");
}

/// Directives first, then one word and its summary per line.
std::string as_lines(const Candidates& found) {
  std::string text;
  if (found.goes_on) text += ":goes-on\n";
  if (found.paths == Candidates::Paths::files) text += ":files\n";
  if (found.paths == Candidates::Paths::folders) text += ":folders\n";
  for (const Candidate& candidate : found.words) {
    text += fmt::format("{}\t{}\n", candidate.word, candidate.summary);
  }
  return text;
}

int completion(const CompletionArguments& arguments, const CLI::App& root) {
  const bool asked = arguments.shell == "candidates";
  print(asked ? as_lines(complete(root, arguments.words)) : script(arguments.shell));
  return 0;
}

}  // namespace

Verb add_completion(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<CompletionArguments>();
  CLI::App* verb = add_verb(app, session, "completion", "Print the completion script of a shell.",
                            kCompletionExamples);
  verb->add_option("SHELL", arguments->shell, "bash or zsh; candidates: used by their scripts")
      ->required()
      ->check(one_of({"bash", "zsh", "candidates"}));
  verb->add_option("WORD", arguments->words, "with candidates, after --: the words so far");
  return {verb, [arguments, &app] { return completion(*arguments, app); }};
}

}  // namespace mimus::emulator::cli
