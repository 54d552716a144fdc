// SPDX-License-Identifier: Apache-2.0
// Random models edited by random lines. LAPIDARY_EDITED_MODELS in the environment sets how many.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include <lapidary/edit/edit_verbs.h>

#include "lapgen/edits.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

TEST(RandomEdits, LinesDoWhatTheySayOrAreRefused) {
    const char* wanted = std::getenv("LAPIDARY_EDITED_MODELS");
    const std::uint64_t models = wanted ? std::strtoull(wanted, nullptr, 10) : 60;
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    lapgen::EditTally tally;
    for (std::uint64_t seed = 1; seed <= models; ++seed) {
        const lapgen::Verdict verdict =
            lapgen::judge_edits(lapgen::generate_model(seed, book, false), seed, tally);
        EXPECT_NE(verdict.kind, lapgen::Verdict::Kind::differs)
            << "seed " << seed << ": " << verdict.symptom << "; moved by " << verdict.pass;
    }
    int applied = 0, refused = 0, compared = 0;
    std::ptrdiff_t forms = 0;
    for (const auto& [form, counts] : tally) {
        applied += counts.applied;
        refused += counts.refused;
        compared += counts.compared;
        forms += counts.applied > 0;
    }
    std::cout << models << " models, " << applied << " lines applied (" << compared
              << " with results compared), " << refused << " refused; " << forms << " of "
              << edit_verbs().size() << " forms applied\n";
    EXPECT_GE(applied, static_cast<int>(models) * 2);
    EXPECT_GE(compared, static_cast<int>(models) / 2);
    EXPECT_GE(forms, std::ssize(edit_verbs()) / 2) << "the lines fit too seldom";
}

}  // namespace
}  // namespace lapidary
