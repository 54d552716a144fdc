// SPDX-License-Identifier: Apache-2.0
// The tests of tests/core/engine/exec/engine_decisions_test.cpp, one per operator and share of the
// graphs, so that drop_conditions.py can say which of them meet a condition.
#include <gtest/gtest.h>

#include "support/engine_decision.h"

namespace lapidary::test {
namespace {

class OperatorDecision : public testing::TestWithParam<std::string> {};

TEST_P(OperatorDecision, IsAsRecorded) { check_operator_decisions(GetParam()); }

std::vector<std::string> operators() {
    std::vector<std::string> names;
    for (const auto& [op, calls] : calls_by_operator()) names.push_back(op);
    return names;
}
INSTANTIATE_TEST_SUITE_P(All, OperatorDecision, testing::ValuesIn(operators()));

constexpr std::size_t shares = 200;

class GraphDecision : public testing::TestWithParam<std::size_t> {};

TEST_P(GraphDecision, IsAsRecorded) { check_graph_decisions(GetParam(), shares); }

INSTANTIATE_TEST_SUITE_P(All, GraphDecision, testing::Range<std::size_t>(0, shares));

class VariedGraphDecision : public testing::TestWithParam<std::size_t> {};

TEST_P(VariedGraphDecision, IsAsRecorded) { check_varied_graph_decisions(GetParam(), 64); }

INSTANTIATE_TEST_SUITE_P(All, VariedGraphDecision, testing::Range<std::size_t>(0, 64));

}  // namespace
}  // namespace lapidary::test
