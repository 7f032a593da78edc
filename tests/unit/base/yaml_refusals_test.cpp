// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The exact messages for wrong input.
#include <gtest/gtest.h>

#include "base/yaml_reader.hpp"
#include "tests/unit/base/message_of.hpp"

namespace mimus {
namespace {

struct Refusal {
  const char* yaml;
  void (*read)(YamlReader&);
  const char* message;
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.yaml;
}

template <class T>
void read(YamlReader& reader) {
  (void)reader.get<T>("k");
}

class Refusals : public testing::TestWithParam<Refusal> {};

TEST_P(Refusals, NamePlacePathValueAndWhatIsAllowed) {
  const ConfigNode root = parse_yaml(GetParam().yaml, "r.yaml");
  EXPECT_EQ(test::message_of([&] {
              YamlReader reader(root, "job");
              GetParam().read(reader);
              reader.finish();
            }),
            GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, Refusals,
    testing::Values(
        Refusal{"{k: 010}", read<std::int64_t>,
                "r.yaml:1:5: job.k: expected an integer, got \"010\""},
        Refusal{"{k: 0x10}", read<std::int64_t>,
                "r.yaml:1:5: job.k: expected an integer, got \"0x10\""},
        Refusal{"{k: 1.0}", read<std::int64_t>,
                "r.yaml:1:5: job.k: expected an integer, got \"1.0\""},
        Refusal{"{k: \"3\"}", read<std::int64_t>,
                "r.yaml:1:5: job.k: expected an integer, got \"3\""},
        Refusal{"{k: [3]}", read<std::int64_t>,
                "r.yaml:1:5: job.k: expected an integer, got a list"},
        Refusal{"{k: {a: 3}}", read<std::int64_t>,
                "r.yaml:1:5: job.k: expected an integer, got a mapping"},
        Refusal{"{k: .nan}", read<double>, "r.yaml:1:5: job.k: expected a number, got \".nan\""},
        Refusal{"{k: 3 s}", read<double>, "r.yaml:1:5: job.k: expected a number, got \"3 s\""},
        Refusal{"{k: 0}", [](YamlReader& r) { (void)r.get<std::int64_t>("k", kAtLeastOne); },
                "r.yaml:1:5: job.k: expected an integer >= 1, got \"0\""},
        Refusal{"{k: 0}", [](YamlReader& r) { (void)r.get<double>("k", kPositive); },
                "r.yaml:1:5: job.k: expected a number > 0, got \"0\""},
        Refusal{"{k: 1.5}", [](YamlReader& r) { (void)r.get<double>("k", kFraction); },
                "r.yaml:1:5: job.k: expected a number >= 0 and <= 1, got \"1.5\""},
        Refusal{"{k: 5}", [](YamlReader& r) { (void)r.get<double>("k", {.max = 4.0}); },
                "r.yaml:1:5: job.k: expected a number <= 4, got \"5\""}));

INSTANTIATE_TEST_SUITE_P(
    Booleans, Refusals,
    testing::Values(
        Refusal{"{k: yes}", read<bool>, "r.yaml:1:5: job.k: expected true or false, got \"yes\""},
        Refusal{"{k: True}", read<bool>, "r.yaml:1:5: job.k: expected true or false, got \"True\""},
        Refusal{"{k: 1}", read<bool>, "r.yaml:1:5: job.k: expected true or false, got \"1\""},
        Refusal{"{k: \"true\"}", read<bool>,
                "r.yaml:1:5: job.k: expected true or false, got \"true\""}));

INSTANTIATE_TEST_SUITE_P(
    Quantities, Refusals,
    testing::Values(
        Refusal{
            "{k: 90}", read<Duration>,
            "r.yaml:1:5: job.k: expected a duration with a unit (ns, us, ms, s, min, h, d), got "
            "\"90\""},
        Refusal{"{k: 16 gb}", read<Bytes>,
                "r.yaml:1:5: job.k: expected an amount of memory with a unit (B, kB, MB, GB, TB, "
                "KiB, MiB, GiB, TiB), got \"16 gb\""},
        Refusal{"{k: 25 Gbps}", read<BytesPerSecond>,
                "r.yaml:1:5: job.k: expected a bandwidth with a unit (B/s, kB/s, MB/s, GB/s, TB/s, "
                "MiB/s, GiB/s, Mbit/s, Gbit/s, Tbit/s), got \"25 Gbps\""},
        Refusal{
            "{k: 8 TFLOPS}", read<FlopPerSecond>,
            "r.yaml:1:5: job.k: expected a compute rate with a unit (GFLOP/s, TFLOP/s, PFLOP/s), "
            "got \"8 TFLOPS\""},
        Refusal{"{k: -1 s}", [](YamlReader& r) { (void)r.get<Duration>("k", kNotNegative); },
                "r.yaml:1:5: job.k: expected a duration with a unit (ns, us, ms, s, min, h, d) >= "
                "0, got \"-1 s\""}));

INSTANTIATE_TEST_SUITE_P(
    Keys, Refusals,
    testing::Values(
        Refusal{"{a: 1}", read<std::string>, "r.yaml:1:1: job: missing required key \"k\""},
        Refusal{"{gagn: 1}", [](YamlReader& r) { (void)r.get<std::int64_t>("gang"); },
                "r.yaml:1:8: job: missing required key \"gang\"; did you write \"gagn\" for it?"},
        Refusal{"{k: }", read<std::string>, "r.yaml:1:2: job.k: has no value"},
        Refusal{"{k: ~}", read<std::string>, "r.yaml:1:2: job.k: has no value"},
        Refusal{"{k: [a]}", read<std::string>, "r.yaml:1:5: job.k: expected text, got a list"},
        Refusal{"{k: a, gagn: 3}",
                [](YamlReader& r) {
                  (void)r.get<std::string>("k");
                  (void)r.get_or<std::int64_t>("gang", 1);
                },
                "r.yaml:1:14: job: unknown key \"gagn\"; did you mean \"gang\"? allowed: gang, k"},
        Refusal{"{k: a, zzzzzz: 3}", read<std::string>,
                "r.yaml:1:16: job: unknown key \"zzzzzz\"; allowed: k"},
        Refusal{"{k: lives}",
                [](YamlReader& r) {
                  (void)r.choice("k", {"live", "virtual"});
                },
                "r.yaml:1:5: job.k: unknown value \"lives\"; did you mean \"live\"? allowed: live, "
                "virtual"},
        Refusal{"{k: 3}", [](YamlReader& r) { (void)r.sequence("k"); },
                "r.yaml:1:5: job.k: expected a list, got \"3\""},
        Refusal{"{k: 3}", [](YamlReader& r) { (void)r.map("k"); },
                "r.yaml:1:5: job.k: expected a mapping of keys, got \"3\""},
        Refusal{"[1]", [](YamlReader&) {},
                "r.yaml:1:1: job: expected a mapping of keys, got a list"},
        Refusal{"", [](YamlReader&) {}, "r.yaml: job: expected a mapping of keys, got nothing"}));

}  // namespace
}  // namespace mimus
