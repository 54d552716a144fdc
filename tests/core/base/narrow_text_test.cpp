// SPDX-License-Identifier: Apache-2.0
// Narrow text is UTF-8 in names of files on every system.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

TEST(NarrowText, NamesAreUtf8) {
    const std::string text = "\xc3\xa9 \xe6\xa8\xa1 \xf0\x9f\x98\x80.onnx";
    EXPECT_EQ(fs::path(text).u16string(), u"\u00e9 \u6a21 \U0001f600.onnx");
    EXPECT_EQ(fs::path(u"\u00e9 \u6a21 \U0001f600.onnx").string(), text);
    const TemporaryFolder folder;
    std::ofstream(folder / text) << "there";
    ASSERT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
    EXPECT_EQ(fs::directory_iterator(folder.path())->path().filename().string(), text);
}

TEST(NarrowText, WhatIsNoUtf8IsNoError) {
    for (const char* text : {"\xff", "a\xc3", "\xe6\xa8 b", "\xf0\x9f\x98", "\xc0\x80",
                             "\xed\xa0\x80", "\xf4\x90\x80\x80"})
#ifdef _WIN32
        EXPECT_NE(fs::path(text).string().find("\xef\xbf\xbd"), std::string::npos);  // U+FFFD
#else
        EXPECT_EQ(fs::path(text).string(), text);
#endif
}

}  // namespace
}  // namespace lapidary
