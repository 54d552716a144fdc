// SPDX-License-Identifier: Apache-2.0
// What inference says, what is fused, which kernel is chosen and why better ones are not, how
// memory is shared, against the answers recorded in tests/fixtures/decisions. Where one changes on
// purpose: LAPIDARY_WRITE_DECISIONS=1 writes them anew; read the change.
#include <gtest/gtest.h>

#include "base/cpu_features.h"
#include "support/engine_decision.h"

namespace lapidary::test {
namespace {

TEST(EngineDecisions, OfEveryOperator) {
    if (active_isa() < Isa::avx2) GTEST_SKIP() << "the answers recorded are those of AVX2";
    std::size_t compared = 0;
    for (const auto& [op, calls] : calls_by_operator()) compared += check_operator_decisions(op);
    EXPECT_GT(compared, 5000u) << "recorded answers that are not compared any more";
}

TEST(EngineDecisions, OfTheGraphsOfThePasses) {
    if (active_isa() < Isa::avx2) GTEST_SKIP() << "the answers recorded are those of AVX2";
    EXPECT_GT(check_graph_decisions(0, 1), 700u);
}

TEST(EngineDecisions, OfGraphsVariedAtEveryPlace) {
    if (active_isa() < Isa::avx2) GTEST_SKIP() << "the answers recorded are those of AVX2";
    EXPECT_GT(check_varied_graph_decisions(0, 1), 500u);
}

}  // namespace
}  // namespace lapidary::test
