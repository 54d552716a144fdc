// SPDX-License-Identifier: Apache-2.0
// Hostile models, given to lapidary-cli in a separate process: none may crash it, hang it or make
// it take memory beyond the size of the file, and each must be refused for its own defect, not for
// another one.
#include <gtest/gtest.h>

#include "support/test_data.h"
#include "support/time_budget.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <regex.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;

// of CPU time: it catches hangs; a slow machine takes tenths of a second to touch the memory of a
// large file
const double seconds_allowed = lapidary::wall_factor;
// of memory: shadow, red zones, quarantine
constexpr long shadow_factor = lapidary::under_sanitizer ? 8 : 1;

enum class Outcome { rejected, warned, either, loads, at_run };

struct Case {
    const char* id;
    Outcome outcome;
    const char* pattern;
    const char* twin;
};

const Case cases[] = {
#define LAPIDARY_CASE(id, outcome, pattern, twin) {#id, Outcome::outcome, pattern, #twin},
#include "malformed_cases.inc"
#undef LAPIDARY_CASE
};

struct Result {
    int status = -1;  // exit code, or 256 + signal
    double cpu_seconds = 0;
    long peak_kilobytes = 0;
    std::string out, err;
};

std::string slurp(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Between this process and the program stands a small one: a process starts with the peak memory of
// the one that forked it, and this one may be large. It writes exit code, seconds and kilobytes.
constexpr const char* launcher = R"(
import resource, subprocess, sys
out, err, usage = sys.argv[1:4]
with open(out, "wb") as o, open(err, "wb") as e:
    try: status = subprocess.run(sys.argv[4:], stdin=subprocess.DEVNULL, stdout=o, stderr=e, timeout=240).returncode
    except subprocess.TimeoutExpired: status = -14
u = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(usage, "w") as f: print(status if status >= 0 else 256 - status, u.ru_utime + u.ru_stime, u.ru_maxrss, file=f)
)";

/// Runs a program to its end; after four minutes it counts as hung and is killed.
Result run(const std::vector<std::string>& arguments, const fs::path& scratch) {
    const fs::path out = scratch / "stdout", err = scratch / "stderr", usage = scratch / "usage";
    std::vector<std::string> all = {"/usr/bin/python3", "-S",         "-E",         "-c",
                                    launcher,           out.string(), err.string(), usage.string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& a : all) argv.push_back(a.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    Result result;
    std::ifstream(usage) >> result.status >> result.cpu_seconds >> result.peak_kilobytes;
    result.out = slurp(out);
    result.err = slurp(err);
    return result;
}

bool matches(const std::string& text, const char* pattern) {
    regex_t expression;
    if (::regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        throw std::runtime_error(std::string("bad pattern ") + pattern);
    // The library stops at a NUL; messages escape it, so there is none.
    const bool found = ::regexec(&expression, text.c_str(), 0, nullptr, 0) == 0;
    ::regfree(&expression);
    return found;
}

class Malformed : public ::testing::TestWithParam<char> {
protected:
    static constexpr int exit_bad_input = 3, exit_not_supported = 4;

    void SetUp() override {
        const fs::path generator = lapidary::test_data() / "malformed/gen_malformed.py";
        if (!fs::exists(generator)) GTEST_SKIP() << "no " << generator;
        std::string pattern = (fs::temp_directory_path() / "lapidary-malformed-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        scratch_ = pattern;
        const Result made = run({"/usr/bin/python3", "-W", "ignore",
                                 (lapidary::fixtures_folder() / "malformed_twins.py").string(),
                                 generator.string(), (scratch_ / "files").string()},
                                scratch_);
        if (made.status != 0 && made.err.find("ModuleNotFoundError") != std::string::npos)
            GTEST_SKIP() << "python3 lacks onnx or numpy";
        ASSERT_EQ(made.status, 0) << made.err;
    }

    void TearDown() override {
        std::error_code ignored;
        if (!scratch_.empty()) fs::remove_all(scratch_, ignored);
    }

    Result info(const std::string& file) {
        return run(
            {lapidary::cli_program(), "info", "--json", (scratch_ / "files" / file).string()},
            scratch_);
    }

    void check(const Case& c) {
        const fs::path file = scratch_ / "files" / (std::string(c.id) + ".onnx");
        const Result result = info(file.filename().string());
        SCOPED_TRACE(std::string(c.id) + ": exit " + std::to_string(result.status) + ", " +
                     std::to_string(result.cpu_seconds) + " s, " +
                     std::to_string(result.peak_kilobytes) + " kB: " + result.err.substr(0, 600));
        ASSERT_LT(result.status, 256) << "killed by signal " << result.status - 256;
        const bool refused = result.status == exit_bad_input || result.status == exit_not_supported;
        ASSERT_TRUE(refused || result.status == 0);
        if (std::string(c.id) == "B18_100k_chain_ok") {
            EXPECT_LE(result.cpu_seconds, 2 * seconds_allowed);
        } else {
            EXPECT_LE(result.cpu_seconds, seconds_allowed);
            EXPECT_LE(
                result.peak_kilobytes,
                shadow_factor * (64 * 1024 + 2 * static_cast<long>(fs::file_size(file) / 1024)));
        }
        if (refused) {
            EXPECT_TRUE(c.outcome == Outcome::rejected || c.outcome == Outcome::either ||
                        c.outcome == Outcome::at_run)
                << "refused, expected to load";
            const auto error = nlohmann::json::parse(result.err, nullptr, false);
            ASSERT_FALSE(error.is_discarded()) << "stderr is not one JSON object";
            const std::string text = unescaped(error);
            EXPECT_TRUE(matches(text, c.pattern))
                << "message: " << text << "\nexpected: " << c.pattern;
            EXPECT_NE(text.find(file.string()), std::string::npos)
                << "the message does not name the file: " << text;
            return;
        }
        EXPECT_NE(c.outcome, Outcome::rejected)
            << "loaded, expected to be refused with: " << c.pattern;
        const auto card = nlohmann::json::parse(result.out, nullptr, false);
        ASSERT_FALSE(card.is_discarded()) << "stdout is not JSON";
        if (c.outcome != Outcome::warned && c.outcome != Outcome::either) return;
        std::string all;
        for (const auto& w : card["warnings"])
            all += w["where"].get<std::string>() + ": " + w["message"].get<std::string>() + "\n";
        EXPECT_TRUE(matches(all, c.pattern)) << "warnings: " << all << "expected: " << c.pattern;
    }

    /// The optimizer goes further into a model than loading does: passes, folding, conversion,
    /// saving.
    void check_optimized(const Case& c, const std::vector<std::string>& options) {
        const fs::path file = scratch_ / "files" / (std::string(c.id) + ".onnx"),
                       written = scratch_ / "optimized.onnx";
        std::vector<std::string> arguments = {lapidary::cli_program(), "optimize", file.string(),
                                              "-o", written.string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Result result = run(arguments, scratch_);
        SCOPED_TRACE(std::string(c.id) + ": exit " + std::to_string(result.status) + ": " +
                     result.err.substr(0, 600));
        ASSERT_LT(result.status, 256) << "killed by signal " << result.status - 256;
        if (result.status != 0) {
            EXPECT_TRUE(result.status == exit_bad_input || result.status == exit_not_supported);
            EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << "not one line";
            EXPECT_EQ(result.err.rfind("lapidary-cli: ", 0), 0u);
            EXPECT_FALSE(fs::exists(written)) << "refused, but a file was written";
            return;
        }
        EXPECT_TRUE(result.err.empty());
        EXPECT_EQ(run({lapidary::cli_program(), "info", written.string()}, scratch_).status, 0)
            << "what was written does not load";
        fs::remove(written);
        fs::remove(written.string() + ".data");
    }

    /// Where-chain and message of the error object in one line, as Error::what() composes them.
    static std::string unescaped(const nlohmann::json& error) {
        std::string text;
        const nlohmann::json& e =
            error.contains("error") && error["error"].is_object() ? error["error"] : error;
        if (e.contains("where"))
            for (const auto& place : e["where"]) text += place.get<std::string>() + ": ";
        if (e.contains("message")) text += e["message"].get<std::string>();
        return text;
    }

    fs::path scratch_;
};

TEST_P(Malformed, IsRefusedForItsOwnDefect) {
    for (const Case& c : cases)
        if (c.id[0] == GetParam()) check(c);
}

TEST_P(Malformed, OptimizerRefusesOrWritesWhatLoads) {
    for (const Case& c : cases) {
        if (c.id[0] != GetParam()) continue;
        check_optimized(c, {"--level", "all"});
        check_optimized(c, {"--target", "plain", "--opset", "23"});
    }
}

TEST_P(Malformed, RepairedTwinLoads) {
    std::vector<std::string> done;
    for (const Case& c : cases) {
        if (c.id[0] != GetParam() || std::find(done.begin(), done.end(), c.twin) != done.end())
            continue;
        done.push_back(c.twin);
        const Result result = info("twin_" + std::string(c.twin) + ".onnx");
        EXPECT_EQ(result.status, 0) << "twin " << c.twin << " of " << c.id << ": " << result.err;
    }
}

TEST_P(Malformed, EveryGeneratedModelHasACase) {
    for (const auto& entry : fs::directory_iterator(scratch_ / "files")) {
        const std::string id = entry.path().stem().string();
        if (entry.path().extension() != ".onnx" || id[0] != GetParam() || id.size() < 3 ||
            id[1] < '0' || id[1] > '9')
            continue;
        EXPECT_TRUE(std::ranges::any_of(cases, [&](const Case& c) { return id == c.id; }))
            << id << " has no line in malformed_cases.inc";
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Malformed, ::testing::Values('A', 'B', 'C', 'D', 'E', 'F'),
                         [](const auto& group) { return std::string(1, group.param); });

}  // namespace
