// SPDX-License-Identifier: Apache-2.0
// Graphs a step away from those that passes are tested on: every pass leaves them alone or keeps
// what they compute. LAPIDARY_NEIGHBOURS in the environment sets how many of each case.
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "lapgen/neighbour.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

TEST(PassNeighbours, ComputeTheSame) {
    const char* wanted = std::getenv("LAPIDARY_NEIGHBOURS");
    const std::uint64_t per_case = wanted ? std::strtoull(wanted, nullptr, 10) : 2;
    std::uint64_t made = 0, ran = 0;
    for (const test::PassCase& c : test::read_pass_cases(fixtures_folder() / "passes"))
        for (std::uint64_t seed = 0; seed < per_case; ++seed) {
            const auto found = lapgen::neighbour(c, seed);
            if (!found) continue;
            ++made;
            ran += !found->inputs.empty();
            const std::string problem = lapgen::check_neighbour(*found);
            EXPECT_TRUE(problem.empty())
                << c.name << " (seed " << seed << "): " << found->step << "\n"
                << found->pass_case.before << "\n"
                << problem;
        }
    std::cout << made << " neighbours, " << ran << " with inputs\n";
    EXPECT_GE(made, per_case * 300) << "too many steps lead to no valid graph";
}

}  // namespace
}  // namespace lapidary
