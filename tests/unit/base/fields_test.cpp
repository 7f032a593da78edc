// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"

#include <gtest/gtest.h>

#include "tests/unit/base/message_of.hpp"

namespace mimus {
namespace {

struct Tent {
  enum class Colour { red, green };
  struct Settings {
    int poles = 2;
    double height = 1.5;
    Duration dries{std::chrono::seconds(90)};
    std::optional<Bytes> print;
    bool floor = true;
    Colour colour = Colour::green;
    std::vector<Colour> stripes{Colour::red};
    std::map<std::string, int> pegs;
  };
  explicit Tent(Settings all) : settings(std::move(all)) {}
  Settings settings;
};

Choice<Tent> tent() {
  using S = Tent::Settings;
  const Domain<Tent::Colour> colours{{"red", Tent::Colour::red}, {"green", Tent::Colour::green}};
  return choice<Tent, Tent>(
      "tent", "sleeps two",
      {field("poles", &S::poles, between(1, 8), "of aluminium"),
       field("height", &S::height, kPositive, "inside"),
       field("dries", &S::dries, at_least(1), "in the sun"),
       field("print", &S::print, kPositive, "of its picture"), field("floor", &S::floor, "sewn in"),
       field("colour", &S::colour, colours, "outside"),
       field("stripes", &S::stripes, colours, "on it"),
       required_field("pegs", &S::pegs, kNotNegative, "by kind").beyond("as many as corners")});
}

Tent made(const std::string& yaml) {
  const Registry<Tent> table("shelter", {tent()});
  return *table.make(parse_yaml(yaml, "t.yaml"), "shelter");
}

std::string refusal(const std::string& more) {
  return test::message_of([&] { (void)made("{name: tent, pegs: {}" + more + "}"); });
}

TEST(Fields, TakeTheMembersInitialValueForTheDefault) {
  const Tent tent = made("{name: tent, pegs: {long: 4}}");
  EXPECT_EQ(tent.settings.poles, 2);
  EXPECT_EQ(tent.settings.dries, std::chrono::seconds(90));
  EXPECT_EQ(tent.settings.print, std::nullopt);
  EXPECT_EQ(tent.settings.stripes, std::vector{Tent::Colour::red});
  EXPECT_EQ(tent.settings.pegs.at("long"), 4);
}

TEST(Fields, ReadWhatIsGiven) {
  const Tent tent = made(
      "{name: tent, poles: 3, height: 2, dries: 2 h, print: 1 MB, floor: false, colour: red, "
      "stripes: [green, red], pegs: {}}");
  EXPECT_EQ(tent.settings.poles, 3);
  EXPECT_EQ(tent.settings.height, 2.0);
  EXPECT_EQ(tent.settings.dries, std::chrono::hours(2));
  EXPECT_EQ(tent.settings.print, Bytes{1e6});
  EXPECT_FALSE(tent.settings.floor);
  EXPECT_EQ(tent.settings.colour, Tent::Colour::red);
  EXPECT_EQ(tent.settings.stripes, (std::vector{Tent::Colour::green, Tent::Colour::red}));
}

TEST(Fields, SayOfTheKeyWhatTheyReadItWith) {
  const auto parameters = tent().parameters;
  const auto shown = [&](std::size_t i) {
    const ParameterInfo& p = parameters[i];
    return p.name + "|" + p.type() + "|" + p.default_value + "|" + p.range();
  };
  EXPECT_EQ(shown(0), "poles|integer|2|>= 1 and <= 8");
  EXPECT_EQ(shown(1), "height|number|1.5|> 0");
  EXPECT_EQ(shown(2), "dries|duration|90 s|>= 1 s");
  EXPECT_EQ(shown(3), "print|memory|-|> 0");
  EXPECT_EQ(shown(4), "floor|boolean|true|true, false");
  EXPECT_EQ(shown(5), "colour|text|green|red, green");
  EXPECT_EQ(shown(6), "stripes|list of text|[red]|red, green");
  EXPECT_EQ(shown(7), "pegs|mapping||as many as corners");
}

TEST(Fields, RefuseWhatTheyDoNotAllow) {
  EXPECT_EQ(refusal(", poles: 9"),
            "t.yaml:1:31: shelter.poles: expected an integer >= 1 and <= 8, got \"9\"");
  EXPECT_EQ(refusal(", colour: grean"),
            "t.yaml:1:32: shelter.colour: unknown value \"grean\"; did you mean \"green\"? "
            "allowed: red, green");
  EXPECT_EQ(refusal(", stripes: [red, red]"), "t.yaml:1:33: shelter.stripes: names \"red\" twice");
  EXPECT_EQ(test::message_of([] { (void)made("tent"); }),
            "t.yaml:1:1: shelter: missing required key \"pegs\"");
}

TEST(ValueText, ReadsBackAsTheSameValue) {
  EXPECT_EQ(value_text(Duration{std::chrono::seconds(600)}), "600 s");
  EXPECT_EQ(value_text(Duration{std::chrono::hours(48)}), "2 d");
  EXPECT_EQ(value_text(Duration{std::chrono::milliseconds(480'667)}), "480.667 s");
  EXPECT_EQ(value_text(Duration{std::chrono::milliseconds(25)}), "25 ms");
  EXPECT_EQ(value_text(Duration{1}), "1 ns");
  EXPECT_EQ(value_text(BytesPerSecond{1e9}), "1 GB/s");
  EXPECT_EQ(value_text(1e-6), "1e-06");
  EXPECT_EQ(value_text(1e6), "1000000");
}

}  // namespace
}  // namespace mimus
