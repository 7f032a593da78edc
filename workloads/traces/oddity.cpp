// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/oddity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::workloads {
namespace {

constexpr std::array kNeverStarted{
    Remedy{"drop", "no start was recorded"},
    Remedy{"from_submit", "no start was recorded; the run time is counted from the submission"}};
constexpr std::array kZeroGpus{Remedy{"drop", "no GPU was asked for"},
                               Remedy{"one", "no GPU was asked for; given one"},
                               Remedy{"keep", "no GPU was asked for; kept, with its cores only"}};
constexpr std::array kMissingEnd{
    Remedy{"drop", "no end was recorded"},
    Remedy{"until_last", "no end was recorded; taken to end at the last time in the trace"}};
constexpr std::array kNegativeRunTime{Remedy{"drop", "the end lies before the start"}};
constexpr std::array kZeroRunTime{
    Remedy{"drop", "the run time is zero"},
    Remedy{"one_second", "the run time is zero; taken as one second"}};
constexpr std::array kNegativeWait{
    Remedy{"keep", "the start lies before the submission; both kept, arrival is the submission"},
    Remedy{"at_start", "the start lies before the submission; arrival is the start"},
    Remedy{"drop", "the start lies before the submission"}};
constexpr std::array kFractionalGang{
    Remedy{"pack", "parts of GPUs in a gang; given the sum, rounded up to whole GPUs"},
    Remedy{"own_gpus", "parts of GPUs in a gang; each instance is given whole GPUs"},
    Remedy{"drop", "parts of GPUs in a gang"}};
constexpr std::array kDuplicateId{
    Remedy{"keep", "an earlier job has the same id; kept as a separate job"},
    Remedy{"drop", "an earlier job has the same id"}};
constexpr std::array kUnsorted{
    Remedy{"sort", "submitted before the row above; put in order of submission"}};

constexpr std::array<OddityRule, kOddities> kRules{{
    {Oddity::never_started, "never_started", "never_started", "jobs without a start",
     kNeverStarted},
    {Oddity::zero_gpus, "zero_gpus", "zero_gpus", "jobs that ask for no GPU", kZeroGpus},
    {Oddity::missing_end, "missing_end", "missing_end", "jobs that started but have no end",
     kMissingEnd},
    {Oddity::negative_run_time, "negative_run_time", "", "jobs that end before they start",
     kNegativeRunTime},
    {Oddity::zero_run_time, "zero_run_time", "zero_run_time", "jobs that end as they start",
     kZeroRunTime},
    {Oddity::negative_wait, "negative_wait", "negative_wait",
     "jobs that start before they are submitted", kNegativeWait},
    {Oddity::fractional_gang, "fractional_gangs", "fractional_gangs",
     "jobs with several instances, or above one GPU, that ask for parts of GPUs", kFractionalGang},
    {Oddity::duplicate_id, "duplicate_ids", "duplicate_ids", "ids that an earlier job has",
     kDuplicateId},
    {Oddity::unsorted, "unsorted", "", "rows submitted before the row above them", kUnsorted},
}};

/// The value of an option, as an index into the rule's remedies.
Field<OddityPolicy> option_field(const OddityRule& rule) {
  Words<std::size_t> values{};
  for (const Remedy& remedy : rule.remedies) {
    values.words.emplace_back(remedy.value);
    values.values.push_back(values.values.size());
  }
  const Param<std::size_t, Words<std::size_t>> option(
      std::string(rule.option), 0, values, fmt::format("what to do with {}", rule.summary));
  return {option.info(), [option, oddity = rule.oddity](YamlReader& reader, OddityPolicy& policy) {
            policy.choose(oddity, option.read(reader));
          }};
}

}  // namespace

std::span<const OddityRule> oddity_rules() {
  return kRules;
}

const OddityRule& rule_for(Oddity oddity) {
  return kRules[static_cast<std::size_t>(oddity)];
}

bool OddityPolicy::is(Oddity oddity, std::string_view value) const {
  return rule_for(oddity).remedies[chosen_[static_cast<std::size_t>(oddity)]].value == value;
}

std::string_view OddityPolicy::meaning(Oddity oddity) const {
  return rule_for(oddity).remedies[chosen_[static_cast<std::size_t>(oddity)]].meaning;
}

std::string OddityPolicy::text() const {
  return fmt::format("{}", fmt::join(chosen_, ","));
}

Fields<OddityPolicy> oddity_fields(const std::vector<Oddity>& possible) {
  Fields<OddityPolicy> fields;
  for (const Oddity oddity : possible) {
    const OddityRule& rule = rule_for(oddity);
    if (!rule.option.empty()) fields.push_back(option_field(rule));
  }
  return fields;
}

}  // namespace mimus::workloads
