// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "app/command_runner.h"
#include "plugins/plugin_paths.h"

namespace lapidary::cli {
namespace {

using test::plugin_file;

std::string path_of(const char* name) { return plugin_file(name).string(); }

TEST(PluginsCommand, OneThatCrashesIsToldAndTheProgramLives) {
    const auto result = run({"plugins", "--probe", path_of("crashes")});
    EXPECT_EQ(result.code, exit_not_supported);
    EXPECT_NE(result.out.find("it crashed while it was probed: signal 11 (Segmentation fault)"), std::string::npos)
        << result.out << result.err;
}

TEST(PluginsCommand, EachRefusalIsASentence) {
    const std::pair<const char*, const char*> cases[] = {{"newer_major", "made for plugin interface 2"},
                                                         {"newer_minor", "needs plugin interface 1.99"},
                                                         {"no_entry", "it is no plugin"},
                                                         {"engine_half", "its engine \"half\" lacks functions"},
                                                         {"engine_short", "of a smaller struct than interface 1.1"},
                                                         {"engine_taken", "the name \"onnxruntime\", which is not"},
                                                         {"refuses", "it does not like Lapidary"},
                                                         {"none", "there is no such file"}};
    for (const auto& [name, reason] : cases) {
        const auto result = run({"plugins", "--probe", path_of(name)});
        EXPECT_EQ(result.code, exit_not_supported) << name;
        EXPECT_NE(result.out.find(reason), std::string::npos) << name << ": " << result.out;
    }
}

TEST(PluginsCommand, ListsWhatPluginsBring) {
    const auto example = run({"plugins", "--probe", path_of("example_op")});
    EXPECT_EQ(example.code, exit_fine) << example.err;
    EXPECT_NE(example.out.find("operator example::ScaleClamp from version 1"), std::string::npos) << example.out;
    const auto device = run({"plugins", "--plugin", path_of("device")});
    EXPECT_NE(device.out.find("device pages:1: A broken device, cannot be used: it is broken for the tests"),
              std::string::npos)
        << device.out;
    const auto engine = run({"plugins", "--probe", path_of("engine")});
    const char* line = "engine abacus 3.5\n    option level (disabled, basic, extended or all; all unless given)";
    EXPECT_NE(engine.out.find(line), std::string::npos)
        << engine.out;
    const auto absent = run({"plugins", "--probe", path_of("engine_unusable")});
    EXPECT_NE(absent.out.find("engine absent 7, cannot be used: there is no abacus on the desk"), std::string::npos)
        << absent.out;
    const auto json = run({"plugins", "--probe", path_of("device"), "--json"});
    EXPECT_NE(json.out.find("\"unusable\": \"it is broken for the tests\""), std::string::npos) << json.out;
}

}  // namespace
}  // namespace lapidary::cli
