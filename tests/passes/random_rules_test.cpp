// SPDX-License-Identifier: Apache-2.0
// Random models before and after the rules of resources/rules/common.rules.
// LAPIDARY_RULE_MODELS in the environment sets how many.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/passes/user_rules.h>

#include "lapgen/bounds.h"
#include "lapgen/generator.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

NamedValues results_of_run(const Model& model, const NamedValues& inputs) {
    SessionOptions options;
    options.resources.threads = 1;
    options.session_passes = {SessionPasses::Set::none, {}};
    return Session::compile(std::make_shared<const Model>(model), options).run(inputs).outputs;
}

TEST(RandomRules, CommonRulesKeepWhatRandomModelsCompute) {
    const char* wanted = std::getenv("LAPIDARY_RULE_MODELS");
    const std::uint64_t models = wanted ? std::strtoull(wanted, nullptr, 10) : 150;
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    OptimizeOptions options;
    options.level = Level::disabled;
    options.verify = true;
    options.rules = {load_rules(source_folder() / "resources/rules/common.rules")};
    std::size_t changed = 0, compared = 0;
    for (std::uint64_t seed = 1; seed <= models; ++seed) {
        const lapgen::GeneratedModel generated = lapgen::generate_model(seed, book, seed % 3 == 0);
        const Model& model = generated.model;
        const OptimizeResult result = optimize(model, options);
        if (std::ranges::none_of(result.report.rewrites,
                                 [](const AppliedRewrite& r) { return r.level == Level::user; }))
            continue;
        ++changed;
        if (lapgen::has_half(model) || lapgen::quantizes(model)) continue;
        NamedValues inputs, expected, moved;
        try {
            inputs = generate_inputs(model, {}, {.seed = seed, .dimensions = generated.dimensions});
            expected = results_of_run(model, inputs);
            moved = results_of_run(model, lapgen::nudged(inputs));
        } catch (const Error&) {
            continue;  // the model itself does not run on these inputs
        }
        ++compared;
        EXPECT_EQ(lapgen::differences_of(results_of_run(result.model, inputs), expected,
                                         lapgen::bounds(expected, moved, false)),
                  "")
            << "seed " << seed;
    }
    std::cout << models << " models, " << changed << " changed by rules, " << compared
              << " compared\n";
    EXPECT_GE(compared, models / 20);
}

}  // namespace
}  // namespace lapidary
