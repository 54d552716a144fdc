// SPDX-License-Identifier: Apache-2.0
// Every operator that the CUDA provider takes, as the fixtures and the conformance data call it, on
// the emulated device in three orders of threads, against the reference kernels.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/placement.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/operator_call.h"
#include "support/test_data.h"

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
/// The provider leaves all calls that are known of these to the CPU (a reduction, limits that are
/// no constants); emulated_graphs_test.cpp has some that it takes.
bool is_tested_as_graph(const ListedOperator& o) {
    static const std::set<std::string_view> operators{"Scatter", "ScatterND", "ScatterElements",
                                                      "NonMaxSuppression"};
    return operators.contains(o.op);
}

/// The provider runs the call's node.
bool is_placed(const ModelPtr& model) {
    EmulatedRun run;
    run.fallback = Fallback::allow;
    const Session session = Session::compile(model, emulated_options(run));
    const auto& nodes = session.placement().nodes;
    return !nodes.empty() && nodes[0].provider == name_of_provider();
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

constexpr int shards = 4, most_calls = 16;  // of an operator

struct Counts {
    // calls that the reference kernels run, and those of them on the device
    int right = 0, placed = 0;
};

/// Sums of 16-bit floats are rounded to them.
Tolerance tolerance_of(const NamedValues& outputs) {
    for (const auto& [name, value] : outputs)
        if (value.is_tensor() &&
            (value.tensor().dtype() == DType::f16 || value.tensor().dtype() == DType::bf16))
            return same_result;
    return exact_arithmetic;
}

Counts run_calls(const ListedOperator& of) {
    int placed = 0, right = 0;
    for (const OperatorCall& call : calls_of(of)) {
        if (placed == most_calls) break;
        Model made = model_of_call(call, placed % 4 != 3);  // some without shapes
        const NamedValues inputs = inputs_of_call(call);
        NamedValues expected;
        ModelPtr model;
        try {
            infer_types(made);
            model = std::make_shared<const Model>(std::move(made));
            expected = Session::compile(model, reference_options()).run(inputs).outputs;
            ++right;
            if (!is_placed(model)) continue;
        } catch (const Error&) {  // the call itself is wrong
            continue;
        }
        ++placed;
        for (int order : orders_of_threads())
            EXPECT_EQ(
                compare_with(expected, model, inputs, {.order = order}, tolerance_of(expected)), "")
                << call.describe() << ", order " << order;
    }
    return {right, placed};
}

class EmulatedOperators : public testing::TestWithParam<int> {};

TEST_P(EmulatedOperators, AgreeWithTheReferenceKernels) {
    // else there are few calls
    const bool has_conformance_data = std::filesystem::exists(test_data() / "conformance");
    for (std::size_t i = static_cast<std::size_t>(GetParam()); i < std::size(listed); i += shards) {
        if (is_of_sessions(listed[i])) continue;
        const auto [right, placed] = run_calls(listed[i]);
        std::cout << "[ " << listed[i].op << " ] " << placed << " calls on the device\n"
                  << std::flush;
        EXPECT_TRUE(placed > 0 || right == 0 || is_tested_as_graph(listed[i]) ||
                    !has_conformance_data)
            << "no call of " << listed[i].domain << " " << listed[i].op << " runs on the device";
    }
}

INSTANTIATE_TEST_SUITE_P(Shards, EmulatedOperators, testing::Range(0, shards));

}  // namespace
}  // namespace lapidary::test
