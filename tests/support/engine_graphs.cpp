// SPDX-License-Identifier: Apache-2.0
// Decisions about graphs: those of the passes as they are, those of tests/fixtures/engine varied at
// every place.
#include <cstring>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "support/engine_decision.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

struct NamedGraph {
    std::string name, text;
};

/// Graphs of a file, each behind a line "# case: name".
std::vector<NamedGraph> graphs_of(const std::filesystem::path& file) {
    std::vector<NamedGraph> graphs;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("# case: ")) graphs.push_back({line.substr(8), {}});
        else if (!graphs.empty()) graphs.back().text += line + "\n";
    }
    return graphs;
}

/// The elements again behind themselves, along the last axis where there is one.
Tensor repeated(const Tensor& t) {
    Shape shape = t.shape().empty() ? Shape{1} : t.shape();
    const std::int64_t lines = shape.back() == 0 ? 0 : t.size() / shape.back();
    const std::size_t line = lines == 0 ? 0 : t.byte_size() / static_cast<std::size_t>(lines);
    shape.back() *= 2;
    Tensor twice(t.dtype(), shape);
    const auto* from = static_cast<const std::byte*>(t.raw());
    auto* to = static_cast<std::byte*>(twice.mutable_raw());
    for (std::int64_t i = 0; i < lines; ++i, from += line)
        for (int time = 0; time < 2; ++time, to += line) std::memcpy(to, from, line);
    return twice;
}

/// All variations of one graph, each reported once.
class GraphVariations {
public:
    using Take = std::function<void(const std::string& variation, const Model& model)>;
    GraphVariations(const Model& model, Take take) : model_(model), take_(std::move(take)) {}

    void vary() {
        take_("as it is", model_);
        const Graph& graph = model_.graph;
        for (NodeId id : graph.nodes()) vary_node(graph, graph.node(id));
        for (ValueId id : graph.initializers()) vary_constant(graph, graph.value(id));
        for (ValueId id : graph.inputs()) {
            const Value& v = graph.value(id);
            with(v.name + " of unknown shape",
                 [&](GraphEdit& e) { e.set_type(id, Type::tensor(v.type.dtype)); });
        }
    }

private:
    template <typename Change>
    void with(const std::string& variation, Change&& change) {
        Model varied = model_;
        try {
            GraphEdit edit(varied.graph);
            change(edit);
            edit.finish();
        } catch (const Error&) {
            return;  // no graph can be varied this way
        }
        take_(variation, varied);
    }

    void vary_node(const Graph& graph, const Node& n) {
        const std::string name = graph.value(n.outputs[0]).name;
        for (ValueId out : n.outputs)
            if (out && graph.value(out).output_uses == 0)
                with(graph.value(out).name + " handed out",
                     [&](GraphEdit& e) { e.add_output(out); });
        if (n.inputs.size() > 1 && n.inputs[1]) {
            with(name + " with inputs swapped", [&](GraphEdit& e) {
                e.set_input(n.id, 0, n.inputs[1]);
                e.set_input(n.id, 1, n.inputs[0]);
            });
            with(name + " of one value twice",
                 [&](GraphEdit& e) { e.set_input(n.id, 1, n.inputs[0]); });
        }
        for (std::size_t i = 1; i < n.inputs.size(); ++i)
            if (n.inputs[i])
                with(fmt::format("{} without input {}", name, i),
                     [&](GraphEdit& e) { e.set_input(n.id, i, ValueId()); });
        static const std::map<std::string, std::string> others{{"Add", "Sub"},
                                                               {"Mul", "Max"},
                                                               {"QLinearAdd", "QLinearMul"},
                                                               {"Relu", "Erf"},
                                                               {"Softmax", "LogSoftmax"},
                                                               {"Identity", "Neg"},
                                                               {"Clip", "Elu"},
                                                               {"Cast", "Identity"}};
        if (const auto other = others.find(n.op_type); other != others.end())
            with(name + " by " + other->second,
                 [&](GraphEdit& e) { e.set_operator(n.id, n.domain, other->second, n.version); });
        if (const OpSchema* schema = find_schema(n.domain, n.op_type, n.version))
            for (const SchemaAttribute& a : schema->attributes) vary_attribute(n, name, a);
    }

    void vary_attribute(const Node& n, const std::string& name, const SchemaAttribute& a) {
        if (a.kind == "i")
            for (const std::int64_t number : {0, 1, 2})
                with(fmt::format("{} with {} {}", name, a.name, number), [&](GraphEdit& e) {
                    e.set_attribute(n.id, {a.name, number, {}, {}});
                });
        if (a.kind == "f")
            with(fmt::format("{} with {} 2", name, a.name), [&](GraphEdit& e) {
                e.set_attribute(n.id, {a.name, 2.0f, {}, {}});
            });
        if (a.kind != "is") return;
        if (auto list = n.ints_attribute(a.name); list.size() > 1) {
            std::swap(list[0], list.back());
            with(fmt::format("{} with {} swapped", name, a.name), [&](GraphEdit& e) {
                e.set_attribute(n.id, {a.name, list, {}, {}});
            });
        }
    }

    void vary_constant(const Graph& graph, const Value& v) {
        const Tensor constant = *v.constant;
        const auto replaced = [&](const std::string& variation, const Tensor& t) {
            with(v.name + " " + variation, [&](GraphEdit& e) { e.set_constant(v.id, t); });
        };
        with(v.name + " computed", [&](GraphEdit& e) {
            const ValueId input = e.add_input(
                v.name + "_given",
                Type::tensor(constant.dtype(),
                             SymbolicShape(constant.shape().begin(), constant.shape().end())));
            for (const Use& use : std::vector<Use>(graph.value(v.id).uses))
                e.set_input(use.node, use.input, input);
        });
        Shape longer = constant.shape(), twice = constant.shape();
        longer.insert(longer.begin(), 1);
        replaced("of one axis more", constant.reshaped(longer));
        replaced("of one element", ordinary_tensor(constant.dtype(), {}));
        if (twice.empty()) twice.push_back(1);
        twice.back() *= 2;
        replaced("twice as long", ordinary_tensor(constant.dtype(), twice));
        if (is_float(constant.dtype())) replaced("repeated", repeated(constant));
        twice.back() = 0;
        replaced("empty", ordinary_tensor(constant.dtype(), twice));
        for (const DType dtype : {DType::f32, DType::f16, DType::u8, DType::i8, DType::i32})
            if (dtype != constant.dtype())
                replaced(fmt::format("of {}", name_of(dtype)),
                         ordinary_tensor(dtype, constant.shape()));
        // The same contents are another value.
        if (graph.value(v.id).uses.size() > 1)
            with(v.name + " in two copies", [&](GraphEdit& e) {
                const Use use = graph.value(v.id).uses[0];
                e.set_input(use.node, use.input,
                            e.add_initializer(v.name + "_copy",
                                              ordinary_tensor(constant.dtype(), constant.shape())));
            });
    }

    const Model& model_;
    Take take_;
};

}  // namespace

std::size_t check_varied_graph_decisions(std::size_t first, std::size_t step) {
    std::size_t compared = 0;
    static const std::vector<NamedGraph> graphs =
        graphs_of(fixtures_folder() / "engine" / "graphs.graph");
    for (std::size_t i = first; i < graphs.size(); i += step) {
        const std::string file = "varied/" + graphs[i].name + ".txt";
        const Answers recorded = recorded_answers(file);
        Answers answers;
        Model model;
        try {
            model = model_of(graphs[i].text, 17);
        } catch (const Error& e) {
            ADD_FAILURE() << file << ": " << e.what();
            continue;
        }
        GraphVariations(model, [&](const std::string& variation, const Model& varied) {
            const std::string answer = decision_of(varied);
            EXPECT_EQ(answer.find("WRONG"), std::string::npos)
                << graphs[i].name << ", " << variation << "\n  " << answer;
            EXPECT_EQ(answer.find("INTERNAL"), std::string::npos)
                << graphs[i].name << ", " << variation << "\n  " << answer;
            answers[graphs[i].name][variation] = answer;
            ++compared;
        }).vary();
        if (is_recording()) record_answers(file, answers);
        else
            for (const auto& [variation, answer] : answers[graphs[i].name]) {
                const auto known = recorded.find(graphs[i].name);
                EXPECT_EQ(answer, known == recorded.end() || !known->second.contains(variation)
                                      ? "nothing on record"
                                      : known->second.at(variation))
                    << graphs[i].name << ", " << variation;
            }
    }
    return compared;
}

}  // namespace lapidary::test
