// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QRegularExpression>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

#include "support/test_data.h"
#include "support/time_budget.h"
#include "workbench/text/bounded_text.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

TEST(BoundedText, WhatFitsStaysAsItIs) {
    EXPECT_EQ(labelText("encoder/layer.0/MatMul"), QStringLiteral("encoder/layer.0/MatMul"));
    EXPECT_EQ(labelText(QStringLiteral("שלום 👩‍👧 é")),
              QStringLiteral("שלום 👩‍👧 é"))
        << "scripts and joined emoji stay";
    EXPECT_EQ(labelText(""), QString());
    EXPECT_EQ(labelText(std::string(300, 'a')).size(), 300);
    EXPECT_EQ(tipText("two\nlines"), QStringLiteral("two\nlines"));
    EXPECT_EQ(sentenceText("/home/someone/models/of/this/year/with/a/long/path/that/goes/on/and/on/"
                           "model.onnx: is no model"),
              QStringLiteral("/home/someone/models/of/this/year/with/a/long/path/that/goes/on/and/"
                             "on/model.onnx: is no model"));
}

TEST(BoundedText, TheMiddleIsLeftOut) {
    const QString text = labelText("begin" + std::string(1000, 'x') + "end");
    EXPECT_EQ(text.size(), label_length);
    EXPECT_TRUE(text.startsWith(QStringLiteral("begin")) && text.endsWith(QStringLiteral("end")));
    EXPECT_EQ(text.count(QChar(0x2026)), 1);
    EXPECT_EQ(labelText(QString(5000, u'y'), 40).size(), 40);
    EXPECT_EQ(cellText(std::string(5000, 'z')).size(), tip_length);
    const QString sentence = sentenceText("node " + std::string(500, 'n') + " is odd");
    EXPECT_TRUE(sentence.startsWith(QStringLiteral("node nnn")) &&
                sentence.endsWith(QStringLiteral("nnn is odd")));
    EXPECT_LT(sentence.size(), 90);
}

TEST(BoundedText, ControlCharactersAndDirectionsAreSeen) {
    EXPECT_EQ(labelText(std::string_view("a\nb\tc\x1b[31m\0d", 12)),
              QStringLiteral("a\\nb\\tc\\u001B[31m\\u0000d"));
    EXPECT_EQ(labelText(QStringLiteral("x\u202egnp.exe")), QStringLiteral("x\\u202Egnp.exe"));
    EXPECT_EQ(labelText(QStringLiteral("\u2066a\u2069\u200f\u061c\u2028\u009b")),
              QStringLiteral("\\u2066a\\u2069\\u200F\\u061C\\u2028\\u009B"));
    EXPECT_EQ(tipText(QStringLiteral("a\nb\r\u202ec")), QStringLiteral("a\nb\\r\\u202Ec"))
        << "lines stay in a tool tip";
    EXPECT_LE(labelText(std::string(100'000, '\x01')).size(), label_length)
        << "escapes are counted";
}

// Any bytes: never longer than asked for, no half of a surrogate pair where the text had none, no
// control character.
TEST(BoundedText, AnyBytesComeOutBoundedAndWhole) {
    std::mt19937 random(7);
    const std::string parts[] = {
        "a",         "\n",   "\xd7\xa9", "\xe2\x80\xae", "\xf0\x9f\x91\xa9",
        "e\xcc\x81", "\xff", "\xc2\x9b", "\xe2\x80",     "name/"};
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (int i = 0, count = int(random() % 400); i < count; ++i)
            text += parts[random() % std::size(parts)];
        const qsizetype most = 2 + qsizetype(random() % 120);
        for (const QString& shown : {labelText(text, most), labelText(exactText(text), most)}) {
            ASSERT_LE(shown.size(), most);
            for (qsizetype i = 0; i < shown.size(); ++i) {
                ASSERT_TRUE(!shown[i].isHighSurrogate() ||
                            (i + 1 < shown.size() && shown[i + 1].isLowSurrogate()))
                    << round;
                ASSERT_TRUE(!shown[i].isLowSurrogate() || (i > 0 && shown[i - 1].isHighSurrogate()))
                    << round;
                const char16_t c = shown[i].unicode();
                ASSERT_TRUE(c >= 0x20 && (c < 0x7f || c > 0x9f) && c != 0x202e);
            }
        }
        ASSERT_EQ(labelText(text, most), labelText(exactText(text), most))
            << "both functions give the same";
        QString whole = breakable(exactText(text));
        ASSERT_EQ(whole.remove(QChar(0x200b)), exactText(text))
            << "nothing but places to break a line comes in";
    }
}

TEST(BoundedText, TakesNoTimeByTheLengthOfTheText) {
    const std::string much(100'000'000, 'm');
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(labelText(much).size(), label_length);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
              1 * wall_factor);
}

// Text of a file becomes a QString by one of the functions that bound it, or says by exactText()
// that it is not shown. Any other conversion could put a name of a megabyte into a widget.
TEST(BoundedText, ViewsConvertByTheseFunctionsOnly) {
    static const QRegularExpression conversion(
        QStringLiteral("QString::from(StdString|Utf8|Local8Bit|StdU16String|StdWString)\\b"));
    std::string past;
    int files = 0;
    for (const auto& file : fs::recursive_directory_iterator(source_folder() / "views")) {
        if (file.path().extension() != ".cpp" && file.path().extension() != ".h") continue;
        ++files;
        std::ifstream in(file.path());
        int number = 0;
        for (std::string line; std::getline(in, line);)
            if (++number; exactText(line).contains(conversion))
                past += fs::relative(file.path(), source_folder()).string() + ":" +
                        std::to_string(number) + ": " + line + "\n";
    }
    EXPECT_GT(files, 100);
    EXPECT_TRUE(past.empty()) << "text that is not bounded:\n" << past;
}

}  // namespace
}  // namespace lapidary
