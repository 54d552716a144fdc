// SPDX-License-Identifier: Apache-2.0
// Options of a session on the command line and in the C++ API: each option of one has its
// counterpart in the other.
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <lapidary/exec/session.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

/// How the C++ API says what an option of the command line does to a session.
const std::map<std::string, std::string> in_the_api{
    {"--intra", "RunResources::threads"},
    {"--inter", "RunResources::inter_threads"},
    {"--execution", "RunResources::mode"},
    {"--no-spinning", "RunResources::spinning"},
    {"--spinning", "RunResources::spinning"},
    {"--config", "RunResources::config"},
    {"--compute", "RunResources::config"},
    {"--session-passes", "SessionOptions::session_passes"},
    {"--disable-pass", "SessionOptions::session_passes"},
    {"--no-fused-steps", "SessionOptions::session_passes"},
    {"--dim", "SessionOptions::free_dimensions"},
    {"--no-pattern", "SessionOptions::enable_mem_pattern"},
    {"--no-arena", "SessionOptions::enable_cpu_mem_arena"},
    {"--memory-limit", "SessionOptions::limits"},
    {"--provider", "SessionOptions::providers"},
    {"--fallback", "SessionOptions::fallback"},
};

/// Options that are not about the session: of files, inputs, measuring, printing; optimizing is
/// optimize().
const std::set<std::string> of_other_things{"--help",
                                            "--input",
                                            "--inputs",
                                            "--seed",
                                            "--image-layout",
                                            "--mean",
                                            "--std",
                                            "--bgr",
                                            "--crop",
                                            "--data",
                                            "--quantized",
                                            "--outputs",
                                            "--channel-block",
                                            "--level",
                                            "--recipe",
                                            "--rules",
                                            "--on",
                                            "--json",
                                            "--quiet",
                                            "--output",
                                            "--format",
                                            "--runs",
                                            "--by",
                                            "--roofline",
                                            "--resident",
                                            "--warmup",
                                            "--vs",
                                            "--onnxruntime",
                                            "--peer",
                                            "--recorded",
                                            "--release",
                                            "--batch",
                                            "--seconds",
                                            "--precision",
                                            "--rtol",
                                            "--atol",
                                            "--no-memory",
                                            "--csv",
                                            "--of",
                                            "--baseline",
                                            "--max-regress",
                                            "--gate-seconds",
                                            "--any-machine",
                                            "--concurrency",
                                            "--decode",
                                            "--context",
                                            "--caches",
                                            "--new-tokens",
                                            "--max-batch",
                                            "--max-delay",
                                            "--measure",
                                            "--settle",
                                            "--expected",
                                            "--case",
                                            "--in-place",
                                            "--step",
                                            "--top",
                                            "--no-in-place",
                                            "--budget",
                                            "--latency-cap",
                                            "--goal",
                                            "--verify",
                                            "--language",
                                            "--optimized",
                                            "--optimized-model",
                                            "--profile-prefix",
                                            "--disable-optimizer",
                                            "--provider-option",
                                            "--plugin",
                                            "--without-plugin",
                                            "--custom-ops",
                                            "--engine",
                                            "--ort-config",
                                            "--ort-provider-library"};

std::set<std::string> options_of(const std::string& command) {
    const std::string help = run({command, "--help"}).out;
    static const std::regex option(R"(\n  (?:-\w,)?(--[a-z-]+))");
    std::set<std::string> names;
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at)
        names.insert((*at)[1]);
    return names;
}

/// "RunResources::threads" for each member of a struct as its header declares them.
std::set<std::string> members_of(const std::string& name, const std::string& header) {
    std::ostringstream text;
    text << std::ifstream(source_folder() / "core/engine/include/lapidary/exec" / header).rdbuf();
    std::string code = std::regex_replace(text.str(), std::regex("//[^\n]*"), "");
    const std::size_t begin = code.find("struct " + name + " {"), end = code.find("\n};", begin);
    code = code.substr(begin, end - begin);
    static const std::regex member(R"(\n    (?=\w)[\w:<>, ]+ (\w+)(?: = [^;]+)?;)");
    std::set<std::string> names;
    for (std::sregex_iterator at(code.begin(), code.end(), member), last; at != last; ++at)
        names.insert(name + "::" + std::string((*at)[1]));
    return names;
}

/// The members of SessionOptions, with those of its resources.
std::set<std::string> members_of_session_options() {
    std::set<std::string> all = members_of("SessionOptions", "session_options.h");
    EXPECT_EQ(all.erase("SessionOptions::resources"), 1u);
    // inter_threads is declared with the first
    for (const char* former :
         {"intra_threads", "execution_mode", "allow_spinning", "config_entries"})
        EXPECT_EQ(all.erase(std::string("SessionOptions::") + former), 1u);
    all.merge(members_of("RunResources", "run_resources.h"));
    return all;
}

TEST(SessionOptionsOfTheCommandLine, AllHaveAMemberInTheApi) {
    const std::set<std::string> members = members_of_session_options();
    ASSERT_GT(members.size(), 15u);
    std::set<std::string> met;
    for (const char* command :
         {"run", "check", "profile", "memory", "bench", "sweep", "snippet", "serve"}) {
        const std::set<std::string> options = options_of(command);
        ASSERT_FALSE(options.empty()) << command;
        for (const std::string& option : options) {
            const auto partner = in_the_api.find(option);
            EXPECT_TRUE(partner != in_the_api.end() || of_other_things.contains(option))
                << command << " " << option
                << ": say what it is in the C++ API, or that it is not of the session";
            if (partner == in_the_api.end()) continue;
            met.insert(option);
            EXPECT_TRUE(members.contains(partner->second)) << partner->second;
        }
    }
    for (const auto& [option, member] : in_the_api)
        EXPECT_TRUE(met.contains(option)) << option << " is in no command";
}

TEST(SessionOptionsOfTheApi, AllAreOnTheCommandLine) {
    std::set<std::string> keys;
    for (const ConfigKey& key : config_keys()) keys.insert(std::string(key.name));
    const std::string help = run({"run", "--help"}).out;
    for (const std::string& key : keys) EXPECT_NE(help.find(key), std::string::npos) << key;
    // by --config, by an option of its own, or why a command line has no use for it
    const std::map<std::string, std::string> ways{
        {"RunResources::threads", "--intra"},
        {"RunResources::inter_threads", "inter_op_num_threads"},
        {"RunResources::mode", "execution_mode"},
        {"RunResources::spinning", "session.intra_op.allow_spinning"},
        {"SessionOptions::thread_affinities", "session.intra_op_thread_affinities"},
        {"SessionOptions::denormal_as_zero", "session.set_denormal_as_zero"},
        {"SessionOptions::enable_cpu_mem_arena", "enable_cpu_mem_arena"},
        {"SessionOptions::arena_extend", "arena_extend_strategy"},
        {"SessionOptions::enable_mem_pattern", "enable_mem_pattern"},
        {"SessionOptions::session_passes", "--session-passes"},
        {"SessionOptions::free_dimensions", "--dim"},
        {"RunResources::config", "--config"},
        {"SessionOptions::winograd", "no command: for tests and benchmarks of single kernels"},
        {"SessionOptions::reference_kernels",
         "no command: guard, check and bisect use them by themselves"},
        {"SessionOptions::enable_profiling", "no command: profile"},
        {"SessionOptions::check_writes", "no command: for debug builds and tests"},
        {"SessionOptions::random_seed", "no command: --seed is of the inputs, runs repeat"},
        {"SessionOptions::providers", "--provider"},
        {"SessionOptions::fallback", "--fallback"},
        {"SessionOptions::limits", "no command: serve --memory-limit"},
    };
    const std::set<std::string> options = options_of("run");
    for (const std::string& member : members_of_session_options()) {
        const auto way = ways.find(member);
        ASSERT_NE(way, ways.end())
            << member << " has no way on the command line: add one, or say why there is none";
        EXPECT_TRUE(way->second.starts_with("no command: ") || options.contains(way->second) ||
                    keys.contains(way->second))
            << member << ": " << way->second;
    }
    EXPECT_EQ(ways.size(), members_of_session_options().size());
}

}  // namespace
}  // namespace lapidary
