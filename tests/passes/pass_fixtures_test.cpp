// SPDX-License-Identifier: Apache-2.0
// Every case of tests/fixtures/passes (form: support/pass_harness.h), and of
// tests/fixtures/near_misses: neighbours of those, each of which a pass would treat otherwise
// without one of its conditions (tests/conditions/near_misses.py found them).
#include <gtest/gtest.h>

#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class PassFixture : public testing::TestWithParam<test::PassCasePlace> {};

TEST_P(PassFixture, RewritesAsWritten) {
    const std::string problems = test::check_pass_case(test::read_pass_case(GetParam()));
    EXPECT_TRUE(problems.empty()) << GetParam().file << ":" << GetParam().line << "\n" << problems;
}

std::string test_name(const testing::TestParamInfo<test::PassCasePlace>& info) {
    std::string name;
    for (char c : info.param.name) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(All, PassFixture,
                         testing::ValuesIn(test::find_pass_cases(fixtures_folder() / "passes")),
                         test_name);
INSTANTIATE_TEST_SUITE_P(NearMisses, PassFixture,
                         testing::ValuesIn(test::find_pass_cases(fixtures_folder() /
                                                                 "near_misses")),
                         test_name);

}  // namespace
}  // namespace lapidary
