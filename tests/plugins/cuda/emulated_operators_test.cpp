// SPDX-License-Identifier: Apache-2.0
// Every operator that the CUDA provider takes, as the fixtures and the conformance data call it, on the emulated device
// in three orders of threads, against the reference kernels.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/error.h>
#include <lapidary/infer.h>
#include <lapidary/placement.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/operator_call.h"

namespace lapidary::test {
namespace {

struct ListedOperator {
    const char *domain, *op;
};
constexpr ListedOperator listed[] = {
#define LAPIDARY_CUDA_OPERATOR(domain, op, maker) {domain, op},
#include "operators/operators.inc"
#undef LAPIDARY_CUDA_OPERATOR
};

/// Made by session passes alone; emulated_graphs_test.cpp has them.
bool is_of_sessions(const ListedOperator& o) { return std::string_view(o.domain) == "lapidary"; }

/// The provider runs the call's node.
bool is_placed(const ModelPtr& model) {
    EmulatedRun run;
    run.fallback = Fallback::allow;
    const Session session = Session::compile(model, emulated_options(run));
    const auto& nodes = session.placement().nodes;
    return !nodes.empty() && nodes[0].provider == "cuda_emulated";
}

/// All calls of an operator; reading them takes seconds, and is done once.
const std::vector<OperatorCall>& calls_of(const ListedOperator& of) {
    static const auto calls = [] {
        std::map<std::pair<std::string, std::string>, std::vector<OperatorCall>> by_operator;
        for (OperatorCall& call : operator_calls())
            by_operator[{call.schema->domain, call.schema->name}].push_back(std::move(call));
        return by_operator;
    }();
    static const std::vector<OperatorCall> none;
    const auto found = calls.find({of.domain, of.op});
    return found == calls.end() ? none : found->second;
}

class EmulatedOperator : public testing::TestWithParam<int> {};

TEST_P(EmulatedOperator, AgreesWithTheReferenceKernel) {
    const ListedOperator& of = listed[GetParam()];
    int placed = 0, calls = 0;
    for (const OperatorCall& call : calls_of(of)) {
        ++calls;
        for (const bool is_static : {true, false}) {
            Model made = model_of_call(call, is_static);
            const NamedValues inputs = inputs_of_call(call);
            try {
                infer_types(made);
                const auto model = std::make_shared<const Model>(std::move(made));
                Session reference = Session::compile(model, reference_options());
                reference.run(inputs);
                if (!is_placed(model)) continue;
                ++placed;
                for (int order : {0, 1, 2})
                    EXPECT_EQ(compare_with_reference(model, inputs, {.order = order}, exact_arithmetic), "")
                        << call.describe() << (is_static ? "" : " without shapes") << ", order " << order;
            } catch (const Error&) {  // the call itself is wrong
            }
        }
    }
    std::cout << "[ " << of.op << " ] " << placed << " of " << 2 * calls << " calls on the device\n";
    EXPECT_GT(placed, 0) << "no call of " << of.op << " runs on the device";
}

std::vector<int> listed_numbers() {
    std::vector<int> numbers;
    for (int i = 0; i < static_cast<int>(std::size(listed)); ++i)
        if (!is_of_sessions(listed[i])) numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedOperator, testing::ValuesIn(listed_numbers()), [](const auto& info) {
    const ListedOperator& of = listed[info.param];
    return (*of.domain ? std::string("Microsoft") : std::string()) + of.op;
});

}  // namespace
}  // namespace lapidary::test
