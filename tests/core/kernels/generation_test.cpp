// SPDX-License-Identifier: Apache-2.0
// GreedySearch and BeamSearch of com.microsoft, run through sessions because they need subgraphs; tokens and scores are
// those that tests/peers/generation.py had from ONNX Runtime.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/error.h>
#include <lapidary/graph_text.h>
#include <lapidary/parse_json.h>
#include <lapidary/session.h>
#include <lapidary/text_file.h>

#include "support/generation_graphs.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

using Json = nlohmann::json;

NamedValues run(const std::string& text, const NamedValues& inputs) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(text);
    return Session::compile(model, {}).run(inputs).outputs;
}

Tensor i32(Shape shape, const std::vector<std::int32_t>& values) {
    return Tensor::of<std::int32_t>(std::move(shape), values);
}

Tensor tensor_of(const Json& entry) {
    Shape shape(entry.at("shape").get<std::vector<std::int64_t>>());
    if (entry.at("type") == "i32") return i32(std::move(shape), entry.at("elements").get<std::vector<std::int32_t>>());
    return Tensor::of<float>(std::move(shape), entry.at("elements").get<std::vector<float>>());
}

std::string type_of(const Tensor& tensor) { return std::string(name_of(tensor.dtype())) + to_string(tensor.shape()); }

std::string attribute_text(const Json& attributes) {
    std::string text;
    for (const auto& [name, value] : attributes.items()) {
        std::string number = value.is_number_integer() ? std::to_string(value.get<std::int64_t>())
                                                       : fmt::format("{:.9g}", value.get<float>());
        if (value.is_number_float() && number.find_first_of(".e") == std::string::npos) number += ".0";
        text += (text.empty() ? "" : ", ") + name + ": " + number;
    }
    return text;
}

GenerationGraph graph_of(const Json& entry, NamedValues& inputs) {
    GenerationGraph graph;
    graph.op = entry.at("op").get<std::string>();
    graph.kind = entry.at("kind").get<std::string>();
    graph.hidden_states = entry.value("hidden_states", true);
    graph.initial = entry.value("initial", true);
    graph.one_token = entry.value("one_token", true);
    graph.attributes = attribute_text(entry.at("attributes"));
    for (const auto& [name, value] : entry.at("inputs").items()) {
        const Tensor tensor = tensor_of(value);
        graph.inputs.emplace_back(name, type_of(tensor));
        inputs.emplace_back(name, tensor);
    }
    graph.outputs.clear();
    for (const char* name : {"sequences", "sequences_scores", "scores"})
        if (entry.at("outputs").contains(name)) graph.outputs.emplace_back(name);
    return graph;
}

TEST(Generation, GivesTheTokensAndScoresOfOnnxRuntime) {
    const Json cases = parse_json(load_text(fixtures_folder() / "generation/recorded.json", 4 << 20), "recorded.json");
    std::map<std::string, int> compared;
    for (const Json& entry : cases) {
        NamedValues inputs;
        const GenerationGraph graph = graph_of(entry, inputs);
        SCOPED_TRACE(entry.dump().substr(0, 900));
        const NamedValues found = run(text_of(graph), inputs);
        ASSERT_EQ(found.size(), graph.outputs.size());
        for (const auto& [name, value] : found) {
            const Tensor expected = tensor_of(entry.at("outputs").at(name)), &tensor = value.tensor();
            ASSERT_EQ(type_of(tensor), type_of(expected)) << name;
            if (name == "sequences") {
                const auto a = tensor.data<std::int32_t>(), b = expected.data<std::int32_t>();
                ASSERT_EQ(std::vector(a.begin(), a.end()), std::vector(b.begin(), b.end()));
                continue;
            }
            const auto a = tensor.data<float>(), b = expected.data<float>();
            for (std::size_t i = 0; i < a.size(); ++i)
                ASSERT_NEAR(a[i], b[i], 1e-4 * (1 + std::fabs(b[i]))) << name << " element " << i;
        }
        ++compared[graph.op + " " + graph.kind];
    }
    for (const char* kind : {"GreedySearch gpt", "BeamSearch gpt"}) EXPECT_GE(compared[kind], 10) << kind;
}

}  // namespace
}  // namespace lapidary::test
