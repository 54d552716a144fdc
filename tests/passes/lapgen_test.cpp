// SPDX-License-Identifier: Apache-2.0
// 300 random models at every level. LAPIDARY_LAPGEN_MODELS=20000 in the environment for more; the program lapgen reduces failures.
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "lapgen/oracle.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

TEST(Lapgen, RandomModelsAgreeAtEveryLevel) {
    const char* wanted = std::getenv("LAPIDARY_LAPGEN_MODELS");
    const std::uint64_t models = wanted ? std::strtoull(wanted, nullptr, 10) : 300;
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    std::uint64_t exact = 0, skipped = 0;
    for (std::uint64_t seed = 1; seed <= models; ++seed) {
        const lapgen::GeneratedModel generated = lapgen::generate_model(seed, book, seed % 3 == 0);
        const lapgen::Verdict verdict = lapgen::judge(generated.model, generated.exact, generated.dimensions);
        skipped += verdict.kind == lapgen::Verdict::Kind::cannot_run;
        exact += generated.exact && verdict.kind == lapgen::Verdict::Kind::agrees;
        EXPECT_NE(verdict.kind, lapgen::Verdict::Kind::differs) << "seed " << seed << ": " << verdict.symptom << "; moved by " << verdict.pass;
    }
    std::cout << models << " models, " << exact << " of them equal to the last bit, " << skipped << " could not run as they were\n";
    EXPECT_LE(skipped, models / 5) << "the generator makes too many models that cannot run";
    EXPECT_GE(exact, models / 6);
}

/// A generator that never makes what a pass looks for says nothing about that pass.
TEST(Lapgen, ReducesAFailureToItsCause) {
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    const auto has_conv = [](const Model& m) {
        for (NodeId id : m.graph.nodes())
            if (m.graph.node(id).op_type == "Conv") return true;
        return false;
    };
    for (std::uint64_t seed = 1; seed < 100; ++seed) {
        const Model model = lapgen::generate_model(seed, book, false).model;
        if (!has_conv(model) || model.graph.node_count() < 8) continue;
        const Model small = lapgen::reduce(model, has_conv);
        EXPECT_TRUE(has_conv(small));
        EXPECT_LE(small.graph.node_count(), 2u);
        return;
    }
    FAIL() << "no model with a Conv among 100";
}

}  // namespace
}  // namespace lapidary
