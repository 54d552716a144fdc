// SPDX-License-Identifier: Apache-2.0
// The recorded models on the emulated device, against the outputs that were recorded: all nodes but
// computations of shapes run there where the provider has all kernels, else a part. Random models
// too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/placement.h>
#include <lapidary/tensor/tensor_file.h>

#include "lapgen/generator.h"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;

/// All their nodes but those that compute with shapes run on the device.
const std::set<std::string> whole_models = {
#include "plugins/cuda/whole_models.inc"
};
/// Models that take the emulated device minutes.
const std::set<std::string> slow_models = {
#include "plugins/cuda/slow_models.inc"
};

std::vector<std::string> recorded_models() {
    std::vector<std::string> names;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(test_data() / "models" / "ref", absent))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

/// Constants folded and nodes fused, as `run --level extended` has it.
ModelPtr optimized_model(const std::string& name) {
    Model original = load_model(test_data() / "models" / "real" / (name + ".onnx"));
    infer_types(original);
    OptimizeOptions options;
    options.level = Level::extended;
    Model model = optimize(original, options).model;
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

struct Share {
    std::size_t on_device = 0, shapes = 0, elsewhere = 0;
    std::map<std::string, std::string> reasons;  // by operator
};
Share share_of(const PlacementReport& report) {
    Share share;
    for (const NodePlacement& node : report.nodes) {
        const std::string reason = node.reasons.empty() ? "" : node.reasons[0].reason;
        if (node.provider == name_of_provider()) ++share.on_device;
        else if (node.is_shape_computation) ++share.shapes;
        else {
            ++share.elsewhere;
            share.reasons[node.op] = reason;
        }
    }
    return share;
}

bool is_quantized(const Model& model) {
    return std::ranges::any_of(model.graph.nodes(), [&](NodeId id) {
        const std::string& op = model.graph.node(id).op_type;
        return op == "QuantizeLinear" || op == "DequantizeLinear" || op.starts_with("QLinear");
    });
}

class EmulatedModel : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EmulatedModel);

TEST_P(EmulatedModel, AgreesWithRecordedOutputs) {
    const ModelPtr model = optimized_model(GetParam());
    Session session = Session::compile(
        model, emulated_options({.fallback = Fallback::allow, .passes = SessionPasses::Set::all}));
    const Share share = share_of(session.placement());
    std::cout << "[ " << GetParam() << " ] " << share.on_device << " nodes on the device, "
              << share.shapes << " of shapes, " << share.elsewhere << " elsewhere\n";
    for (const auto& [op, reason] : share.reasons)
        std::cout << "    " << op << ": " << reason << "\n";
    EXPECT_EQ(share.elsewhere == 0, whole_models.contains(GetParam()));
    if (slow_models.contains(GetParam()) && !is_on_gpu())
        GTEST_SKIP() << "it runs for minutes on the emulated device";
    const auto cases = fs::directory_iterator(test_data() / "models" / "ref" / GetParam());
    ASSERT_TRUE(cases != fs::directory_iterator());
    const NamedValues inputs = load_npz(cases->path() / "inputs.npz");
    const RunResult result = session.run(inputs);
    // what it gives where that is too far from the recording, as some models round
    NamedValues processor;
    for (const auto& [name, expected] : load_npz(cases->path() / "expected.npz")) {
        const RuntimeValue* actual = find(result.outputs, name);
        ASSERT_TRUE(actual) << name;
        const Comparison c = compare(*actual, expected, same_result);
        if (c.matches) continue;
        if (processor.empty()) processor = Session::compile(model, {}).run(inputs).outputs;
        const Comparison again = compare(*actual, *find(processor, name), same_result);
        // Of a quantized model, a value between two steps may fall to either and moves what
        // follows.
        EXPECT_TRUE(again.matches || (is_quantized(*model) && again.sqnr_db >= 35))
            << name << ": " << again.reason << ", SQNR " << again.sqnr_db << " dB";
    }
}

INSTANTIATE_TEST_SUITE_P(Recorded, EmulatedModel, testing::ValuesIn(recorded_models()),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::ranges::replace_if(
                                 name, [](unsigned char c) { return !std::isalnum(c); }, '_');
                             return name;
                         });

TEST(EmulatedModels, ListsNameModelsThatAreThere) {
    if (is_on_gpu()) GTEST_SKIP() << "a machine with a GPU may have some of the models alone";
    const auto models = recorded_models();
    if (models.empty())
        GTEST_SKIP() << "no recorded models in " << test_data() << ": set LAPIDARY_TEST_DATA";
    for (const std::set<std::string>* list : {&whole_models, &slow_models})
        for (const std::string& name : *list)
            EXPECT_TRUE(std::ranges::find(models, name) != models.end()) << name;
    EXPECT_GE(
        std::ranges::count_if(whole_models,
                              [](const std::string& name) { return !slow_models.contains(name); }),
        40)
        << "models that run wholly on the emulated device";
}

/// Random models of the generator, split between the processor and the device.
TEST(EmulatedLapgen, RandomModelsGiveWhatTheProcessorGives) {
    const lapgen::PatternBook book(read_pass_cases(fixtures_folder() / "passes"));
    int ran = 0;
    std::size_t on_device = 0, nodes = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const lapgen::GeneratedModel generated = lapgen::generate_model(seed, book, seed % 3 == 0);
        const auto model = std::make_shared<const Model>(generated.model);
        const EmulatedRun run{
            .order = static_cast<int>(seed % 4),
            .fallback = Fallback::allow,
            .passes = seed % 2 ? SessionPasses::Set::all : SessionPasses::Set::none};
        NamedValues inputs;
        RunResult expected;
        try {
            inputs =
                generate_inputs(*model, {}, {.seed = seed, .dimensions = generated.dimensions});
            Session reference = Session::compile(model, reference_options());
            expected = reference.run(inputs);
        } catch (const Error&) {  // the model itself cannot run
            continue;
        }
        ++ran;
        Session emulated = Session::compile(model, emulated_options(run));
        const Share share = share_of(emulated.placement());
        on_device += share.on_device;
        nodes += share.on_device + share.shapes + share.elsewhere;
        const RunResult actual = emulated.run(inputs);
        for (const OutputComparison& output :
             compare_outputs(actual.outputs, expected.outputs, same_result))
            EXPECT_TRUE(output.comparison.matches)
                << "seed " << seed << ", " << output.name << ": " << output.comparison.reason;
    }
    std::cout << "[ lapgen ] " << ran << " models, " << on_device << " of " << nodes
              << " nodes on the device\n";
    EXPECT_GE(ran, 40);
    EXPECT_GE(on_device * 2, nodes);
}

}  // namespace
}  // namespace lapidary::test
