// SPDX-License-Identifier: Apache-2.0
// Runs the ONNX backend test data through the library: Debian's package libonnx-testdata (opset 17 and
// before), newer node cases beside the other test data, and those of the installed onnx package, which
// make_node_cases.py writes to build/node_cases (LAPIDARY_NODE_CASES names another folder). Every case that
// node_skips.inc does not list must pass. LAPIDARY_NODE_CASE=text runs only the cases whose folder name contains the
// text.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "support/onnx_case.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;

using Skips = std::map<std::string, std::string>;  // case -> reason

const Skips general_skips{
#define LAPIDARY_NODE_SKIP(name, reason) {name, reason},
#define LAPIDARY_DEBIAN_SKIP(name, reason)
#define LAPIDARY_NEWEST_SKIP(pattern, reason)
#define LAPIDARY_NODE_TOLERANCE(name, rtol, atol, reason)
#include "conformance/node_skips.inc"
#undef LAPIDARY_NODE_SKIP
#undef LAPIDARY_DEBIAN_SKIP
#undef LAPIDARY_NEWEST_SKIP
};

const Skips debian_skips{
#define LAPIDARY_NODE_SKIP(name, reason) {name, reason},
#define LAPIDARY_DEBIAN_SKIP(name, reason) {name, reason},
#define LAPIDARY_NEWEST_SKIP(pattern, reason)
#include "conformance/node_skips.inc"
#undef LAPIDARY_NODE_SKIP
#undef LAPIDARY_DEBIAN_SKIP
#undef LAPIDARY_NEWEST_SKIP
};

/// Families of cases of the installed package, by pattern of the whole name.
const std::vector<std::pair<std::regex, std::string>>& newest_skips() {
    static const std::vector<std::pair<std::regex, std::string>> skips{
#define LAPIDARY_NODE_SKIP(name, reason) {std::regex(name), reason},
#define LAPIDARY_DEBIAN_SKIP(name, reason)
#define LAPIDARY_NEWEST_SKIP(pattern, reason) {std::regex(pattern), reason},
#include "conformance/node_skips.inc"
#undef LAPIDARY_NODE_SKIP
#undef LAPIDARY_DEBIAN_SKIP
#undef LAPIDARY_NEWEST_SKIP
#undef LAPIDARY_NODE_TOLERANCE
    };
    return skips;
}

Tolerance tolerance_of(const std::string& name) {
    static const std::map<std::string, Tolerance> table{
#define LAPIDARY_NODE_SKIP(name, reason)
#define LAPIDARY_DEBIAN_SKIP(name, reason)
#define LAPIDARY_NEWEST_SKIP(pattern, reason)
#define LAPIDARY_NODE_TOLERANCE(name, rtol, atol, reason) {name, Tolerance{rtol, atol}},
#include "conformance/node_skips.inc"
#undef LAPIDARY_NODE_SKIP
#undef LAPIDARY_DEBIAN_SKIP
#undef LAPIDARY_NEWEST_SKIP
#undef LAPIDARY_NODE_TOLERANCE
    };
    const auto found = table.find(name);
    return found == table.end() ? Tolerance{} : found->second;
}

using SkipReason = std::function<std::string(const std::string& name)>;  // "" for a case that must pass

SkipReason listed(const Skips& skips) {
    return [&skips](const std::string& name) {
        const auto found = skips.find(name);
        return found == skips.end() ? std::string() : found->second;
    };
}

void run_all(const fs::path& root, const SkipReason& skip_reason, Level level = Level::disabled) {
    const char* filter = std::getenv("LAPIDARY_NODE_CASE");
    std::size_t passed = 0, failed = 0, skipped = 0;
    for (const fs::path& folder : find_onnx_cases(root)) {
        const std::string name = folder.filename().string();
        if (filter != nullptr && name.find(filter) == std::string::npos) continue;
        const std::string skip = skip_reason(name);
        const CaseOutcome outcome = run_onnx_case(folder, tolerance_of(name), level);
        if (!skip.empty()) {
            ++skipped;
            std::printf("skipped %s: %s\n", name.c_str(), skip.c_str());
            EXPECT_FALSE(outcome.passed) << name << " passes: take it off the list of skips";
        } else if (outcome.passed) {
            ++passed;
        } else {
            ++failed;
            std::printf("failed %s: %s\n", name.c_str(), outcome.message.c_str());
        }
        std::fflush(stdout);
    }
    const std::size_t ran = passed + failed;
    if (ran == 0 && filter != nullptr) GTEST_SKIP() << "no case is called like " << filter;
    const double percent = ran == 0 ? 0 : 100.0 * static_cast<double>(passed) / static_cast<double>(ran);
    std::printf("%zu of %zu passed (%.1f %%), %zu skipped\n", passed, ran, percent, skipped);
    EXPECT_EQ(failed, 0u);
    EXPECT_GT(passed, 0u);
}

TEST(NodeConformance, DebianTestData) {
    const fs::path root = "/usr/share/libonnx-testdata/data";
    if (!fs::is_directory(root)) GTEST_SKIP() << "Debian's libonnx-testdata is not installed: no " << root;
    run_all(root, listed(debian_skips));
}

TEST(NodeConformance, NewerNodeCases) {
    const fs::path root = test_data() / "conformance" / "onnx-node";
    if (!fs::is_directory(root)) GTEST_SKIP() << "there are no node cases at " << root;
    run_all(root, listed(general_skips));
}

class NewestNodeCases : public testing::TestWithParam<Level> {};

TEST_P(NewestNodeCases, PassAtLevel) {
    const char* named = std::getenv("LAPIDARY_NODE_CASES");
    const fs::path root = named ? fs::path(named) : source_folder() / "build" / "node_cases";
    if (!fs::is_directory(root)) GTEST_SKIP() << "make_node_cases.py has written no cases to " << root;
    const auto reason = [](const std::string& name) {
        const auto found =
            std::ranges::find_if(newest_skips(), [&](const auto& skip) { return std::regex_match(name, skip.first); });
        return found == newest_skips().end() ? std::string() : found->second;
    };
    run_all(root, reason, GetParam());
}

INSTANTIATE_TEST_SUITE_P(NodeConformance, NewestNodeCases, testing::Values(Level::disabled, Level::all),
                         [](const auto& info) {
                             return info.param == Level::all ? std::string("all") : std::string("disabled");
                         });

}  // namespace
}  // namespace lapidary::test
