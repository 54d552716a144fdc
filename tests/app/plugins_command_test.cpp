// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "plugins/plugin_paths.h"
#include "support/test_data.h"
#include "support/time_budget.h"
#include "worker/process/library_probe.h"

namespace lapidary::cli {
namespace {

using test::plugin_file;

std::string path_of(const char* name) { return plugin_file(name).string(); }

TEST(PluginsCommand, OneThatCrashesIsReportedAndTheProgramLives) {
    const auto result = run({"plugins", "--probe", path_of("crashes")});
    EXPECT_EQ(result.code, exit_not_supported);
    EXPECT_NE(result.out.find("it crashed while it was probed: signal 11 (Segmentation fault)"),
              std::string::npos)
        << result.out << result.err;
}

/// The test program would open them itself, and is still alive.
TEST(PluginsCommand, LibrariesNamedByHandAreProbedFirst) {
    const TemporaryFolder folder;
    const auto cut_copy = [&](const char* name) {
        const std::filesystem::path copy = folder / (std::string(name) + ".so");
        std::filesystem::copy_file(path_of(name), copy);
        std::filesystem::resize_file(copy, std::filesystem::file_size(copy) / 3);
        return copy.string();
    };
    const std::string operators = cut_copy("custom_operators"), plugin = cut_copy("operators");
    for (const std::string option : {"--plugin", "--custom-ops"}) {
        expect_error(run({"run", "sample:mlp", option, path_of("crashes")}), exit_not_supported,
                     {path_of("crashes"), "it crashed while it was probed: signal 11"});
        expect_error(run({"run", "sample:mlp", option, path_of("exits")}), exit_not_supported,
                     {path_of("exits"), "exit code 3, crashed in", "which called exit()"});
    }
    expect_error(run({"run", "sample:mlp", "--custom-ops", operators}), exit_not_supported,
                 {operators});
    expect_error(run({"run", "sample:mlp", "--plugin", plugin}), exit_not_supported, {plugin});
}

TEST(PluginsCommand, AProbeThatHangsIsEndedAndCanBeCancelled) {
    const app::LibraryQuestion brief{"plugins", "--describe", 1};
    try {
        app::described_in_process(brief, path_of("stops"));
        FAIL() << "it answers";
    } catch (const Error& error) {
        EXPECT_EQ(error.message(), "it was not open after 1 seconds and was given up");
    }
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"plugins", "--probe", path_of("stops")},
          {"run", "sample:mlp", "--plugin", path_of("stops")}}) {
        const CancelToken cancel;
        std::jthread interrupt([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            cancel.cancel();
        });
        const auto start = std::chrono::steady_clock::now();
        EXPECT_EQ(run(words, cancel).code, exit_cancelled) << words[0];
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2) * wall_factor)
            << words[0];
    }
}

TEST(PluginsCommand, WhatAProbedLibraryStartsDoesNotHoldTheAnswerBack) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = run({"plugins", "--probe", path_of("leaves_child")});
    EXPECT_NE(result.out.find("it is no plugin"), std::string::npos) << result.out;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5) * wall_factor);
}

TEST(PluginsCommand, EachRefusalIsASentence) {
    const std::pair<const char*, const char*> cases[] = {
        {"newer_major", "made for plugin interface 2"},
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
    EXPECT_NE(example.out.find("operator example::ScaleClamp from version 1"), std::string::npos)
        << example.out;
    const auto device = run({"plugins", "--plugin", path_of("device")});
    EXPECT_NE(device.out.find(
                  "device pages:1: A broken device, cannot be used: it is broken for the tests"),
              std::string::npos)
        << device.out;
    const auto engine = run({"plugins", "--probe", path_of("engine")});
    const char* line =
        "engine abacus 3.5\n    option level (disabled, basic, extended or all; all unless given)";
    EXPECT_NE(engine.out.find(line), std::string::npos) << engine.out;
    const auto absent = run({"plugins", "--probe", path_of("engine_unusable")});
    EXPECT_NE(absent.out.find("engine absent 7, cannot be used: there is no abacus on the desk"),
              std::string::npos)
        << absent.out;
    const auto json = run({"plugins", "--probe", path_of("device"), "--json"});
    EXPECT_NE(json.out.find("\"unusable\": \"it is broken for the tests\""), std::string::npos)
        << json.out;
}

TEST(DevicesOfPlugins, ProfilesHoldNodesAgainstTheirRoofs) {
    const auto on_pages = [](std::vector<std::string> words) {
        words.insert(words.end(), {"sample:mlp", "--level", "disabled", "--plugin",
                                   path_of("device"), "--provider", "pages"});
        return words;
    };
    const Json json = run(on_pages({"profile", "--runs", "1", "--roofline", "--json"})).json();
    ASSERT_EQ(json["peak"]["devices"].size(), 1u) << json["peak"];
    EXPECT_EQ(json["peak"]["devices"][0]["provider"], "pages");
    EXPECT_EQ(json["peak"]["devices"][0]["gb_per_s"], 50);
    EXPECT_EQ(json["peak"]["devices"][0]["arithmetic"][1]["gops"], 800);
    int on_device = 0, on_cpu = 0;
    for (const Json& kernel : json["kernels"]) {
        const bool is_device = kernel["provider"] == "pages";
        (is_device ? on_device : on_cpu) += 1;
        if (is_device && kernel.contains("bound"))
            EXPECT_EQ(kernel["arithmetic"], "whole") << kernel;
        if (!is_device) EXPECT_FALSE(kernel.contains("arithmetic")) << kernel;
    }
    EXPECT_GT(on_device, 0);
    EXPECT_GT(on_cpu, 0);
    const auto text = run(on_pages({"profile", "--runs", "1", "--roofline"}));
    for (const char* part :
         {"pages reaches 50 GB/s of its memory, 200 whole, 800 halves GOP/s", "roofs of"})
        EXPECT_NE(text.out.find(part), std::string::npos) << text.out;
}

TEST(DevicesOfPlugins, ProfilesKeepCachesThere) {
    const auto profile = [](std::vector<std::string> more) {
        std::vector<std::string> words{"profile", "sample:mlp",       "--runs",
                                       "2",       "--session-passes", "off"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const std::vector<std::string> device{"--plugin", path_of("device"), "--provider",
                                          "pages",    "--resident",      "logits=input"};
    std::vector<std::string> as_json = device;
    as_json.push_back("--json");
    const Json reported = profile(as_json).json()["resident"];
    ASSERT_EQ(reported["pairs"].size(), 1u) << reported;
    EXPECT_EQ(reported["pairs"][0]["output"], "logits");
    EXPECT_EQ(reported["pairs"][0]["input"], "input");
    const Json by_host = profile({"--resident", "logits=input", "--json"}).json()["resident"];
    ASSERT_EQ(by_host["not_resident"].size(), 1u) << by_host;
    EXPECT_EQ(by_host["not_resident"][0]["reason"], "the session runs on the CPU alone");
    EXPECT_EQ(by_host["to_device_bytes"], 0);
    EXPECT_FALSE(profile({"--json"}).json().contains("resident"));
    const auto text = profile(device);
    EXPECT_NE(text.out.find("caches to keep on the device: 1 (logits for input); a run copies "),
              std::string::npos)
        << text.out << text.err;
    const auto refusal = [&](const char* pairs) { return profile({"--resident", pairs}).err; };
    EXPECT_NE(refusal("auto").find("the model has no output present* with an input past*"),
              std::string::npos);
    EXPECT_NE(refusal("logits").find("expected auto or OUTPUT=INPUT, found \"logits\""),
              std::string::npos);
    EXPECT_NE(refusal("scores=input").find("the model has no output \"scores\""),
              std::string::npos);
    EXPECT_NE(refusal("logits=past").find("the model has no input \"past\""), std::string::npos);
    EXPECT_NE(profile({"--resident", "auto", "--engine", "onnxruntime"})
                  .err.find("--resident is about this program's"),
              std::string::npos);
}

TEST(DevicesOfPlugins, VerdictsSayWhatPrecisionCosts) {
    for (const char* command : {"run", "profile"}) {
        const std::vector<std::string> words{command,      "sample:mlp",
                                             "--plugin",   path_of("device"),
                                             "--provider", "pages:precision=coarse",
                                             "--level",    "disabled"};
        const auto text = run(words);
        EXPECT_NE(text.out.find("coarse on pages moves '"), std::string::npos) << text.out;
        EXPECT_NE(text.out.find(" dB SQNR against float32 on the CPU"), std::string::npos)
            << text.out;
        std::vector<std::string> as_json = words;
        as_json.push_back("--json");
        const Json json = run(as_json).json();
        EXPECT_EQ(json["lowered_precision"]["how"], "coarse on pages");
        ASSERT_EQ(json["lowered_precision"]["outputs"].size(), 1u);
        EXPECT_GT(json["lowered_precision"]["outputs"][0]["max_abs"].get<double>(), 0);
        as_json[5] = "pages";
        EXPECT_FALSE(run(as_json).json().contains("lowered_precision"));
    }
}

/// The guard compares results of rewriting on the CPU. Rounding of the device is reported
/// separately and never fails.
TEST(DevicesOfPlugins, TheGuardSaysWhatPrecisionCosts) {
    const auto optimize = [](const char* provider, std::vector<std::string> more) {
        std::vector<std::string> words{
            "optimize",   "sample:mlp", "--guard",          "--plugin", path_of("device"),
            "--provider", provider,     "--session-passes", "off",      "--level",
            "basic"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const auto text = optimize("pages:precision=coarse", {});
    EXPECT_EQ(text.code, 0) << text.out;
    EXPECT_NE(text.out.find("PASSED"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("  precision  coarse on pages moves '"), std::string::npos) << text.out;
    const Json guard = optimize("pages:precision=coarse", {"--json"}).json()["guard"];
    EXPECT_EQ(guard["lowered_precision"]["how"], "coarse on pages");
    EXPECT_TRUE(guard["matches"]);
    // Of more sets of inputs the worst is reported.
    const auto moved = [](const Json& of) {
        return of["lowered_precision"]["outputs"].at(0)["sqnr_db"].get<double>();
    };
    const double of_two = moved(guard);
    EXPECT_GT(guard["lowered_precision"]["outputs"].at(0)["max_abs"].get<double>(), 0);
    EXPECT_LE(moved(optimize("pages:precision=coarse", {"--json", "--seeds", "5"}).json()["guard"]),
              of_two);
    EXPECT_FALSE(optimize("pages", {"--json"}).json()["guard"].contains("lowered_precision"));
}

TEST(DevicesOfPlugins, ChecksSayWhatPrecisionCosts) {
    const TemporaryFolder folder;
    const std::string expected = (folder / "expected.npz").string(),
                      inputs = (folder / "inputs.npz").string();
    const auto mlp = std::make_shared<const Model>(build_sample("mlp"));
    const NamedValues values = generate_inputs(*mlp, {}, {});
    save_npz(inputs, values);
    save_npz(expected, Session::compile(mlp).run(values).outputs);
    std::vector<std::string> words{"check",      "sample:mlp",
                                   "--inputs",   inputs,
                                   "--expected", expected,
                                   "--plugin",   path_of("device"),
                                   "--level",    "disabled",
                                   "--atol",     "10",
                                   "--provider", "pages:precision=coarse"};
    const auto text = run(words);
    EXPECT_EQ(text.code, 0) << text.out << text.err;
    EXPECT_NE(text.out.find("precision  coarse on pages moves '"), std::string::npos) << text.out;
    words.push_back("--json");
    const Json json = run(words).json();
    EXPECT_EQ(json["lowered_precision"]["how"], "coarse on pages");
    EXPECT_GT(json["lowered_precision"]["outputs"].at(0)["max_abs"].get<double>(), 0);
    *(words.end() - 2) = "pages";
    EXPECT_FALSE(run(words).json().contains("lowered_precision"));
}

}  // namespace
}  // namespace lapidary::cli
