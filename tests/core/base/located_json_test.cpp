// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/located_json.h>

namespace lapidary {
namespace {

using Kind = LocatedJson::Kind;

TEST(LocatedJson, MembersHaveTheLinesOfTheirNames) {
    const LocatedJson json = parse_located_json(
        "{\n"
        "  \"a\": 1,\n"
        "  \"b\":\n"
        "    [true, null,\n"
        "     \"text\",\n"
        "     -2.5\n"
        "    ],\r\n"
        "\n"
        "  \"c\": {\"d\": {},\n"
        "        \"e\": \"two\\nlines\"}, \"f\": 7}",
        "test");
    ASSERT_TRUE(json.is(Kind::object));
    EXPECT_EQ(json.line, 1);
    EXPECT_EQ(json.names, (std::vector<std::string>{"a", "b", "c", "f"}));
    EXPECT_EQ(json.find("a")->line, 2);
    EXPECT_EQ(json.find("a")->number, 1);
    const LocatedJson& list = *json.find("b");
    EXPECT_EQ(list.line, 3) << "of the name";
    ASSERT_EQ(list.items.size(), 4u);
    EXPECT_TRUE(list.items[0].is(Kind::boolean) && list.items[0].boolean);
    EXPECT_TRUE(list.items[1].is(Kind::null));
    EXPECT_EQ(list.items[2].line, 5);
    EXPECT_EQ(list.items[2].text, "text");
    EXPECT_EQ(list.items[3].number, -2.5);
    EXPECT_EQ(list.items[3].line, 3) << "a number has the line of its list";
    const LocatedJson& inner = *json.find("c");
    EXPECT_EQ(inner.line, 9);
    EXPECT_TRUE(inner.find("d")->is(Kind::object));
    EXPECT_EQ(inner.find("e")->line, 10);
    EXPECT_EQ(inner.find("e")->text, "two\nlines");
    EXPECT_EQ(json.find("f")->line, 10);
    EXPECT_EQ(json.find("g"), nullptr);
}

TEST(LocatedJson, KeepsMembersThatAreThereTwice) {
    const LocatedJson json = parse_located_json(R"({"a": 1, "a": 2})", "test");
    EXPECT_EQ(json.items.size(), 2u);
    EXPECT_EQ(json.find("a")->number, 2) << "the last one";
}

TEST(LocatedJson, ALoneValueIsAText) {
    EXPECT_EQ(parse_located_json("\n\n 5", "test").number, 5);
    EXPECT_EQ(parse_located_json("\n\"x\"", "test").line, 2);
}

TEST(LocatedJson, RefusesWhatIsNoJson) {
    for (const std::string& text : std::vector<std::string>{
             "", "{", "{\"a\": 1,}", "nothing", "[1] 2", "{\"a\" 1}", std::string(200, '[')})
        try {
            parse_located_json(text, "settings");
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_input);
            EXPECT_EQ(std::string(error.what()).rfind("settings", 0), 0u) << error.what();
        }
}

}  // namespace
}  // namespace lapidary
