// SPDX-License-Identifier: Apache-2.0
// Graphs with ragged sizes that run wholly on the emulated device: the edges of each kernel, in
// four orders of threads, and kernels of tensor cores within the rounding of their types.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/placement.h>

#include "kernels/vector/elementwise/elementwise.h"
#include "operators/chain_kinds.h"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

struct Case {
    const char* name;
    const char* graph;
    std::int64_t opset = 17;
    SessionPasses::Set passes = SessionPasses::Set::none;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr auto session = SessionPasses::Set::all;

constexpr Case cases[] = {
#include "plugins/cuda/emulated_graph_cases.inc"
};

ModelPtr model_of_text(const char* graph) {
    Model model = model_of(graph);
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

class EmulatedGraph : public testing::TestWithParam<Case> {
protected:
    static ModelPtr model_of_case() {
        Model model = model_of(GetParam().graph, GetParam().opset);
        infer_types(model);
        return std::make_shared<const Model>(std::move(model));
    }
    static bool is_of_halves() {
        return std::string_view(GetParam().graph).find("f16") != std::string_view::npos;
    }
};

TEST_P(EmulatedGraph, RunsOnTheDeviceInEveryOrder) {
    const ModelPtr model = model_of_case();
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const Tolerance tolerance = is_of_halves() ? Tolerance{2e-3, 1e-3, true} : exact_arithmetic;
    for (int order : {0, 1, 2, 3})
        EXPECT_EQ(compare_with_reference(model, inputs,
                                         {.order = order, .passes = GetParam().passes}, tolerance),
                  "")
            << "order " << order;
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedGraph, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

class EmulatedPrecision : public testing::TestWithParam<const char*> {};

/// Operands rounded to 11 bits leave about 70 dB between result and error, to 8 bits about 52.
TEST_P(EmulatedPrecision, ProductsAndConvolutionsRoundAsTheirTypeDoes) {
    const double least = GetParam() == std::string_view("bf16") ? 46 : 64;
    for (const std::string_view name :
         {"ProductRagged", "ProductLarge", "ProductBatches", "GemmTransposed", "PieceProduct",
          "PieceProductLarge", "PieceProductTurned", "PieceProductSplit", "SplitProduct",
          "ConvRagged", "ConvLarge", "ConvStrided", "SplitPointwise"}) {
        const char* const graph = std::ranges::find(cases, name, &Case::name)->graph;
        Model made = model_of(graph);
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 5});
        const RunResult expected = Session::compile(model, reference_options()).run(inputs);
        for (int order : {0, 1, 2}) {
            const EmulatedRun run{.order = order, .precision = GetParam()};
            const RunResult actual = Session::compile(model, emulated_options(run)).run(inputs);
            for (const OutputComparison& output :
                 compare_outputs(actual.outputs, expected.outputs)) {
                EXPECT_GT(output.comparison.sqnr_db, least) << graph << ", order " << order;
                EXPECT_LT(output.comparison.sqnr_db, 100)
                    << graph << ": it is as exact as exact arithmetic";
            }
        }
    }
}
/// Operands split into 22 bits, sums in float32 that tensor cores cut off.
TEST(EmulatedSplitPrecision, ThreeProductsAreNearlyAsExactAsFloats) {
    for (const std::string_view name :
         {"ProductRagged", "ProductLarge", "ProductBatches", "GemmTransposed", "PieceProduct",
          "PieceProductLarge", "PieceProductTurned", "PieceProductSplit", "SplitProduct",
          "ConvRagged", "ConvLarge", "ConvStrided", "SplitPointwise"}) {
        const char* const graph = std::ranges::find(cases, name, &Case::name)->graph;
        const ModelPtr model = model_of_text(graph);
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 5});
        const RunResult expected = Session::compile(model, reference_options()).run(inputs);
        for (int order : {0, 1, 2}) {
            const EmulatedRun run{.order = order, .precision = "tf32x3", .passes = session};
            Session split = Session::compile(model, emulated_options(run));
            const RunResult actual = split.run(inputs);
            for (const OutputComparison& output : compare_outputs(actual.outputs, expected.outputs))
                EXPECT_GT(output.comparison.sqnr_db, 112) << graph << ", order " << order;
            EXPECT_TRUE(std::ranges::any_of(split.plan().steps, [](const StepInfo& step) {
                return step.kernel.find("tf32x3") != std::string::npos;
            })) << graph;
        }
    }
}

TEST(EmulatedSplitPrecision, ThreeProductsKeepWhatIsNotFinite) {
    const ModelPtr model = model_of_text("(a: f32[9,3], b: f32[3,5]) -> (y)\ny = MatMul(a, b)");
    constexpr float infinity = std::numeric_limits<float>::infinity(),
                    most = std::numeric_limits<float>::max();
    std::vector<float> a(27, 1.0f / 3), b(15, 1.0f / 7);
    a[0] = infinity;
    a[4] = -infinity;
    a[8] = std::numeric_limits<float>::quiet_NaN();
    a[11] = most;
    a[13] = -most;
    b[7] = -1e-30f;
    const NamedValues inputs{{"a", Tensor::of<float>({9, 3}, a)},
                             {"b", Tensor::of<float>({3, 5}, b)}};
    const EmulatedRun run{.precision = "tf32x3"};
    EXPECT_EQ(compare_with_reference(model, inputs, run, {1e-5, 0, true}), "");
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedPrecision, testing::Values("tf32", "fp16", "bf16"),
                         [](const auto& info) { return std::string(info.param); });

TEST(EmulatedProvider, AnIndexOutOfRangeNamesTheNode) {
    Model made = model_of("(x: f32[3,4], i: i64[2]) -> (y)\ny = Gather(x, i) as \"chooser\"");
    infer_types(made);
    Session s =
        Session::compile(std::make_shared<const Model>(std::move(made)), emulated_options({}));
    const Tensor x = Tensor::of<float>({3, 4}, std::vector<float>(12, 1.0f));
    try {
        s.run({{"x", x}, {"i", Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, 3})}});
        FAIL() << "it ran";
    } catch (const Error& error) {
        EXPECT_NE(
            std::string(error.what()).find("node chooser: index 3 is out of range of 3 elements"),
            std::string::npos)
            << error.what();
    }
    EXPECT_NO_THROW(
        s.run({{"x", x}, {"i", Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{-3, 2})}}));
}

TEST(EmulatedProvider, NodesItDoesNotTakeHaveReasons) {
    Model made = model_of(
        "(x: f32[1,1,3,4], s: f64[3,4]) -> (y, i, z)\ny, i = MaxPool(x) {kernel_shape: [2,2]}\n"
        "z = Einsum(s, s) {equation: \"ij,ij->i\"}");
    infer_types(made);
    EmulatedRun run;
    run.fallback = Fallback::allow;
    const Session s =
        Session::compile(std::make_shared<const Model>(std::move(made)), emulated_options(run));
    std::map<std::string, std::string> reasons;
    for (const NodePlacement& node : s.placement().nodes)
        if (!node.reasons.empty()) reasons[node.op] = node.reasons[0].reason;
    EXPECT_EQ(reasons["MaxPool"], "its indices are asked for");
    EXPECT_EQ(reasons["Einsum"], "there is no kernel for it");
}

TEST(EmulatedProvider, KindsOfChainsAreThoseOfTheProcessor) {
    std::vector<std::string> functions;
#define X(kind) functions.push_back(#kind);
    LAPIDARY_UNARY_KINDS(X)
#undef X
    ASSERT_EQ(functions.size(), std::size(cuda::chain_functions));
    for (std::size_t i = 0; i < functions.size(); ++i)
        EXPECT_EQ(functions[i], cuda::chain_functions[i].name);
    EXPECT_EQ(std::size(cuda::chain_pairs), static_cast<std::size_t>(BinaryKind::count));
}

}  // namespace
}  // namespace lapidary::test
