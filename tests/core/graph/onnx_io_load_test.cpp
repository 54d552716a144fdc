// SPDX-License-Identifier: Apache-2.0
// What the loader makes of graphs: names, captures, functions, attributes, limits, truncation at
// every byte.
#include <gtest/gtest.h>

#include <chrono>

#include <lapidary/graph/graph_diff.h>
#include <lapidary/onnx_io/model_io.h>

#include "graph/verify.h"
#include "ops/schemas/schema.h"
#include "support/cpu_clock.h"
#include "support/onnx_bytes.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

using namespace test::onnx_bytes;

LoadOptions plain_options() {
    LoadOptions options;
    options.infer_types = false;
    return options;
}

Model load(const std::string& bytes, const LoadOptions& options = plain_options()) {
    return load_model_from_memory(std::as_bytes(std::span(bytes.data(), bytes.size())), options);
}

std::string refusal(const std::string& bytes, const LoadOptions& options = plain_options()) {
    try {
        load(bytes, options);
    } catch (const Error& e) { return e.what(); }
    return "loaded";
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

GraphParts relu_graph() {
    GraphParts graph;
    graph.nodes = {node("Relu", {"x"}, {"y"}, "relu0")};
    graph.inputs = {value_info("x", 1, {2, -1})};
    graph.outputs = {value_info("y", 1, {2, -1})};
    return graph;
}

/// x -> If(c): then Neg(x), else Identity(v) with v = Relu(x).
GraphParts if_graph() {
    GraphParts then_branch, else_branch, graph;
    then_branch.nodes = {node("Neg", {"x"}, {"t"}, "inner")};
    then_branch.outputs = {bytes(1, "t")};
    else_branch.nodes = {node("Identity", {"v"}, {"e"})};
    else_branch.outputs = {bytes(1, "e")};
    graph.nodes = {
        node("Relu", {"x"}, {"v"}),
        node("If", {"c"}, {"y"}, "if0",
             bytes(5, attribute_head("then_branch", 5) + bytes(6, then_branch.encode())) +
                 bytes(5, attribute_head("else_branch", 5) + bytes(6, else_branch.encode())))};
    graph.inputs = {value_info("x", 1, {2}), value_info("c", 9, {})};
    graph.outputs = {value_info("y", 1, {2})};
    return graph;
}

// What a model uses and does not import it gets in the newest version known, as in ONNX Runtime;
// one that imports nothing, and a function, have to say it.
TEST(OnnxLoad, DomainsThatAreNotImportedAreTakenAsNewest) {
    GraphParts graph = relu_graph();
    graph.nodes.push_back(node("Normalizer", {"y"}, {"z"}, "n", bytes(7, "ai.onnx.ml")));
    graph.outputs = {value_info("z", 1, {2, -1})};
    const Model ml = load(model(graph));
    EXPECT_EQ(ml.opset("ai.onnx.ml"), newest_version("ai.onnx.ml"));
    EXPECT_GE(ml.opset("ai.onnx.ml"), 5);
    ASSERT_EQ(ml.warnings.size(), 1u);
    EXPECT_TRUE(mentions(ml.warnings[0].message, "its operators are taken as opset"))
        << ml.warnings[0].message;

    const auto importing = [](const std::string& imports) {
        return number(1, 8) + bytes(7, relu_graph().encode()) + imports;
    };
    EXPECT_EQ(load(importing(bytes(8, bytes(1, "com.microsoft") + number(2, 1)))).opset(),
              max_onnx_opset);
    EXPECT_TRUE(mentions(refusal(importing("")), "imports no version of it"));
    const std::string function = bytes(1, "f") + bytes(4, "a") + bytes(5, "b") +
                                 bytes(7, node("Relu", {"a"}, {"b"})) + bytes(10, "org.example");
    EXPECT_TRUE(mentions(refusal(importing(bytes(8, number(2, 17)) + bytes(25, function))),
                         "imports no version of it"));
}

TEST(OnnxLoad, ReadsModelFields) {
    const std::string extra =
        bytes(2, "maker") + bytes(3, "1.2") + bytes(4, "org.x") + number(5, 42) +
        bytes(6, "a doc") + bytes(14, bytes(1, "key") + bytes(2, "value")) +
        bytes(8, bytes(1, "com.microsoft") + number(2, 1)) + bytes(5000, "later");
    const Model m = load(model(relu_graph(), 17, extra));
    EXPECT_EQ(m.producer_name, "maker");
    EXPECT_EQ(m.producer_version, "1.2");
    EXPECT_EQ(m.domain, "org.x");
    EXPECT_EQ(m.model_version, 42);
    EXPECT_EQ(m.doc, "a doc");
    EXPECT_EQ(m.metadata, (StringPairs{{"key", "value"}}));
    EXPECT_EQ(m.opset(), 17);
    EXPECT_EQ(m.opset("com.microsoft"), 1);
    EXPECT_EQ(m.preserved, bytes(5000, "later"));
    const Value& x = m.graph.value(m.graph.find_value("x"));
    EXPECT_EQ(to_string(x.type), "f32[2,?]");
    EXPECT_TRUE(x.declared);
    EXPECT_EQ(x.kind, ValueKind::input);
    EXPECT_EQ(m.graph.node(m.graph.nodes()[0]).version, 17);
}

TEST(OnnxLoad, InputsMayHaveDefaults) {
    GraphParts graph = relu_graph();
    graph.initializers = {tensor("x", {2, 1}, 1, raw<float>({3, 4}))};
    const Model m = load(model(graph));
    const Value& x = m.graph.value(m.graph.find_value("x"));
    EXPECT_EQ(x.kind, ValueKind::input);
    ASSERT_TRUE(x.constant.has_value());
    EXPECT_EQ(to_doubles(*x.constant), (std::vector<double>{3, 4}));
    graph.initializers = {tensor("x", {2, 1}, 7, raw<std::int64_t>({3, 4}))};
    EXPECT_TRUE(mentions(refusal(model(graph)),
                         "\"x\" is declared f32[2,?], but its initializer is i64[2,1]"));
}

TEST(OnnxLoad, AnEmptyFileNameIsRefused) {
    try {
        load_model(std::filesystem::path());
        FAIL();
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::io_failure); }
}

TEST(OnnxLoad, EqualInitializersMayBeListedTwice) {
    GraphParts graph = relu_graph();
    graph.initializers = {tensor("w", {2}, 1, raw<float>({3, 4})),
                          tensor("w", {2}, 1, raw<float>({3, 4}))};
    const Model m = load(model(graph));
    ASSERT_FALSE(m.warnings.empty());
    EXPECT_NE(m.warnings[0].message.find("listed twice"), std::string::npos)
        << m.warnings[0].message;
    graph.initializers[1] = tensor("w", {2}, 1, raw<float>({3, 5}));
    EXPECT_TRUE(mentions(refusal(model(graph)), "initializer \"w\" is defined twice"));
}

TEST(OnnxLoad, SubgraphsCaptureOuterValues) {
    const Model m = load(model(if_graph()));
    verify(m);
    const Node& node = m.graph.node(m.graph.nodes()[1]);
    EXPECT_EQ(node.captures,
              (std::vector<ValueId>{m.graph.find_value("x"), m.graph.find_value("v")}));
    const GraphPtr branch = node.graph_attribute("then_branch");
    const Value& inner = branch->value(branch->find_value("x"));
    EXPECT_EQ(inner.kind, ValueKind::captured);
    EXPECT_EQ(inner.outer, m.graph.find_value("x"));
}

TEST(OnnxLoad, CapturesPassThroughTheGraphsBetween) {
    GraphParts outer = if_graph();
    GraphParts wrap;
    wrap.nodes = {if_graph().nodes[1]};  // reads c, x, v of the main graph from two levels down
    wrap.outputs = {bytes(1, "y")};
    GraphParts other;
    other.nodes = {node("Identity", {"x"}, {"o"})};
    other.outputs = {bytes(1, "o")};
    outer.nodes[1] =
        node("If", {"c"}, {"z"}, "outer",
             bytes(5, attribute_head("then_branch", 5) + bytes(6, wrap.encode())) +
                 bytes(5, attribute_head("else_branch", 5) + bytes(6, other.encode())));
    outer.outputs = {value_info("z", 1, {2})};
    const Model m = load(model(outer));
    verify(m);
    const GraphPtr middle = m.graph.node(m.graph.nodes()[1]).graph_attribute("then_branch");
    EXPECT_EQ(middle->value(middle->find_value("v")).outer, m.graph.find_value("v"));
    EXPECT_EQ(m.graph.node(m.graph.nodes()[1]).captures.size(), 3u);
}

TEST(OnnxLoad, PlacesOfErrorsAreFullPaths) {
    GraphParts graph = if_graph();
    std::string text = model(graph);
    // the node's input and output names stand before its name
    const std::size_t at = text.find("inner") - 7;
    ASSERT_EQ(text.substr(at, 2), std::string("\x01x"));
    text[at + 1] = 'q';
    EXPECT_EQ(refusal(text),
              "main/node \"if0\" (If)/then_branch/node \"inner\" (Neg): input 0 is \"q\", which no "
              "node writes and "
              "which is no "
              "graph input or initializer");
}

TEST(OnnxLoad, EveryTruncationIsRefused) {
    const std::string whole = model(if_graph());
    EXPECT_EQ(refusal(whole), "loaded");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::string message = refusal(whole.substr(0, length));
        // A cut before opset_import leaves a model that is whole but for that.
        EXPECT_TRUE(mentions(message, "at byte") || mentions(message, "empty") ||
                    mentions(message, "no graph") || mentions(message, "opset_import"))
            << length << ": " << message;
    }
}

TEST(OnnxLoad, EveryFlippedBitLoadsOrIsRefused) {
    const std::string whole = model(if_graph());
    for (std::size_t i = 0; i < whole.size() * 8; ++i) {
        std::string text = whole;
        text[i / 8] = static_cast<char>(text[i / 8] ^ (1 << (i % 8)));
        try {
            verify(load(text));
        } catch (const Error& e) {
            EXPECT_NE(e.code(), ErrorCode::internal) << "bit " << i << ": " << e.what();
        }
    }
}

TEST(OnnxLoad, AttributeKinds) {
    const auto with = [](const std::string& attribute) {
        GraphParts graph = relu_graph();
        graph.nodes = {node("Relu", {"x"}, {"y"}, "n", bytes(5, attribute))};
        return model(graph);
    };
    const auto value = [&](const std::string& attribute) {
        const Model m = load(with(attribute));
        return m.graph.node(m.graph.nodes()[0]).attributes.at(0).value;
    };
    const std::string f = varint(2 << 3 | 5) + raw<float>({1.5f});
    EXPECT_EQ(std::get<float>(value(attribute_head("a", 1) + f)), 1.5f);
    EXPECT_EQ(std::get<float>(value(bytes(1, "a") + f)), 1.5f);  // no type: IR 1 and 2
    EXPECT_EQ(std::get<std::int64_t>(value(attribute_head("a", 2) + number(3, -7))), -7);
    EXPECT_EQ(
        std::get<std::string>(value(attribute_head("a", 3) + bytes(4, std::string("s\0t", 3)))),
        std::string("s\0t", 3));
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(
                  value(attribute_head("a", 7) + number(8, 1) + bytes(8, varint(2) + varint(3)))),
              (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_TRUE(std::get<std::vector<std::int64_t>>(value(attribute_head("a", 7))).empty());
    EXPECT_EQ(
        std::get<std::vector<float>>(value(attribute_head("a", 6) + bytes(7, raw<float>({1, 2})))),
        (std::vector<float>{1, 2}));
    EXPECT_EQ(std::get<std::vector<std::string>>(
                  value(attribute_head("a", 8) + bytes(9, "u") + bytes(9, "v"))),
              (std::vector<std::string>{"u", "v"}));
    EXPECT_EQ(std::get<Tensor>(value(attribute_head("a", 4) + bytes(5, tensor("", {1}, 1, "1234"))))
                  .size(),
              1);
    EXPECT_EQ(std::get<std::vector<Tensor>>(
                  value(attribute_head("a", 9) + bytes(10, tensor("", {1}, 1, "1234"))))
                  .size(),
              1u);
    EXPECT_EQ(
        to_string(std::get<Type>(value(attribute_head("a", 13) +
                                       bytes(14, bytes(4, bytes(1, bytes(1, number(1, 7)))))))),
        "seq(i64[...])");

    EXPECT_TRUE(mentions(refusal(with(attribute_head("a", 2))),
                         "attribute \"a\": declared type INT, but holds no value"));
    EXPECT_TRUE(
        mentions(refusal(with(attribute_head("a", 2) + f)), "declared type INT, but holds FLOAT"));
    EXPECT_TRUE(mentions(refusal(with(bytes(1, "a"))), "neither a type nor a value"));
    EXPECT_TRUE(mentions(refusal(with(bytes(1, "a") + f + number(3, 1))),
                         "values of several kinds: FLOAT and INT"));
    EXPECT_TRUE(mentions(refusal(with(attribute_head("a", 99) + f)), "declared type 99"));
    EXPECT_TRUE(mentions(refusal(with(number(20, 2) + number(3, 1))), "has no name"));
}

TEST(OnnxLoad, ListsAndNodesAreBounded) {
    GraphParts graph = relu_graph();
    graph.nodes = {node("Relu", {"x"}, {"y"}, "n",
                        bytes(5, attribute_head("a", 7) + bytes(8, std::string(100, '\1'))))};
    LoadOptions options = plain_options();
    options.limits.list_elements = 100;
    EXPECT_EQ(refusal(model(graph), options), "loaded");
    options.limits.list_elements = 99;
    EXPECT_TRUE(mentions(refusal(model(graph), options), "more elements than the limit of 99"));
    options = plain_options();
    options.limits.nodes = 4;
    EXPECT_EQ(refusal(model(if_graph()), options), "loaded");
    options.limits.nodes = 3;
    EXPECT_TRUE(mentions(refusal(model(if_graph()), options), "more nodes than the limit of 3"));
    options = plain_options();
    options.limits.nesting = 1;
    EXPECT_EQ(refusal(model(if_graph()), options), "loaded");
    options.limits.nesting = 0;
    EXPECT_TRUE(mentions(refusal(model(if_graph()), options), "nest deeper than the limit of 0"));
    options = plain_options();
    options.limits.name_bytes = 5;
    EXPECT_EQ(refusal(model(relu_graph()), options), "loaded");
    options.limits.name_bytes = 4;
    EXPECT_TRUE(
        mentions(refusal(model(relu_graph()), options), "\"relu0\" has 5 bytes, the limit is 4"));
}

TEST(OnnxLoad, ConstantsOfOneNameTheLastCounts) {
    GraphParts graph;
    const auto constant = [](float value) {
        return node("Constant", {}, {"c"}, "",
                    bytes(5, attribute_head("value", 4) +
                                 bytes(5, tensor("", {1}, 1, raw<float>({value})))));
    };
    graph.nodes = {constant(1), node("Identity", {"c"}, {"y"}), constant(2)};
    graph.outputs = {value_info("y", 1, {1})};
    const Model m = load(model(graph));
    verify(m);
    ASSERT_EQ(m.graph.node_count(), 2u);
    EXPECT_EQ(to_doubles(*m.graph.node(m.graph.nodes()[0]).tensor_attribute("value")),
              (std::vector<double>{2}));
    EXPECT_TRUE(mentions(m.warnings.at(0).message, "the last is used"));
}

std::string function(const std::string& name, const std::vector<std::string>& nodes,
                     const std::string& extra = {}) {
    std::string out = bytes(1, name) + bytes(4, "a") + bytes(5, "b") + bytes(9, number(2, 17)) +
                      bytes(9, bytes(1, "loc") + number(2, 1)) + bytes(10, "loc") + extra;
    for (const auto& n : nodes) out += bytes(7, n);
    return out;
}

std::string with_functions(const std::vector<std::string>& functions,
                           const std::string& call_extra = {}) {
    GraphParts graph = relu_graph();
    graph.nodes = {node("F", {"x"}, {"y"}, "call", bytes(7, "loc") + call_extra)};
    std::string extra = bytes(8, bytes(1, "loc") + number(2, 1));
    for (const auto& f : functions) extra += bytes(25, f);
    return model(graph, 17, extra);
}

TEST(OnnxLoad, Functions) {
    const std::string reference = bytes(5, attribute_head("alpha", 1) + bytes(21, "slope"));
    const std::string body = node("LeakyRelu", {"a"}, {"b"}, "body", reference);
    const std::string slope =
        bytes(5, attribute_head("slope", 1) + varint(2 << 3 | 5) + raw<float>({0.5f}));
    const Model m = load(with_functions({function("F", {body}, bytes(6, "slope"))}, slope));
    ASSERT_EQ(m.functions.size(), 1u);
    EXPECT_EQ(m.functions[0].attributes, (std::vector<std::string>{"slope"}));
    const Graph& graph = *m.functions[0].body;
    EXPECT_EQ(std::get<AttributeReference>(graph.node(graph.nodes()[0]).attributes[0].value).name,
              "slope");
    EXPECT_EQ(graph.node(graph.nodes()[0]).version, 17);

    EXPECT_TRUE(mentions(refusal(with_functions({function("F", {body}, bytes(6, "slope"))})),
                         "lacks attribute \"slope\""));
    EXPECT_TRUE(mentions(refusal(with_functions({function("F", {body})}, slope)),
                         "which the function does not declare"));
    EXPECT_TRUE(mentions(refusal(with_functions({function("F", {node("Relu", {"nope"}, {"b"})})})),
                         "function \"loc::F\"/node #0 (Relu): input 0 is \"nope\""));
    EXPECT_TRUE(mentions(refusal(with_functions({function("F", {node("Relu", {"a"}, {"c"})})})),
                         "function output \"b\""));
    EXPECT_TRUE(mentions(refusal(with_functions({function("G", {node("Relu", {"a"}, {"b"})})})),
                         "function \"loc::F\" is not defined"));
}

TEST(OnnxLoad, RecursionThroughABranchIsFound) {
    GraphParts then_branch, else_branch;
    then_branch.nodes = {node("F", {"a"}, {"t"}, "", bytes(7, "loc"))};
    then_branch.outputs = {bytes(1, "t")};
    else_branch.nodes = {node("Identity", {"a"}, {"e"})};
    else_branch.outputs = {bytes(1, "e")};
    const std::string branches =
        bytes(5, attribute_head("then_branch", 5) + bytes(6, then_branch.encode())) +
        bytes(5, attribute_head("else_branch", 5) + bytes(6, else_branch.encode()));
    EXPECT_TRUE(
        mentions(refusal(with_functions({function("F", {node("If", {"a"}, {"b"}, "", branches)})})),
                 "call themselves: \"loc::F -> loc::F\""));
}

TEST(OnnxLoad, ManyValueInfosInputsAndLongNamesTakeLinearTime) {
    constexpr int count = under_sanitizer ? 4000 : 20000;
    GraphParts graph;
    const std::string prefix(2000, 'n');
    std::string previous = prefix + "x";
    graph.inputs = {value_info(previous, 1, {1})};
    for (int i = 0; i < count; ++i) {
        const std::string next = prefix + std::to_string(i);
        graph.nodes.push_back(node("Relu", {previous}, {next}));
        graph.value_infos.push_back(value_info(next, 1, {1}));
        graph.inputs.push_back(value_info("in" + std::to_string(i), 1, {1}));
        previous = next;
    }
    graph.outputs = {value_info(previous, 1, {1})};
    const auto start = std::chrono::steady_clock::now();
    const Model m = load(model(graph));
    EXPECT_EQ(m.graph.node_count(), std::size_t{count});
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
              2 * wall_factor);
}

TEST(OnnxLoad, CyclesAreFoundBesideSoundNodes) {
    GraphParts graph;
    // n0 reads the cycle and, last, a sound node that stands behind it.
    graph.nodes = {node("Add", {"a", "d"}, {"y"}, "n0"), node("Add", {"b", "d"}, {"a"}, "n1"),
                   node("Relu", {"a"}, {"b"}, "n2"), node("Relu", {"x"}, {"d"}, "n3")};
    graph.inputs = {value_info("x", 1, {1})};
    graph.outputs = {value_info("y", 1, {1})};
    EXPECT_EQ(refusal(model(graph)),
              "main: the graph has a cycle of 2 nodes: node \"n2\" (Relu) -> node \"n1\" (Add) -> "
              "node \"n2\" (Relu)");
}

TEST(OnnxLoad, LongCyclesAndManyCapturesTakeLinearTime) {
    constexpr int count = 100000;
    const double start = test::thread_cpu_seconds();
    GraphParts cycle;
    for (int i = 0; i < count; ++i)
        cycle.nodes.push_back(bytes(1, "v" + std::to_string((i + count - 1) % count)) +
                              bytes(2, "v" + std::to_string(i)) + bytes(4, "Relu"));
    cycle.outputs = {value_info("v0", 1, {1})};
    EXPECT_TRUE(mentions(refusal(model(cycle)), "a cycle of 100000 nodes"));
    GraphParts branch, graph;
    std::string sum;
    for (int i = 0; i < count; ++i) {
        graph.inputs.push_back(value_info("v" + std::to_string(i), 1, {1}));
        sum += bytes(1, "v" + std::to_string(i));
    }
    branch.nodes = {sum + node("Sum", {}, {"t"})};
    branch.outputs = {bytes(1, "t")};
    graph.inputs.push_back(value_info("c", 9, {}));
    graph.nodes = {
        node("If", {"c"}, {"y"}, "if0",
             bytes(5, attribute_head("then_branch", 5) + bytes(6, branch.encode())) +
                 bytes(5, attribute_head("else_branch", 5) + bytes(6, branch.encode())))};
    graph.outputs = {value_info("y", 1, {1})};
    EXPECT_EQ(load(model(graph)).graph.node_count(), 1u);
    EXPECT_LT(test::thread_cpu_seconds() - start, 10 * wall_factor);
}

}  // namespace
}  // namespace lapidary
