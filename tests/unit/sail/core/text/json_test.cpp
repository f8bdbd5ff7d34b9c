#include "sail/core/text/json.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

std::string nested(int depth) {
  return std::string(static_cast<size_t>(depth), '[') +
         std::string(static_cast<size_t>(depth), ']');
}

std::string parse_failure(std::string_view text) {
  const auto json = parse_json(text, 1 << 20);
  if (json) return "parsed: " + json->dump();
  EXPECT_EQ(json.error().code, ErrorCode::kParseError);
  return json.error().message;
}

TEST(ParseJson, ReadsEveryKindOfValue) {
  const std::string text =
      R"({"a":[null,true,false,-1,0,18446744073709551615,0.5,"ä\n"],"b":{"c":{}}})";
  const auto json = parse_json(text, text.size());
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(*json, Json::parse(text));
  EXPECT_EQ(json->dump(), text);
}

TEST(ParseJson, HoldsToItsSize) {
  EXPECT_TRUE(parse_json("[1]", 3));
  EXPECT_FALSE(parse_json("[1]", 2));
  EXPECT_FALSE(parse_json("", 0));
}

TEST(ParseJson, HoldsToItsDepth) {
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth), 1 << 20));
  EXPECT_TRUE(parse_json(nested(3), 1 << 20, 3));
  EXPECT_FALSE(parse_json(nested(4), 1 << 20, 3));
  EXPECT_EQ(parse_failure(nested(kMaxJsonDepth + 1)), "the JSON text is nested too deeply");
  EXPECT_EQ(parse_failure(std::string(1 << 20, '[')), "the JSON text is nested too deeply");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  EXPECT_EQ(parse_failure(objects), "the JSON text is nested too deeply");
}

TEST(ParseJson, SaysWhereItStopped) {
  EXPECT_EQ(parse_failure(""), "not valid JSON at line 1, column 1 (byte 1): the text is empty");
  EXPECT_EQ(parse_failure("[1,]"),
            "not valid JSON at line 1, column 4 (byte 4): remove the comma before this bracket");
  EXPECT_EQ(parse_failure("[1] 2"), "not valid JSON at line 1, column 5 (byte 5)");
  EXPECT_THAT(parse_failure("{\"a\": 1 // one\n}"),
              testing::HasSubstr("JSON does not allow comments"));
  EXPECT_THAT(parse_failure("{\n# one\n}"), testing::HasSubstr("line 2, column 1"));
  EXPECT_THAT(parse_failure("{'a': 1}"), testing::HasSubstr("quote strings"));
  EXPECT_THAT(parse_failure("{\"a\": 1"), testing::HasSubstr("the text ends too early"));
  EXPECT_EQ(parse_failure("{\n  \"a\": 1,\n  oops\n}"),
            "not valid JSON at line 3, column 3 (byte 15)");
}

TEST(ParseJson, RefusesWhatIsNoJson) {
  for (const char* text : {"nul",        "NaN",        "[NaN]",     "Infinity",      "-",
                           "01",         "1.",         "+1",        "'a'",           "{a:1}",
                           "[1 2]",      R"({"a" 1})", R"(["\x"])", R"(["\ud800"])", "\"a\nb\"",
                           "[",          "\"",         "// a\n1",   "\xef\xbb\xbf[", "\xff",
                           "[\"\xc3(\"]"}) {
    EXPECT_NE(parse_failure(text).find("not valid JSON"), std::string::npos) << text;
  }
}

TEST(ParseJson, RefusesNumbersPastADouble) {
  EXPECT_NE(parse_failure("[1e999]").find("not valid JSON"), std::string::npos);
  EXPECT_NE(parse_failure("[-1e999]").find("not valid JSON"), std::string::npos);
  // Integers over 64 bits are parsed as doubles, so integer fields refuse them.
  const auto json = parse_json(R"({"n": 18446744073709551616})", 100);
  ASSERT_TRUE(json);
  JsonFields fields(*json, "t");
  fields.integer("n", INT64_MIN, INT64_MAX);
  EXPECT_TRUE(fields.finish());
}

TEST(ParseJson, RefusesAFieldNamedTwice) {
  EXPECT_EQ(parse_failure(R"({"a":1,"b":2,"a":3})"),
            "the JSON text has the key 'a' twice in one object");
  EXPECT_EQ(parse_failure(R"([{"\u001b":1,"\u001b":1}])"),
            "the JSON text has the key '?' twice in one object");
  EXPECT_TRUE(parse_json(R"([{"a":1},{"a":2}])", 100));
}

// The error after reading one field of the text.
template <typename Read>
std::string mistake(const char* text, const Read& read) {
  const Json json = Json::parse(text);
  JsonFields fields(json, "t");
  read(fields);
  const auto error = fields.finish();
  if (!error) return "";
  EXPECT_EQ(error->code, ErrorCode::kInvalidParams);
  return error->message;
}

TEST(ParseJson, AZeroByteIsNoEnd) {
  constexpr std::string_view kText("{}\0{", 4);
  EXPECT_FALSE(parse_json(kText, kText.size()));
  EXPECT_TRUE(parse_json(kText.substr(0, 2), kText.size()));
}

TEST(JsonFields, ReadsWhatIsRight) {
  const Json json = Json::parse(R"({"i":-7,"n":2,"r":0.5,"b":true,"s":"text","p":[3,-4],
      "rect":[-1,2,3,4],"h":"00ff","H":"FFFFFFFFFFFFFFFF","a":[1,2],"o":{"x":1}})");
  JsonFields fields(json, "t");
  EXPECT_EQ(fields.integer("i", -7, 7), -7);
  EXPECT_EQ(fields.number("n", 0, 2), 2.0);
  EXPECT_EQ(fields.number_or("r", 0, 1, 9), 0.5);
  EXPECT_TRUE(fields.boolean_or("b", false));
  EXPECT_EQ(fields.string("s", 4), "text");
  EXPECT_EQ(fields.pair("p", -4, 3), std::pair(3, -4));
  EXPECT_EQ(fields.rect("rect", 2, 4), (Rect{-1, 2, 3, 4}));
  EXPECT_EQ(fields.hex64("h"), 255u);
  EXPECT_EQ(fields.hex64("H"), UINT64_MAX);
  EXPECT_EQ(fields.array("a", 2).size(), 2u);
  EXPECT_EQ(fields.object("o").size(), 1u);
  EXPECT_FALSE(fields.has("none"));
  EXPECT_EQ(fields.integer_or("none", 0, 9, 5), 5);
  EXPECT_EQ(fields.number_or("none", 0, 9, 0.25), 0.25);
  EXPECT_TRUE(fields.boolean_or("none", true));
  EXPECT_EQ(fields.string_or("none", 9, "else"), "else");
  EXPECT_FALSE(fields.finish()) << fields.finish()->message;
}

TEST(JsonFields, NamesTheMistake) {
  const auto integer = [](JsonFields& f) { f.integer("x", -2, 9); };
  for (const char* text : {R"({"x":10})", R"({"x":-3})", R"({"x":1.0})", R"({"x":"1"})",
                           R"({"x":null})", R"({"x":18446744073709551615})", R"({"x":1e300})"}) {
    EXPECT_EQ(mistake(text, integer), "t: 'x' must be a whole number between -2 and 9") << text;
  }
  EXPECT_EQ(mistake("{}", integer), "t: 'x' is missing");
  EXPECT_EQ(mistake("[1]", integer), "t: must be an object");
  EXPECT_EQ(mistake("null", integer), "t: must be an object");

  const auto number = [](JsonFields& f) { f.number("x", 0, 1.5); };
  for (const char* text : {R"({"x":2})", R"({"x":-0.1})", R"({"x":"1"})", R"({"x":[]})"}) {
    EXPECT_EQ(mistake(text, number), "t: 'x' must be a number between 0 and 1.5") << text;
  }
  EXPECT_EQ(mistake(R"({"x":0})", [](JsonFields& f) { f.boolean_or("x", true); }),
            "t: 'x' must be true or false");
  const auto text_field = [](JsonFields& f) { f.string("x", 3); };
  EXPECT_EQ(mistake(R"({"x":"1234"})", text_field), "t: 'x' must be a string of at most 3 bytes");
  EXPECT_EQ(mistake(R"({"x":5})", text_field), "t: 'x' must be a string of at most 3 bytes");
  EXPECT_EQ(mistake(R"({"x":"a\n"})", text_field),
            "t: 'x' must be UTF-8 text without control characters");
  const auto pair = [](JsonFields& f) { f.pair("x", 1, 16384); };
  for (const char* text : {R"({"x":[1]})", R"({"x":[1,2,3]})", R"({"x":[0,1]})",
                           R"({"x":[1,16385]})", R"({"x":[1,"2"]})", R"({"x":{"0":1,"1":2}})"}) {
    EXPECT_EQ(mistake(text, pair),
              "t: 'x' must be two whole numbers between 1 and 16384, such as [1920, 1080]")
        << text;
  }
  const auto rect = [](JsonFields& f) { f.rect("x", 5, 9); };
  for (const char* text : {R"({"x":[0,0,1]})", R"({"x":[0,0,0,1]})", R"({"x":[-6,0,1,1]})",
                           R"({"x":[0,6,1,1]})", R"({"x":[0,0,1,10]})", R"({"x":[0,0,1,null]})"}) {
    EXPECT_EQ(mistake(text, rect),
              "t: 'x' must be [x, y, width, height]: whole numbers, x and y between -5 and 5, "
              "width and height between 1 and 9")
        << text;
  }
  const auto hex = [](JsonFields& f) { f.hex64("x"); };
  for (const char* text : {R"({"x":""})", R"({"x":"12345678901234567"})", R"({"x":"0x1"})",
                           R"({"x":"-1"})", R"({"x":"1 "})", R"({"x":7})"}) {
    EXPECT_EQ(mistake(text, hex), "t: 'x' must be a string of 1 to 16 hexadecimal digits") << text;
  }
  EXPECT_EQ(mistake(R"({"x":[1,2]})", [](JsonFields& f) { EXPECT_TRUE(f.array("x", 1).empty()); }),
            "t: 'x' must be a list of at most 1 items");
  EXPECT_EQ(mistake(R"({"x":[]})", [](JsonFields& f) { EXPECT_TRUE(f.object("x").empty()); }),
            "t: 'x' must be an object");
}

TEST(JsonFields, NamesHoldNothingHiddenAndRawTextsMay) {
  const Json object = {{"name", "door\u202e"}, {"typed", "\u200c"}, {"control", "\u0007"}};
  JsonFields fields(object, "t");
  EXPECT_EQ(fields.raw_string("typed", 9), "\u200c");
  EXPECT_FALSE(fields.finish_open());
  static_cast<void>(fields.string("name", 99));
  EXPECT_EQ(fields.finish_open()->message,
            "t: 'name' must not contain U+202E, which changes the text direction");
  JsonFields others(object, "t");
  static_cast<void>(others.raw_string("control", 99));
  EXPECT_TRUE(others.finish_open());
}

TEST(JsonFields, KeepsTheFirstMistakeAndGivesDefaultsInRange) {
  const Json json = Json::parse(R"({"a":"no","b":7})");
  JsonFields fields(json, "t");
  EXPECT_EQ(fields.integer("a", 3, 9), 3);
  EXPECT_EQ(fields.integer("b", 3, 9), 3) << "after a mistake every read gives a default";
  EXPECT_EQ(fields.number("b", -9, -3), -3);
  EXPECT_EQ(fields.pair("b", 1, 5), std::pair(1, 1));
  fields.mistake("c", "is wrong, too");
  EXPECT_EQ(fields.finish()->message, "t: 'a' must be a whole number between 3 and 9");
  EXPECT_EQ(fields.finish_open()->message, fields.finish()->message);
}

TEST(JsonFields, FinishRefusesFieldsThatNobodyRead) {
  const Json json = Json::parse(R"({"a":1,"tpyo":2})");
  JsonFields fields(json, "t");
  fields.integer("a", 0, 1);
  EXPECT_FALSE(fields.finish_open());
  EXPECT_EQ(fields.finish()->message, "t: 'tpyo' is not a known field");
  // A mistyped field is reported before the missing one.
  const Json mistyped = {{"colums", 2}};
  JsonFields grid(mistyped, "grid");
  grid.integer("columns", 1, 9);
  EXPECT_EQ(grid.finish()->message, "grid: 'colums' is not a known field: did you mean 'columns'?");

  // An optional field may be meant, too, whether its reader looks for it first or gives a default.
  for (const char* meant : {"gesture", "opacity", "volume", "muted", "at"}) {
    const Json typed = {{"window", 3}, {std::string(meant) + "e", 1}};
    JsonFields look(typed, "look");
    look.integer("window", 1, 9);
    look.string_or("gesture", 9, "");
    look.integer_or("opacity", 0, 1, 1);
    look.number_or("volume", 0, 1, 1);
    look.boolean_or("muted", false);
    EXPECT_FALSE(look.has("at"));
    EXPECT_EQ(look.finish()->message,
              fmt::format("look: '{0}e' is not a known field: did you mean '{0}'?", meant));
  }
  // A field that was only asked for is unknown all the same.
  const Json asked = {{"at", 1}};
  JsonFields unread(asked, "look");
  EXPECT_TRUE(unread.has("at"));
  EXPECT_TRUE(unread.finish());

  // Of many unknown fields, only a few are compared with the missing one.
  Json many = Json::object();
  for (int i = 0; i < 1000; ++i) many["a" + std::to_string(i)] = i;
  many["colums"] = 2;
  JsonFields crowded(many, "grid");
  crowded.integer("columns", 1, 9);
  EXPECT_EQ(crowded.finish()->message, "grid: 'columns' is missing");

  // The words of a mistake decide nothing.
  const Json both = {{"columns", 2}, {"colums", 3}};
  JsonFields words(both, "grid");
  words.integer("columns", 1, 9);
  words.mistake({ErrorCode::kInvalidParams, "grid: the tile 'b' is missing"});
  EXPECT_EQ(words.finish()->message, "grid: the tile 'b' is missing");

  const Json odd{{"\x1b" + std::string(100, 'x'), 1}};
  JsonFields none(odd, "t");
  EXPECT_EQ(none.finish()->message, "t: '?" + std::string(39, 'x') + "' is not a known field");
}

// Values built in code may contain what no parser accepts.
TEST(JsonFields, TakesNoValueThatIsNoNumber) {
  const Json json{{"x", std::nan("")}, {"y", "\xff"}, {"z", 5}};
  JsonFields numbers(json, "t");
  numbers.number("x", 0, 1);
  EXPECT_TRUE(numbers.finish_open());
  JsonFields texts(json, "t");
  texts.string("y", 10);
  EXPECT_TRUE(texts.finish_open());
  JsonFields whole(json, "t");
  EXPECT_EQ(whole.integer("z", 0, 9), 5) << "a signed number, which no parser makes of 5";
}

TEST(Json, WritesGeometryAndSecrets) {
  EXPECT_EQ(rect_json({-1, 2, 3, 4}).dump(), "[-1,2,3,4]");
  EXPECT_EQ(size_json({3, 4}).dump(), "[3,4]");
  EXPECT_EQ(hex64_text(0xab), "00000000000000ab");
  EXPECT_EQ(hex64_text(UINT64_MAX), "ffffffffffffffff");
}

}  // namespace
}  // namespace sail
