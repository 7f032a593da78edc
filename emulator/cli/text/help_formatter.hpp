// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace mimus::emulator::cli {

/// Options every command has; shown after its own.
inline constexpr const char* kGeneralGroup = "General";

/// Help texts with the examples first: summary, examples (the footer of a CLI::App), usage,
/// arguments, verbs, options by group.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  [[nodiscard]] std::string make_help(const CLI::App* app, std::string name,
                                      CLI::AppFormatMode mode) const override;
  [[nodiscard]] std::string make_option_groups(const CLI::App* app) const;
  [[nodiscard]] std::string make_usage(const CLI::App* app, std::string name) const override;
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace mimus::emulator::cli
