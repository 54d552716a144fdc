// SPDX-License-Identifier: Apache-2.0
// Which paths lie below a folder, however they are written. That a bounded process opens no other
// file is tested with its tools (tests/app/mcp_files_test.cpp).
#include <lapidary/internal/file_bounds.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include <gtest/gtest.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

class FileBoundsTest : public testing::Test {
protected:
    FileBoundsTest() {
        for (const char* name : {"in/deep", "in2", "out"}) fs::create_directories(folder_ / name);
        for (const char* name : {"in/a", "in/deep/b", "in2/c", "out/d"})
            std::ofstream(folder_ / name) << "x";
    }
    bool is_in(const fs::path& name) const { return is_below(folder_ / name, {folder_ / "in"}); }
    TemporaryFolder folder_;
};

TEST_F(FileBoundsTest, FollowsNamesToTheirPlaces) {
    for (const char* name : {"in", "in/", "in/a", "in/deep/b", "in/./deep/../a", "out/../in/a",
                             "in/new", "in/new/newer", "in/new/../other"})
        EXPECT_TRUE(is_in(name)) << name;
    for (const char* name : {"", ".", "in2", "in2/c", "out/d", "in/../out/d", "in/deep/../../out/d",
                             "in/new/../../out/d", "in/..", "nowhere/x", "in2/new"})
        EXPECT_FALSE(is_in(name)) << name;
    EXPECT_FALSE(is_below("", {folder_ / "in"}));
    EXPECT_FALSE(is_below("/", {folder_ / "in"}));
    EXPECT_FALSE(is_below(folder_ / "in/a", {}));
    EXPECT_TRUE(is_below(folder_ / "out/d", {folder_ / "in", folder_ / "out"}));
}

TEST_F(FileBoundsTest, FollowsSymbolicLinks) {
    std::error_code failed;
    const auto link = [&](const char* to, const char* at) {
        if (!failed) fs::create_symlink(to, folder_ / at, failed);
    };
    link("../out/d", "in/to_file");
    link("../out", "in/to_folder");
    link("../out/new", "in/to_nothing");
    link("to_nothing", "in/to_link");
    link("to_itself", "in/to_itself");
    link("deep/b", "in/to_inside");
    link("in", "to_in");
    if (failed) GTEST_SKIP() << "this system makes no symbolic links";
    for (const char* name : {"in/to_file", "in/to_folder", "in/to_folder/d", "in/to_folder/new",
                             "in/to_nothing", "in/to_link", "in/to_itself", "in/to_folder/../d"})
        EXPECT_FALSE(is_in(name)) << name;
    for (const char* name : {"in/to_inside", "to_in/a", "to_in/new"})
        EXPECT_TRUE(is_in(name)) << name;
    EXPECT_TRUE(is_below(folder_ / "in/a", {folder_ / "to_in"}));
}

TEST_F(FileBoundsTest, NamesFileAndFolders) {
    EXPECT_EQ(outside_text("a.onnx", {"/x", "/y"}),
              "\"a.onnx\" lies outside of the folders that may be used: \"/x\", \"/y\"");
}

TEST_F(FileBoundsTest, NothingIsBoundedUntilItIsAskedFor) {
    EXPECT_NO_THROW(require_readable(folder_ / "out/d"));
    EXPECT_NO_THROW(require_writable(folder_ / "out/d"));
}

}  // namespace
}  // namespace lapidary
