// SPDX-License-Identifier: Apache-2.0
// Generated inputs are such that every operator takes them: each input of each call of an operator
// is generated in turn, the others are what the call has.
#include <gtest/gtest.h>

#include <set>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/exec/session.h>

#include "support/call_variations.h"
#include "support/operator_call.h"

namespace lapidary::test {
namespace {

/// Inputs that no rule can generate, because they contain a file or depend on values of another
/// input.
const std::set<std::pair<std::string, std::size_t>> not_made{
    {"ImageDecoder", 0},  // an encoded picture
    // the number of blocks must match the columns, which also depend on the other input
    {"Col2Im", 1},
    {"Col2Im", 2},
    {"com.microsoft.nchwc::Conv", 1},  // weights in the layout of a block that is not stated
};

std::string run_problem(const Model& model, const NamedValues& inputs) {
    SessionOptions options;
    options.resources.threads = 1;
    options.limits.tensor_bytes = 1 << 24;
    try {
        Session::compile(std::make_shared<const Model>(model), options).run(inputs);
        return {};
    } catch (const Error& error) { return error.what(); }
}

TEST(GeneratedInputs, AreValidForEveryInputOfEveryOperator) {
    std::size_t tried = 0;
    std::set<std::string> problems;
    for (const OperatorCall& base : chosen_calls(3)) {
        if (!run_problem(model_of_call(base), inputs_of_call(base)).empty()) continue;
        for (std::size_t k = 0; k < base.inputs.size(); ++k) {
            const std::string domain =
                base.schema->domain.empty() ? "" : base.schema->domain + "::";
            if (!base.inputs[k] || not_made.contains({domain + base.schema->name, k})) continue;
            OperatorCall call = base;
            for (std::size_t i = 0; i < call.inputs.size(); ++i)
                if (call.inputs[i]) call.constants.insert(i);
            call.constants.erase(k);
            const Model model = model_of_call(call);
            // the call's own inputs fail too
            if (!run_problem(model, inputs_of_call(call)).empty()) continue;
            ++tried;
            for (const std::uint64_t seed : {1, 2}) {
                const std::string problem =
                    run_problem(model, generate_inputs(model, {}, {seed, {}}));
                if (!problem.empty())
                    problems.insert(fmt::format("input {} of {}: {}", k, call.describe(), problem));
            }
        }
    }
    EXPECT_TRUE(problems.empty()) << problems.size() << " of " << tried << ":\n"
                                  << fmt::format("{}", fmt::join(problems, "\n"));
    EXPECT_GT(tried, 1000u);
}

}  // namespace
}  // namespace lapidary::test
