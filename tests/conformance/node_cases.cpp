// SPDX-License-Identifier: Apache-2.0
#include "conformance/node_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <regex>
#include <vector>

#include "support/test_data.h"

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;

struct Skip {
    std::regex pattern;  // of the whole name
    std::string reason;
};
#define LAPIDARY_NODE_SKIP(name, reason)
#define LAPIDARY_DEBIAN_SKIP(name, reason)
#define LAPIDARY_NEWEST_SKIP(pattern, reason)
#define LAPIDARY_NODE_TOLERANCE(name, rtol, atol, reason)

#undef LAPIDARY_NODE_SKIP
#define LAPIDARY_NODE_SKIP(name, reason) {std::regex(name), reason},
const std::vector<Skip> general_skips{
#include "conformance/node_skips.inc"
};

#undef LAPIDARY_DEBIAN_SKIP
#define LAPIDARY_DEBIAN_SKIP(name, reason) {std::regex(name), reason},
const std::vector<Skip> debian_skips{
#include "conformance/node_skips.inc"
};
#undef LAPIDARY_DEBIAN_SKIP
#define LAPIDARY_DEBIAN_SKIP(name, reason)

#undef LAPIDARY_NEWEST_SKIP
#define LAPIDARY_NEWEST_SKIP(pattern, reason) {std::regex(pattern), reason},
const std::vector<Skip> newest_skips{
#include "conformance/node_skips.inc"
};
#undef LAPIDARY_NEWEST_SKIP
#define LAPIDARY_NEWEST_SKIP(pattern, reason)

#undef LAPIDARY_NODE_SKIP
#define LAPIDARY_NODE_SKIP(name, reason)
#undef LAPIDARY_NODE_TOLERANCE
#define LAPIDARY_NODE_TOLERANCE(name, rtol, atol, reason) {name, Tolerance{rtol, atol}},
const std::map<std::string, Tolerance> tolerances{
#include "conformance/node_skips.inc"
};

/// Why the case need not pass; "" for one that must.
std::string skip_reason(NodeCases cases, const std::string& name) {
    const std::vector<Skip>& skips = cases == NodeCases::debian   ? debian_skips
                                     : cases == NodeCases::beside ? general_skips
                                                                  : newest_skips;
    const auto found = std::ranges::find_if(
        skips, [&](const Skip& s) { return std::regex_match(name, s.pattern); });
    return found == skips.end() ? std::string() : found->reason;
}

}  // namespace

fs::path folder_of(NodeCases cases) {
    if (cases == NodeCases::debian) return "/usr/share/libonnx-testdata/data";
    if (cases == NodeCases::beside) return test_data() / "conformance" / "onnx-node";
    const char* named = std::getenv("LAPIDARY_NODE_CASES");
    return named ? fs::path(named) : source_folder() / "build" / "node_cases";
}

void run_node_cases(NodeCases cases, const CaseOptions& options, const char* but_for) {
    const fs::path root = folder_of(cases);
    if (!fs::is_directory(root)) GTEST_SKIP() << "there are no node cases at " << root;
    const char* filter = std::getenv("LAPIDARY_NODE_CASE");
    std::size_t passed = 0, failed = 0, skipped = 0;
    for (const fs::path& folder : find_onnx_cases(root)) {
        const std::string name = folder.filename().string();
        if (filter != nullptr && name.find(filter) == std::string::npos) continue;
        if (but_for != nullptr && std::regex_match(name, std::regex(but_for))) continue;
        const std::string skip = skip_reason(cases, name);
        CaseOptions with_tolerance = options;
        if (const auto wide = tolerances.find(name); wide != tolerances.end())
            with_tolerance.tolerance = wide->second;
        const CaseOutcome outcome = run_onnx_case(folder, with_tolerance);
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
    const double percent =
        ran == 0 ? 0 : 100.0 * static_cast<double>(passed) / static_cast<double>(ran);
    std::printf("%zu of %zu passed (%.1f %%), %zu skipped\n", passed, ran, percent, skipped);
    EXPECT_EQ(failed, 0u);
    EXPECT_GT(passed, 0u);
}

}  // namespace lapidary::test
