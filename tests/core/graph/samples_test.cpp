// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_diff.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "graph/verify.h"

namespace lapidary {
namespace {

std::int64_t float_parameters(const Model& model) {
    std::int64_t count = 0;
    for (ValueId v : model.graph.initializers())
        if (const Tensor& t = *model.graph.value(v).constant; t.dtype() == DType::f32)
            count += t.size();
    return count;
}

class Samples : public testing::TestWithParam<std::string> {};

TEST_P(Samples, BuildTypeAndRun) {
    const auto model = std::make_shared<const Model>(build_sample(GetParam()));
    verify(*model);
    for (NodeId id : model->graph.nodes())
        for (ValueId v : model->graph.node(id).outputs)
            EXPECT_TRUE(!v || model->graph.value(v).type.has_shape())
                << model->graph.node(id).describe();
    GenerateOptions generate;
    generate.dimensions = {{"batch", 2}, {"sequence", 5}, {"past_sequence", 3}};
    Session session = Session::compile(model);
    const RunResult result = session.run(generate_inputs(*model, {}, generate));
    ASSERT_EQ(result.outputs.size(), model->graph.outputs().size());
    for (const auto& [name, value] : result.outputs) {
        double sum = 0;
        for (float v : value.tensor().data<float>()) sum += std::abs(v);
        EXPECT_TRUE(std::isfinite(sum)) << name;
        EXPECT_GT(sum, 0) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const SampleInfo& s : list_samples())
                                 if (s.name != "llama-1b")  // as llama-160m, and 4 GB in memory
                                     names.emplace_back(s.name);
                             return names;
                         }()),
                         [](const auto& info) {
                             std::string name = info.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

// The published parameter counts. Of the networks with BatchNorm, its scale and shift per channel
// are folded to one bias: half of its parameters remain.
TEST(SampleFidelity, ParameterCountsAreThePublishedOnes) {
    const std::map<std::string, std::int64_t> expected{
        {"squeezenet", 1'235'496},         {"resnet18", 11'689'512 - 4'800},
        {"resnet50", 25'557'032 - 26'560}, {"mobilenetv2", 3'504'872 - 17'056},
        {"bert-tiny", 4'385'920},          {"bert-base", 109'482'240},
        {"gpt2-small", 124'439'808}};
    for (const auto& [name, count] : expected)
        EXPECT_EQ(float_parameters(build_sample(name)), count) << name;
}

TEST(SampleFidelity, SeedsMatterAndRepeat) {
    EXPECT_TRUE(differences(build_sample("lenet", 3), build_sample("lenet", 3)).empty());
    EXPECT_FALSE(differences(build_sample("lenet", 3), build_sample("lenet", 4)).empty());
    EXPECT_THROW(build_sample("alexnet"), Error);
}

TEST(SampleFidelity, DecodingWithTheCacheEqualsThePrefill) {
    const auto model = std::make_shared<const Model>(build_sample("gpt2-small"));
    Session session = Session::compile(model);
    const auto tokens = [](std::vector<std::int64_t> values) {
        const auto n = static_cast<std::int64_t>(values.size());
        return Tensor::of<std::int64_t>({1, n}, values);
    };
    const auto inputs = [&](std::vector<std::int64_t> ids, std::int64_t past,
                            const NamedValues* cache) {
        std::vector<std::int64_t> positions;
        for (std::size_t i = 0; i < ids.size(); ++i)
            positions.push_back(past + static_cast<std::int64_t>(i));
        NamedValues in{
            {"attention_mask", tokens(std::vector<std::int64_t>(
                                   positions.size() + static_cast<std::size_t>(past), 1))},
            {"position_ids", tokens(positions)},
            {"input_ids", tokens(std::move(ids))}};
        for (int layer = 0; layer < 12; ++layer)
            for (const char* part : {"key", "value"}) {
                const std::string suffix = "." + std::to_string(layer) + "." + part;
                in.emplace_back("past_key_values" + suffix,
                                cache ? *find(*cache, "present" + suffix)
                                      : RuntimeValue(Tensor(DType::f32, {1, 12, 0, 64})));
            }
        return in;
    };
    const RunResult whole = session.run(inputs({464, 3290, 318}, 0, nullptr));
    const RunResult first = session.run(inputs({464, 3290}, 0, nullptr));
    const RunResult last = session.run(inputs({318}, 2, &first.outputs));
    const auto expected = whole.outputs[0].second.tensor().data<float>().last(50257);
    const auto actual = last.outputs[0].second.tensor().data<float>();
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); i += 97) EXPECT_NEAR(actual[i], expected[i], 1e-3f);
}

}  // namespace
}  // namespace lapidary
