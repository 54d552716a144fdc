// SPDX-License-Identifier: Apache-2.0
// Random models, a test each, so that drop_conditions.py can say which of them meet a condition.
#include <gtest/gtest.h>

#include "lapgen/oracle.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class LapgenSeed : public testing::TestWithParam<int> {};

TEST_P(LapgenSeed, AgreesAtEveryLevel) {
    static const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    const auto seed = static_cast<std::uint64_t>(GetParam());
    const lapgen::GeneratedModel generated = lapgen::generate_model(seed, book, seed % 3 == 0);
    const lapgen::Verdict verdict =
        lapgen::judge(generated.model, generated.exact, generated.dimensions);
    EXPECT_NE(verdict.kind, lapgen::Verdict::Kind::differs) << verdict.symptom;
}

INSTANTIATE_TEST_SUITE_P(Random, LapgenSeed, testing::Range(1, 401));

}  // namespace
}  // namespace lapidary
