// SPDX-License-Identifier: Apache-2.0
// What `info` says cannot run is what compile() refuses, for all operators at all opsets where they
// change.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/exec/session.h>

#include "kernels/kernel.h"
#include "ops/schemas/schema.h"

namespace lapidary::test {
namespace {

/// A value for an attribute that a schema requires; nothing for kinds that a test has not.
std::optional<AttributeValue> some_value(const SchemaAttribute& attribute) {
    if (attribute.kind == "i") return AttributeValue(std::int64_t{1});
    if (attribute.kind == "f") return AttributeValue(1.0f);
    if (attribute.kind == "s") return AttributeValue(std::string("x"));
    if (attribute.kind == "is") return AttributeValue(std::vector<std::int64_t>{1});
    if (attribute.kind == "fs") return AttributeValue(std::vector<float>{1});
    if (attribute.kind == "ss") return AttributeValue(std::vector<std::string>{"x"});
    return std::nullopt;
}

/// One node with as few inputs as the schema allows, of unknown types.
Model model_with(const OpSchema& schema, std::int64_t version) {
    Model model;
    model.opset_imports[schema.domain] = version;
    if (!schema.domain.empty()) model.opset_imports[""] = 17;
    GraphEdit edit(model.graph);
    NodeSpec node;
    node.op_type = schema.name;
    node.domain = schema.domain;
    node.version = version;
    node.name = "it";
    for (std::size_t i = 0; i < schema.min_inputs; ++i)
        node.inputs.push_back(edit.add_input("x" + std::to_string(i), {}));
    for (std::size_t i = 0; i < std::max<std::size_t>(schema.min_outputs, 1); ++i)
        node.outputs.push_back(edit.add_value("y" + std::to_string(i)));
    for (const SchemaAttribute& attribute : schema.attributes)
        if (auto value = attribute.is_required ? some_value(attribute) : std::nullopt)
            node.attributes.push_back({attribute.name, std::move(*value), {}, {}});
    const std::vector<ValueId> outputs = node.outputs;
    edit.add_node(std::move(node));
    for (const ValueId output : outputs) edit.add_output(output);
    edit.finish();
    return model;
}

enum class Verdict { runs, lacks_kernel, other };

Verdict compiled(const Model& model) {
    try {
        Session::compile(std::make_shared<const Model>(model));
        return Verdict::runs;
    } catch (const Error& error) {
        const std::string text = error.what();
        const bool is_about_kernels = error.code() == ErrorCode::not_supported &&
                                      text.find("no kernel") != text.npos &&
                                      text.find("passed it over") == text.npos;
        // other: the bare node is no model
        return is_about_kernels ? Verdict::lacks_kernel : Verdict::other;
    }
}

TEST(RunnableOperators, InfoSaysWhatCompileSays) {
    std::size_t runs = 0, lacks = 0;
    for (const OpSchema* schema : all_schemas()) {
        std::set<std::int64_t> versions{schema->since_version};
        if (schema->since_version > 1) versions.insert(schema->since_version - 1);
        if (schema->domain.empty()) versions.insert(max_onnx_opset);
        for (const std::int64_t version : versions) {
            if (schema->domain.empty() && version < min_onnx_opset) continue;
            const Model model = model_with(*schema, version);
            const Verdict verdict = compiled(model);
            if (verdict == Verdict::other) continue;
            const ModelSummary summary = summarize(model);
            EXPECT_EQ(summary.unsupported.empty(), verdict == Verdict::runs)
                << schema->domain << "::" << schema->name << " at " << version << ": "
                << (summary.unsupported.empty() ? "info says that it runs"
                                                : summary.unsupported.front().reason);
            ++(verdict == Verdict::runs ? runs : lacks);
        }
    }
    EXPECT_GT(runs, 100u);
    EXPECT_GT(lacks, 50u);
}

TEST(RunnableOperators, AnOperatorOfALaterOpsetIsNamedWithThatOpsetAndTheWayThere) {
    std::string reason;
    EXPECT_FALSE(has_kernel("", "Gelu", 17, &reason));
    EXPECT_NE(reason.find("Gelu came with opset 20, the model is of opset 17"), std::string::npos)
        << reason;
    EXPECT_NE(reason.find("--opset 20"), std::string::npos) << reason;
    EXPECT_TRUE(has_kernel("", "Gelu", 20, &reason));
    EXPECT_TRUE(has_kernel("", "GroupNormalization", 18))
        << "deprecated at once, and exported all the same";
}

}  // namespace
}  // namespace lapidary::test
