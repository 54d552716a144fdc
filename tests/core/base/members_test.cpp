// SPDX-License-Identifier: Apache-2.0
// Structs that are described member by member: what their JSON is, and what is refused.
#include <lapidary/internal/members_schema.h>

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lapidary {
namespace {

using Json = nlohmann::json;
using std::string;

enum class Colour { red, green };
struct Inner {
    int a = 1;
    std::optional<double> b;
    friend bool operator==(const Inner&, const Inner&) = default;
};
struct Point {  // kept as a list
    double x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};
struct Outer {
    string text = "usual";
    bool flag = false;
    std::uint64_t seed = 0;
    double ratio = 0.5;
    Colour colour = Colour::red;
    std::vector<Inner> list;
    std::map<string, int> sizes;
    std::map<std::int64_t, Point> points;
    Inner beside;
    std::filesystem::path file;
    std::vector<int> samples;
    int here = 7;
    friend bool operator==(const Outer&, const Outer&) = default;
};
struct Renamed {
    Inner inner;
    friend bool operator==(const Renamed&, const Renamed&) = default;
};
struct Changes {
    int a = 1, b = 2;
    std::optional<int> c;
    friend bool operator==(const Changes&, const Changes&) = default;
};

}  // namespace

template <>
struct EnumNames<Colour> {
    static constexpr std::array<std::pair<Colour, std::string_view>, 2> all{
        {{Colour::red, "red"}, {Colour::green, "green"}}};
};
template <>
struct StoredAs<Point> {
    using Form = std::array<double, 2>;
    static Form form_of(const Point& point) { return {point.x, point.y}; }
    static Point value_of(const Form& form) {
        if (form[0] < 0) fail_input("expected a point to the right of 0");
        return {form[0], form[1]};
    }
};
template <>
struct Members<Inner> {
    using T = Inner;
    static constexpr auto list = members<T>(member<&T::a>("a").within(-1, 9), member<&T::b>("b"));
};
template <>
struct Members<Outer> {
    using T = Outer;
    static constexpr auto list =
        members<T>(member<&T::text>("text").required(), member<&T::flag>("flag"),
                   member<&T::seed>("seed").as_text(), member<&T::ratio>("ratio"),
                   member<&T::colour>("colour"), member<&T::list>("list"),
                   member<&T::sizes>("sizes").if_changed(), member<&T::points>("points"),
                   inlined<&T::beside>(), member<&T::file>("file"),
                   member<&T::samples>("samples").detail(), unsent<&T::here>());
};
template <>
struct Members<Renamed> {
    using T = Renamed;
    static constexpr auto list = members<T>(inlined<&T::inner>(members<Inner>(
        member<&Inner::a>("first").within(0, 5), member<&Inner::b>("second").if_changed())));
};
template <>
struct Members<Changes> {
    using T = Changes;
    static constexpr bool only_changes = true;
    static constexpr auto list =
        members<T>(member<&T::a>("a"), member<&T::b>("b"), member<&T::c>("c"));
    static void check(const T& changes) {
        if (changes.a == changes.b) fail_input("\"a\" and \"b\" are the same");
    }
};

namespace {

template <typename T>
T read(const Json& json, bool is_lenient = false) {
    T value{};
    MembersReader<Json>{"it", is_lenient}(json, value);
    return value;
}

void expect_failure(const std::function<void()>& action, const std::vector<string>& words) {
    try {
        action();
        ADD_FAILURE() << "nothing was refused";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input);
        for (const string& word : words)
            EXPECT_NE(string(error.what()).find(word), string::npos)
                << word << " is not in: " << error.what();
    }
}

Outer filled() {
    Outer outer;
    outer.text = "ü \"quoted\"\n";
    outer.flag = true;
    outer.seed = std::numeric_limits<std::uint64_t>::max();
    outer.ratio = -std::numeric_limits<double>::infinity();
    outer.colour = Colour::green;
    outer.list = {{3, 0.1 + 0.2}, {4, std::nullopt}};
    outer.sizes = {{"batch", 4}};
    outer.points = {{-12, {1, 2}}, {5, {3, 4}}};
    outer.beside = {8, 9.5};
    outer.file = "/tmp/a b";
    outer.samples = {1, 2, 3};
    return outer;
}

TEST(Members, ComeBackAsTheyWere) {
    const Outer outer = filled();
    const Json json = MembersWriter<Json>{}(outer);
    EXPECT_EQ(json, Json::parse(
                        R"({"text": "ü \"quoted\"\n", "flag": true, "seed": "18446744073709551615",
        "ratio": "-inf", "colour": "green", "list": [{"a": 3, "b": 0.30000000000000004}, {"a": 4, "b": null}],
        "sizes": {"batch": 4}, "points": {"-12": [1.0, 2.0], "5": [3.0, 4.0]}, "a": 8, "b": 9.5, "file": "/tmp/a b",
        "samples": [1, 2, 3]})"));
    EXPECT_EQ(read<Outer>(json), outer);
    EXPECT_TRUE(std::isnan(read<Outer>({{"text", ""}, {"ratio", "nan"}}).ratio));
    EXPECT_EQ(read<Outer>({{"text", ""}, {"seed", 5}}).seed, 5u)
        << "a number is as good as its text";
    EXPECT_FALSE((MembersWriter<Json>{.details = false}(outer).contains("samples")));
}

TEST(Members, DefaultsAreLeftOutWhereTheDescriptionSaysSo) {
    EXPECT_FALSE((MembersWriter<Json>{}(Outer{}).contains("sizes")));
    EXPECT_TRUE((MembersWriter<Json>{}(Outer{}).contains("list")));
    EXPECT_EQ(MembersWriter<Json>{}(Changes{}).dump(), "{}");
    EXPECT_EQ((MembersWriter<Json>{}(Changes{1, 7, 0}).dump()), R"({"b":7,"c":0})");
    EXPECT_EQ(read<Changes>(Json::object()), Changes{});
    EXPECT_EQ(read<Outer>({{"text", "a"}}), (Outer{.text = "a"}))
        << "other members have their defaults";
}

TEST(Members, BytesThatAreNoTextComeBackToo) {
    const Outer outer{.text = "a\xff\xfe", .file = "\xc3\x28"};
    const Json json = MembersWriter<Json>{.exact_text = true}(outer);
    EXPECT_EQ(json.at("text"), (Json{{"hex", "61fffe"}}));
    EXPECT_EQ(read<Outer>(Json::parse(json.dump())), outer);
    for (const char* text : {"", "a", "ü", "中", "\xf0\x9f\x98\x80", "\xed\x9f\xbf"})
        EXPECT_TRUE(is_utf8(text)) << text;
    for (const char* text : {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                             "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff", "\xe4\xb8"})
        EXPECT_FALSE(is_utf8(text)) << hex_of(text);
}

TEST(Members, RefusalsNameThePlaceAndWhatWasFound) {
    const auto refuses = [](const char* text, const std::vector<string>& words) {
        expect_failure([&] { read<Outer>(Json::parse(text)); }, words);
    };
    refuses("{}", {"it", "needs", "text"});
    refuses("[]", {"it", "an object", "[]"});
    refuses(R"({"text": 5})", {"it.text", "text", "5"});
    refuses(R"({"text": "", "speed": 1})", {"it", "unknown member", "speed", "ratio"});
    refuses(R"({"text": "", "flag": "yes"})", {"it.flag", "true or false", "yes"});
    refuses(R"({"text": "", "seed": -1})", {"it.seed", "-1"});
    refuses(R"({"text": "", "seed": "many"})", {"it.seed", "whole number", "many"});
    refuses(R"({"text": "", "ratio": "fast"})", {"it.ratio", "a number", "fast"});
    refuses(R"({"text": "", "ratio": null})", {"it.ratio", "a number", "null"});
    refuses(R"({"text": "", "colour": "blue"})", {"it.colour", "red, green", "blue"});
    refuses(R"({"text": "", "list": [{}, {"a": 10}]})", {"it.list[1].a", "from -1 to 9", "10"});
    refuses(R"({"text": "", "list": [{"c": 1}]})", {"it.list[0]", "unknown member", "c"});
    refuses(R"({"text": "", "a": 1.5})", {"it.a", "whole number", "1.5"});
    refuses(R"({"text": "", "points": {"x": [1, 2]}})", {"it.points", "whole numbers as names"});
    refuses(R"({"text": "", "points": {"1": [1, 2, 3]}})", {"it.points.1", "a list of 2"});
    refuses(R"({"text": "", "points": {"1": [-1, 2]}})", {"it.points.1", "right of 0"});
    refuses(R"({"text": {"hex": "6"}})", {"hexadecimal", "odd"});
    expect_failure([] { read<Changes>(Json::parse(R"({"a": 2})")); }, {"it", "the same"});
}

TEST(Members, AStructBesideOthersMayHaveNamesOfItsOwn) {
    EXPECT_EQ(MembersWriter<Json>{}(Renamed{{3, 0.5}}).dump(), R"({"first":3,"second":0.5})");
    EXPECT_EQ(MembersWriter<Json>{}(Renamed{}).dump(), R"({"first":1})");
    EXPECT_EQ(read<Renamed>(Json::parse(R"({"first": 3, "second": 0.5})")), (Renamed{{3, 0.5}}));
    expect_failure([] { read<Renamed>(Json::parse(R"({"a": 2})")); },
                   {"it", "unknown member", "a", "first, second"});
    expect_failure([] { read<Renamed>(Json::parse(R"({"first": 7})")); }, {"it.first", "0 to 5"});
}

TEST(Members, SchemasFollowFromDescriptions) {
    const Json read = MembersSchema<Json>{}.of<Outer>();
    EXPECT_EQ(read["required"], Json({"text"}));
    const Json& members = read["properties"];
    EXPECT_EQ(members["flag"], Json::parse(R"({"type": "boolean"})"));
    EXPECT_EQ(members["seed"], Json::parse(R"({"type": "string"})")) << "kept as text";
    EXPECT_EQ(members["colour"], Json::parse(R"({"enum": ["red", "green"]})"));
    EXPECT_EQ(members["sizes"],
              Json::parse(R"({"type": "object", "additionalProperties": {"type": "integer"}})"));
    EXPECT_EQ(members["a"], Json::parse(R"({"type": "integer", "minimum": -1, "maximum": 9})"));
    EXPECT_EQ(members["b"], Json::parse(R"({"type": "number", "nullable": true})"));
    EXPECT_EQ(members["list"]["items"]["properties"]["b"], members["b"]);
    EXPECT_FALSE(members.contains("here")) << "it is not sent";
    const Json written = MembersSchema<Json>{.of_output = true}.of<Outer>();
    EXPECT_FALSE(written["properties"].contains("samples")) << "a detail";
    const std::vector<string> always{"text", "flag",   "seed", "ratio", "colour",
                                     "list", "points", "a",    "b",     "file"};
    EXPECT_EQ(written["required"], Json(always));
    EXPECT_TRUE(MembersSchema<Json>{.of_output = true}.of<Changes>()["required"].empty());
    EXPECT_EQ(MembersSchema<Json>{}.of<Renamed>()["properties"]["first"]["maximum"], 5);
}

TEST(Members, LenientReadersPassOverWhatTheyDoNotKnow) {
    EXPECT_EQ(
        read<Outer>(
            Json::parse(R"({"text": "a", "speed": 1, "list": [{"a": 2, "c": 1}], "ratio": null})"),
            true),
        (Outer{.text = "a", .list = {{2, std::nullopt}}}));
    EXPECT_THROW(read<Outer>(Json::parse(R"({"text": "a", "flag": 1})"), true), Error)
        << "a value of another kind is refused all the same";
}

}  // namespace
}  // namespace lapidary
