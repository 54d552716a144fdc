// SPDX-License-Identifier: Apache-2.0
// Plugins that can be opened, and those that cannot, with the reason.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <lapidary/base/error.h>
#include <lapidary/engines/plugins.h>
#include <lapidary/internal/scratch_folder.h>

#include "ops/schemas/added_operators.h"
#include "plugins/plugin_paths.h"

namespace lapidary::test {
namespace {

std::string refusal_of(const std::filesystem::path& file) {
    try {
        open_plugin(file);
    } catch (const Error& error) { return error.what(); }
    return "it was opened";
}

void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\nhas no " << part;
}

TEST(PluginLibrary, OneOfAnotherMajorVersionIsRefusedWithoutACall) {
    expect_in("made for plugin interface 2, this program has interface 1.4",
              refusal_of(plugin_file("newer_major")));
}

TEST(PluginLibrary, OneThatNeedsANewerMinorVersionIsRefused) {
    expect_in("needs plugin interface 1.99, this program has interface 1.4",
              refusal_of(plugin_file("newer_minor")));
}

TEST(PluginLibrary, OneWithoutTheEntryIsNoPlugin) {
    expect_in("it is no plugin: it exports no function lapidary_plugin_1",
              refusal_of(plugin_file("no_entry")));
}

TEST(PluginLibrary, OneThatRefusesSaysWhy) {
    expect_in("it does not like Lapidary", refusal_of(plugin_file("refuses")));
}

TEST(PluginLibrary, FilesThatAreNoLibrariesAreRefusedInTheLoadersWords) {
    const ScratchFolder folder;
    const std::filesystem::path text = folder.path() / "text.so";
    std::ofstream(text) << "this is a text";
    expect_in("cannot be loaded: ", refusal_of(text));
    expect_in("there is no such file", refusal_of(folder.path() / "missing.so"));
    expect_in("is no library: expected a regular file, found a folder", refusal_of(folder.path()));
    expect_in("is no library: expected a regular file, found a device", refusal_of("/dev/null"));
}

TEST(PluginLibrary, AnOlderOneIsReadAsFarAsItGoes) {
    const PluginInfo& info = open_plugin(plugin_file("older"));
    EXPECT_EQ(info.name, "older");
    EXPECT_EQ(info.interface, "1.0");
    EXPECT_TRUE(info.version.empty());
    EXPECT_TRUE(info.operators.empty());
    EXPECT_TRUE(info.provider.empty());
}

TEST(PluginLibrary, OneWithARefusedOperatorLeavesNone) {
    expect_in(
        "operator \"com.microsoft::Second\" in domain \"com.microsoft\", which is not open to "
        "others",
        refusal_of(plugin_file("half_refused")));
    EXPECT_EQ(find_added_operator("half", "First"), nullptr);
}

TEST(PluginLibrary, IsOpenedOnce) {
    EXPECT_EQ(&open_plugin(plugin_file("older")), &open_plugin(plugin_file("older")));
}

TEST(PluginSearch, FindsFilesAndFoldersOnce) {
    const ScratchFolder folder;
    std::ofstream(folder.path() / "b.so") << "b";
    std::ofstream(folder.path() / "a.so") << "a";
    std::ofstream(folder.path() / "notes.txt") << "text";
    const auto a = folder.path() / "a.so", b = folder.path() / "b.so";
    EXPECT_EQ(find_plugins({{b, folder.path()}, {folder.path(), folder.path() / "none"}}),
              (std::vector<std::filesystem::path>{b, a}));
    EXPECT_THROW(find_plugins({{folder.path() / "none"}, {}}), Error);
}

TEST(PluginSearch, ReadsTheEnvironment) {
    ::setenv("LAPIDARY_PLUGINS", "/one/x.so::/two", 1);
    ::setenv("XDG_DATA_HOME", "/data", 1);
    const PluginPlaces places = plugin_places({"/zero"});
    ::unsetenv("LAPIDARY_PLUGINS");
    ::unsetenv("XDG_DATA_HOME");
    EXPECT_EQ(places.given, (std::vector<std::filesystem::path>{"/zero", "/one/x.so", "/two"}));
    ASSERT_EQ(places.usual.size(), 2u);
    EXPECT_EQ(places.usual[0], "/data/lapidary/plugins");
}

}  // namespace
}  // namespace lapidary::test
