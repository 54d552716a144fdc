// SPDX-License-Identifier: Apache-2.0
// Text of files that is shown to people: bounded, without hidden characters, no formula in a
// spreadsheet.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/internal/shown_text.h>

namespace lapidary {
namespace {

std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

TEST(ShownText, LeavesOutTheMiddleBetweenCharacters) {
    EXPECT_EQ(elided("short", 5), "short");
    EXPECT_EQ(elided("abcdefghij", 7), "abcde…ij");
    EXPECT_EQ(elided("äöüäöüäöü", 9), "äöüäöüäöü");
    EXPECT_EQ(elided("äöüäöüäöü", 6), "äöüä…öü");
    EXPECT_EQ(elided("", 5), "");
    EXPECT_EQ(elided("ab", 1), "a…");
    for (std::size_t most = 1; most < 40; ++most) {
        const std::string text = elided(std::string(1000, 'x') + "😀😀😀😀😀😀😀😀😀😀😀😀", most);
        EXPECT_EQ(characters(text), most + 1) << most;
        EXPECT_EQ(printable(text, 1000), text) << "cut inside of a character";
    }
}

TEST(ShownText, HugeTextsTakeTheTimeOfWhatIsShown) {
    const std::string huge(std::size_t{64} << 20, '\x9b');
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i) {
        EXPECT_LT(printable(huge).size(), 4 * shown_characters + 8);
        EXPECT_LT(quote(huge).size(), 1000u);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST(ShownText, HiddenCharactersAreEscapes) {
    EXPECT_EQ(printable("a\x1b[31m\nb\x7f"), "a\\x1b[31m\\x0ab\\u007f");
    EXPECT_EQ(printable("\u009b31m \u202egnp.exe \u2066x\u2069 \u200b \ufeff \u061c"),
              "\\u009b31m \\u202egnp.exe \\u2066x\\u2069 \\u200b \\ufeff \\u061c");
    EXPECT_EQ(printable("\x9b\xff\xc3"), "\\x9b\\xff\\xc3");
    EXPECT_EQ(printable("层 ß \"\\"), "层 ß \"\\");
    EXPECT_EQ(printable_lines("a\tb\n\u202e\x1b\n"), "a\tb\n\\u202e\\x1b\n");
    EXPECT_EQ(quote("a\"\n\u202e"), "\"a\\\"\\n\\u202e\"");
    EXPECT_EQ(quote("abcdefghij", 7), "\"abcde…ij\"");
}

TEST(ShownText, ErrorsAndDescriptionsAreBounded) {
    const std::string huge(1 << 20, 'n');
    Error error(ErrorCode::invalid_input, "expected " + huge);
    error.at("node " + huge);
    EXPECT_LT(std::string(error.what()).size(), 16'000u);
    const Sequence sequence{Type::tensor(DType::f32, {Dim::symbolic(huge)}), {}};
    EXPECT_LT(RuntimeValue(sequence).describe().size(), 1000u);
}

TEST(ShownText, SpreadsheetsRunNoField) {
    EXPECT_EQ(csv_field("plain"), "plain");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_field("a \"b\"\r\n"), "\"a \"\"b\"\"\r\n\"");
    EXPECT_EQ(csv_field("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
    for (const std::string start : {"=", "+", "-", "@", "\t", "\r"})
        EXPECT_EQ(csv_field(start + "cmd"), "\"'" + start + "cmd\"");
    for (const std::string number : {"-1.5", "+3", "-1e-300", "0", "-inf", "-", ""})
        EXPECT_EQ(csv_field(number), number);
}

}  // namespace
}  // namespace lapidary
