// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"
#include "workloads/traces/public_traces.hpp"

namespace mimus::emulator::cli {
namespace {

using workloads::PublicTrace;

constexpr const char* kWorkloadGetExamples =
    "  mimus workload get                  the public traces that Mimus reads\n"
    "  mimus workload get philly           where one lives, and the commands to fetch and convert "
    "it\n"
    "Nothing is downloaded: the commands are for you to read and run.";

std::string all_public_traces(const std::vector<PublicTrace>& traces, int width) {
  TextTable table({{"trace"}, {"what"}, {"licence"}, {"where"}});
  for (const PublicTrace& trace : traces) {
    table.add_row({trace.name, trace.title, trace.licence, trace.home});
  }
  return table.render(width);
}

std::string commands(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += fmt::format("    {}\n", line);
  return out;
}

std::string one_public_trace(const PublicTrace& trace) {
  std::string out =
      fmt::format("{}: {}\nwhere    {}\nlicence  {}\ncite     {}\nsize     {}\n", trace.name,
                  trace.title, trace.home, trace.licence, trace.paper, trace.size);
  out += fmt::format("source   {}\n", fmt::join(trace.sources, ", "));
  if (!trace.note.empty()) out += fmt::format("note     {}\n", trace.note);
  return out + "\nFetch it:\n" + commands(trace.fetch) + "\nMake a workload of it:\n" +
         commands(trace.use);
}

int get(const std::string& name) {
  const std::vector<PublicTrace> traces = workloads::public_traces();
  if (name.empty()) {
    print(all_public_traces(traces, terminal_width()));
    return 0;
  }
  std::vector<std::string> names;
  for (const PublicTrace& trace : traces) {
    names.push_back(trace.name);
    if (trace.name != name) continue;
    print(one_public_trace(trace));
    return 0;
  }
  throw UsageError(unknown_name_message("public trace", name, names));
}

}  // namespace

Verb add_workload_get(CLI::App& workload, Session& session) {
  auto name = std::make_shared<std::string>();
  CLI::App* verb =
      add_verb(workload, session, "get",
               "Print where a public trace is published, and how to fetch and convert it.",
               kWorkloadGetExamples);
  verb->add_option("TRACE", *name, "name of the trace; without one, list all");
  return {verb, [name] { return get(*name); }};
}

}  // namespace mimus::emulator::cli
