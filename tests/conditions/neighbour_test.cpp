// SPDX-License-Identifier: Apache-2.0
// Neighbours of the cases of tests/fixtures/passes, a test each, so that drop_conditions.py can say
// which of them meet a condition. LAPIDARY_NEIGHBOURS in the environment sets how many of each
// case; LAPIDARY_WRITE_NEIGHBOURS=FOLDER writes each as a case.
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conditions/dropping.h"
#include "conditions/near_miss_case.h"
#include "lapgen/neighbour.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

const std::vector<test::PassCase>& cases() {
    static const std::vector<test::PassCase> all =
        test::read_pass_cases(fixtures_folder() / "passes");
    return all;
}

int neighbours_per_case() {
    const char* wanted = std::getenv("LAPIDARY_NEIGHBOURS");
    return wanted ? std::atoi(wanted) : 0;
}

class PassNeighbour : public testing::TestWithParam<std::tuple<std::size_t, int>> {};

TEST_P(PassNeighbour, ComputesTheSame) {
    const auto [index, seed] = GetParam();
    const auto found = lapgen::neighbour(cases()[index], static_cast<std::uint64_t>(seed));
    if (!found) return;
    if (const char* folder = std::getenv("LAPIDARY_WRITE_NEIGHBOURS")) {
        const std::filesystem::path own =
            std::filesystem::path(folder) / fmt::format("{}_{}", index, seed);
        EXPECT_EQ(write_and_check(own, case_text(*found)), "") << own;
        return;
    }
    std::string with_all, result;
    if (conditions::is_dropping()) {
        conditions::suspend(true);
        lapgen::check_neighbour(*found, &with_all);
        conditions::suspend(false);
    }
    const std::string problem = lapgen::check_neighbour(*found, &result);
    EXPECT_TRUE(problem.empty()) << found->pass_case.name << ": " << found->step << "\n"
                                 << found->pass_case.before << "\n"
                                 << problem;
    if (conditions::is_dropping()) EXPECT_EQ(result, with_all);
}

INSTANTIATE_TEST_SUITE_P(Random, PassNeighbour,
                         testing::Combine(testing::Range<std::size_t>(0, cases().size()),
                                          testing::Range(0, neighbours_per_case())));
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PassNeighbour);

}  // namespace
}  // namespace lapidary
