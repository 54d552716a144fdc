// SPDX-License-Identifier: Apache-2.0
// Neighbours of the cases of tests/fixtures/passes, a test each, so that drop_conditions.py can tell which of them meet a condition.
// LAPIDARY_NEIGHBOURS=12 in the environment: so many of every case. LAPIDARY_WRITE_NEIGHBOURS=FOLDER: writes each as a case.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lapidary/error.h>
#include <lapidary/graph_text.h>

#include "conditions/dropping.h"
#include "lapgen/neighbour.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

const std::vector<test::PassCase>& cases() {
    static const std::vector<test::PassCase> all = test::read_pass_cases(fixtures_folder() / "passes");
    return all;
}

int neighbours_per_case() {
    const char* wanted = std::getenv("LAPIDARY_NEIGHBOURS");
    return wanted ? std::atoi(wanted) : 0;
}

/// The neighbour as a case that expects what the passes make of it today; nothing where such a case does not hold.
void write_case(const std::filesystem::path& folder, const std::string& name, const lapgen::Neighbour& found, bool ran) {
    const test::PassCase& c = found.pass_case;
    const OptimizeResult result = optimize(test::model_of(c.before, c.opset), test::options_of(c));
    const auto joined = [](const std::vector<std::string>& list) {
        std::string text;
        for (const std::string& s : list) text += (text.empty() ? "" : ", ") + s;
        return text;
    };
    std::string text = fmt::format("# case: {}: {}\n", c.name.substr(c.name.find(": ") + 2), found.step);
    if (!c.passes.empty()) text += "# passes: " + joined(c.passes) + "\n";
    if (!c.level.empty()) text += "# level: " + c.level + "\n";
    if (!c.enable.empty()) text += "# enable: " + joined(c.enable) + "\n";
    if (c.opset != 17) text += fmt::format("# opset: {}\n", c.opset);
    if (c.provider != "cpu") text += "# provider: " + c.provider + "\n";
    if (c.block != 0) text += fmt::format("# block: {}\n", c.block);
    if (c.tolerance != 1e-4) text += fmt::format("# tolerance: {}\n", c.tolerance);
    for (const auto& [symbol, size] : c.dimensions) text += fmt::format("# dimension: {} = {}\n", symbol, size);
    if (!ran) text += "# not run\n";
    GraphTextOptions options;
    options.opset = c.opset;
    options.printed_elements = 64;
    text += c.before;
    if (result.report.rewrites.empty()) text += "# unchanged\n";
    else text += "# after\n" + print_graph(result.model.graph, options);
    for (const AppliedRewrite& r : result.report.rewrites) text += "# applied: " + r.rewrite.pass + "\n";
    for (const NearMiss& m : result.report.near_misses) text += "# missed: " + m.pass + ": " + m.reason + "\n";
    const std::filesystem::path own = folder / name, file = own / "case.graph";
    std::filesystem::create_directories(own);
    std::ofstream(file) << text;
    const auto read = test::read_pass_cases(own);
    const std::string problem = read.size() == 1 ? test::check_pass_case(read[0]) : "not one case";
    if (!problem.empty()) {
        std::filesystem::remove(file);
        std::ofstream(own / "problem.txt") << text << "\n" << problem;
    }
}

class PassNeighbour : public testing::TestWithParam<std::tuple<std::size_t, int>> {};

TEST_P(PassNeighbour, ComputesTheSame) {
    const auto [index, seed] = GetParam();
    const auto found = lapgen::neighbour(cases()[index], static_cast<std::uint64_t>(seed));
    if (!found) return;
    if (const char* folder = std::getenv("LAPIDARY_WRITE_NEIGHBOURS")) {
        try {
            write_case(folder, fmt::format("{}_{}", index, seed), *found, found->pass_case.runs && !found->inputs.empty() && found->full_types.empty());
        } catch (const Error&) {
        }
        return;
    }
    std::string with_all, result;
    if (conditions::is_dropping()) {
        conditions::suspend(true);
        lapgen::check_neighbour(*found, &with_all);
        conditions::suspend(false);
    }
    const std::string problem = lapgen::check_neighbour(*found, &result);
    EXPECT_TRUE(problem.empty()) << found->pass_case.name << ": " << found->step << "\n" << found->pass_case.before << "\n" << problem;
    if (conditions::is_dropping()) EXPECT_EQ(result, with_all);
}

INSTANTIATE_TEST_SUITE_P(Random, PassNeighbour, testing::Combine(testing::Range<std::size_t>(0, cases().size()), testing::Range(0, neighbours_per_case())));
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PassNeighbour);

}  // namespace
}  // namespace lapidary
