// SPDX-License-Identifier: Apache-2.0
// What kernels say they read (core/operators/kernels/reads_*.inc) against all schemas, and that
// what they do not read is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "kernels/kernel.h"
#include "kernels/node_reads.h"
#include "ops/schemas/schema.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;

/// Parts of operators with kernels that no kernel reads. A node that uses one is refused; a part
/// that joins a schema has to be read, or put here.
const std::set<std::string> refused{
    "com.microsoft::GreedySearch attribute encoder",
    "com.microsoft::GroupQueryAttention input query_seqlens",
    "com.microsoft::MatMulNBits attribute weight_prepacked",
    "com.microsoft::MoE attribute swiglu_limit_after_activation",
    "com.microsoft::MoE attribute use_sparse_mixer",
    "com.microsoft::QMoE attribute swiglu_limit_after_activation",
    "com.microsoft::QMoE attribute use_sparse_mixer",
    "com.microsoft::QMoE input fc1_act_block_scale",
    "com.microsoft::QMoE input fc1_act_scale",
    "com.microsoft::QMoE input fc1_global_scale",
    "com.microsoft::QMoE input fc2_act_block_scale",
    "com.microsoft::QMoE input fc2_act_scale",
    "com.microsoft::QMoE input fc2_global_scale",
    "com.microsoft::Sampling attribute encoder",
    "com.microsoft::Sampling output filtered_logits",
    "com.microsoft::WhisperBeamSearch attribute init_decoder",
    "com.microsoft::WhisperBeamSearch input cross_qk_layer_head",
    "com.microsoft::WhisperBeamSearch input extra_decoding_ids",
    "com.microsoft::WhisperBeamSearch output cross_qk",
    "com.microsoft::WhisperBeamSearch output non_speech_probs",
};

std::set<std::string> words_of(std::string_view list) {
    std::istringstream stream{std::string(list)};
    std::set<std::string> words;
    for (std::string word; stream >> word;) words.insert(word.substr(0, word.find('=')));
    return words;
}

std::string label(std::string_view domain, std::string_view op) {
    return domain.empty() ? std::string(op) : std::string(domain) + "::" + std::string(op);
}

/// All schemas, by operator; oldest first.
std::map<std::string, std::vector<const OpSchema*>> schemas_by_operator() {
    std::map<std::string, std::vector<const OpSchema*>> all;
    for (const OpSchema* schema : all_schemas())
        all[label(schema->domain, schema->name)].push_back(schema);
    return all;
}

/// Whether a file of an opset that this program reads can have the schema in effect.
bool is_in_reach(const OpSchema& schema) {
    return find_schema(schema.domain, schema.name,
                       std::max(schema.since_version, min_onnx_opset)) == &schema;
}

TEST(NodeReads, EveryOperatorWithAKernelSaysWhatItReads) {
    std::set<std::string> declared;
    for (const ReadsLine& line : reads_lines()) {
        EXPECT_TRUE(declared.insert(label(line.domain, line.op_type)).second)
            << line.op_type << " stands twice";
        std::string reason;
        EXPECT_TRUE(has_kernel(line.domain, line.op_type, line.newest, &reason)) << reason;
    }
    const auto schemas = schemas_by_operator();
    for (const KernelEntry& entry : kernel_entries()) {
        const std::string op = label(entry.domain, entry.op_type);
        if (schemas.contains(op))
            EXPECT_TRUE(declared.contains(op)) << op << " is in no reads_*.inc";
    }
}

TEST(NodeReads, EveryPartOfEverySchemaIsReadOrRefused) {
    const auto schemas = schemas_by_operator();
    std::set<std::string> unread;
    for (const ReadsLine& line : reads_lines()) {
        const std::string op = label(line.domain, line.op_type);
        std::set<std::string> inputs = words_of(line.inputs), outputs = words_of(line.outputs),
                              attributes = words_of(line.attributes);
        const std::set<std::string> ignored = words_of(line.without_effect);
        // com.microsoft.nchwc's block of channels stands in no schema
        // (core/operators/ops/channel_block.h).
        std::set<std::string> known;
        if (line.domain == "com.microsoft.nchwc") known.insert("channel_block");
        ASSERT_TRUE(schemas.contains(op)) << op;
        for (const OpSchema* schema : schemas.at(op)) {
            EXPECT_LE(schema->since_version, line.newest)
                << op << " has a version that its kernels do not implement";
            if (schema->deprecated) continue;
            const auto look = [&](const std::string& kind, const std::string& name,
                                  const std::set<std::string>& read) {
                known.insert(name);
                if (!is_in_reach(*schema)) return;
                if (!read.contains(name) && (kind == "output" || !ignored.contains(name)))
                    unread.insert(op + " " + kind + " " + name);
            };
            for (const SchemaParameter& p : schema->inputs) look("input", p.name, inputs);
            for (const SchemaParameter& p : schema->outputs) look("output", p.name, outputs);
            for (const SchemaAttribute& a : schema->attributes)
                look("attribute", a.name, attributes);
        }
        for (const auto* list : {&inputs, &outputs, &attributes})
            for (const std::string& name : *list)
                EXPECT_TRUE(known.contains(name))
                    << op << " reads " << name << ", which no schema has";
    }
    for (const std::string& part : unread)
        EXPECT_TRUE(refused.contains(part)) << part << " is neither read nor listed as refused";
    for (const std::string& part : refused)
        EXPECT_TRUE(unread.contains(part)) << part << " is listed as refused, but read";
}

/// One node of the operator at its newest version that uses the part; its inputs have no types.
std::pair<Graph, NodeId> node_with(const OpSchema& schema, const std::string& kind,
                                   const std::string& part) {
    Graph graph;
    GraphEdit edit(graph);
    NodeSpec spec;
    spec.domain = schema.domain;
    spec.op_type = schema.name;
    spec.version = schema.since_version;
    for (const SchemaParameter& p : schema.inputs)
        spec.inputs.push_back(!p.is_optional || (kind == "input" && p.name == part)
                                  ? edit.add_input("in_" + p.name, {})
                                  : ValueId{});
    for (const SchemaParameter& p : schema.outputs)
        spec.outputs.push_back(!p.is_optional || (kind == "output" && p.name == part)
                                   ? edit.add_value("out_" + p.name)
                                   : ValueId{});
    if (kind == "attribute") {
        const SchemaAttribute* a = schema.attribute(part);
        if (a && a->kind == "g")
            spec.attributes.push_back({part, GraphPtr(std::make_shared<const Graph>())});
        else spec.attributes.push_back({part, std::int64_t{77}});
    }
    const NodeId id = edit.add_node(std::move(spec));
    return {std::move(graph), id};
}

TEST(NodeReads, WhatIsNotReadIsRefusedByName) {
    for (const std::string& entry : refused) {
        std::istringstream words(entry);
        std::string op, kind, part;
        words >> op >> kind >> part;
        const std::size_t colon = op.find("::");
        const OpSchema* schema = find_schema(op.substr(0, colon), op.substr(colon + 2), 1);
        ASSERT_NE(schema, nullptr) << op;
        const auto [graph, id] = node_with(*schema, kind, part);
        const auto reason = unread_part(graph.node(id));
        ASSERT_TRUE(reason.has_value()) << entry;
        EXPECT_NE(reason->find(part), std::string::npos) << *reason;
        EXPECT_NE(reason->find("no kernel of " + schema->name), std::string::npos) << *reason;
        const auto [plain, plain_id] = node_with(*schema, "", "");
        EXPECT_EQ(unread_part(plain.node(plain_id)).value_or(""), "") << entry;
    }
}

TEST(NodeReads, AttributesNoSchemaHasAreRefusedAndDefaultsAreNot) {
    Graph graph;
    GraphEdit edit(graph);
    const auto reason_of = [&](Attribute attribute, std::string op = "GreedySearch") {
        NodeSpec spec;
        spec.domain = "com.microsoft";
        spec.op_type = op;
        spec.version = 1;
        spec.inputs = {edit.add_input("x" + std::to_string(graph.value_slots()), {})};
        spec.outputs = {edit.add_value("y" + std::to_string(graph.value_slots()))};
        spec.attributes = {std::move(attribute)};
        return unread_part(graph.node(edit.add_node(std::move(spec)))).value_or("");
    };
    EXPECT_EQ(reason_of({"invented", std::int64_t{3}}),
              "attribute \"invented\" is \"3\", but no kernel of GreedySearch reads it");
    EXPECT_EQ(reason_of({"weight_prepacked", std::int64_t{1}}, "MatMulNBits"),
              "attribute \"weight_prepacked\" is \"1\", but no kernel of MatMulNBits reads it; "
              "expected 0 or none");
    EXPECT_EQ(reason_of({"weight_prepacked", std::int64_t{0}}, "MatMulNBits"), "");
    EXPECT_EQ(reason_of({"scale", 2.0f}, "RotaryEmbedding").substr(0, 20),
              "attribute \"scale\" is");
    EXPECT_EQ(reason_of({"scale", 1.0f}, "RotaryEmbedding"), "");
    EXPECT_EQ(reason_of({"is_packed_batching", std::int64_t{1}}, "RotaryEmbedding"), "");
}

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The files below core/ that `path` includes, with the .cpp beside each header, down to the
/// bottom. kernel.h is left out.
void add_sources(const fs::path& path, std::map<fs::path, std::string>& found) {
    if (found.contains(path) || !fs::exists(path) || path.filename() == "kernel.h") return;
    const std::string text = found.emplace(path, text_of(path)).first->second;
    static const std::regex include("#include \"([^\"]+)\"");
    for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
        const fs::path header = source_folder() / "core/operators" / (*at)[1].str();
        add_sources(header, found);
        add_sources(fs::path(header).replace_extension(".cpp"), found);
    }
}

/// An attribute that a line says is read is spelled in the sources of one of the operator's
/// kernels.
TEST(NodeReads, AttributesSaidToBeReadAreSpelledInTheKernels) {
    // Put together from parts, or read by the shape rule alone.
    static const std::regex composed(
        "(Constant value_.*|Constant sparse_value|Optional type|LabelEncoder "
        "(keys|values)_.*|TreeEnsemble(Classifier|Regressor) .*|QMoE fc[123]_expert_weight_bits|"
        "Fused(Gemm|MatMulActivation) activation_gamma)");
    std::map<std::string, std::set<fs::path>> files;  // function -> where it is defined
    static const std::regex list_line(
        "LAPIDARY_KERNEL(_FACTORY)?\\(\"([^\"]*)\", \"([^\"]*)\", *\\w+, *\\w+, *\"[^\"]*\", "
        "*(\\w+)\\)");
    static const std::regex definition(
        "\n(?:void|std::unique_ptr<Kernel>) (\\w+)\\((?:KernelContext|const KernelRequest)");
    std::map<std::string, std::set<std::string>> functions;  // operator -> functions
    for (const auto& entry :
         fs::recursive_directory_iterator(source_folder() / "core/operators/kernels")) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".inc") continue;
        const std::string text = text_of(entry.path());
        const bool is_list = entry.path().extension() == ".inc";
        for (std::sregex_iterator at(text.begin(), text.end(), is_list ? list_line : definition),
             end;
             at != end; ++at) {
            if (is_list) functions[label((*at)[2].str(), (*at)[3].str())].insert((*at)[4].str());
            else files[(*at)[1].str()].insert(entry.path());
        }
    }
    std::size_t looked_up = 0;
    for (const ReadsLine& line : reads_lines()) {
        std::map<fs::path, std::string> sources;
        for (const std::string& function : functions[label(line.domain, line.op_type)])
            for (const fs::path& path : files[function]) add_sources(path, sources);
        if (sources.empty()) continue;  // a family of functions that a macro defines
        for (const std::string& name : words_of(line.attributes)) {
            if (std::regex_match(std::string(line.op_type) + " " + name, composed)) continue;
            ++looked_up;
            EXPECT_TRUE(std::ranges::any_of(sources,
                                            [&](const auto& file) {
                                                return file.second.find('"' + name + '"') !=
                                                       std::string::npos;
                                            }))
                << label(line.domain, line.op_type) << ": no kernel source spells \"" << name
                << "\"";
        }
    }
    EXPECT_GT(looked_up, 350u);
}

}  // namespace
}  // namespace lapidary::test
