// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include <lapidary/tensor/dtype.h>

#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

Node node_of(std::string op, std::size_t inputs, std::size_t outputs,
             std::vector<Attribute> attributes = {}) {
    Node node;
    node.op_type = std::move(op);
    for (std::size_t i = 0; i < inputs; ++i)
        node.inputs.push_back(ValueId(static_cast<std::uint32_t>(i)));
    for (std::size_t i = 0; i < outputs; ++i)
        node.outputs.push_back(ValueId(static_cast<std::uint32_t>(100 + i)));
    node.attributes = std::move(attributes);
    return node;
}

std::string violation(std::string_view op, std::int64_t version, const Node& node,
                      std::vector<Type> types) {
    const OpSchema* schema = find_schema("", op, version);
    EXPECT_NE(schema, nullptr) << op;
    types.resize(node.inputs.size());
    return schema_violation(*schema, node, types).value_or("");
}

TEST(SchemaTable, EveryLineIsConsistent) {
    static const std::set<std::string> kinds = {"i",  "f",  "s",  "t",  "g",  "y",  "S",
                                                "is", "fs", "ss", "ts", "gs", "ys", "Ss"};
    std::set<std::tuple<std::string, std::string, std::int64_t>> seen;
    for (const OpSchema* schema : all_schemas()) {
        SCOPED_TRACE(schema->domain + "::" + schema->name + "-" +
                     std::to_string(schema->since_version));
        EXPECT_TRUE(seen.insert({schema->domain, schema->name, schema->since_version}).second);
        EXPECT_LE(schema->min_inputs, schema->max_inputs);
        EXPECT_LE(schema->min_outputs, schema->max_outputs);
        EXPECT_LE(schema->since_version, max_onnx_opset);
        for (const auto* list : {&schema->inputs, &schema->outputs}) {
            for (std::size_t i = 0; i < list->size(); ++i) {
                const SchemaParameter& parameter = (*list)[i];
                EXPECT_FALSE(parameter.name.empty());
                EXPECT_TRUE(!parameter.is_variadic || i + 1 == list->size())
                    << "only the last may be variadic";
                std::string type = parameter.type;
                for (std::string wrapper : {"optional(", "seq(", "sparse("}) {
                    if (type.starts_with(wrapper))
                        type = type.substr(wrapper.size(), type.size() - wrapper.size() - 1);
                }
                EXPECT_TRUE(schema->constraint(type) || dtype_from_name(type)) << type;
            }
        }
        for (const TypeConstraint& constraint : schema->constraints)
            EXPECT_FALSE(constraint.allowed.empty()) << constraint.variable;
        for (const SchemaAttribute& attribute : schema->attributes)
            EXPECT_TRUE(kinds.contains(attribute.kind)) << attribute.name;
    }
    EXPECT_GT(seen.size(), 700u);
}

TEST(SchemaTable, FindsTheDefinitionInEffect) {
    EXPECT_EQ(find_schema("", "Conv", 10)->since_version, 1);
    EXPECT_EQ(find_schema("", "Conv", 13)->since_version, 11);
    EXPECT_EQ(find_schema("", "Conv", 24)->since_version, 22);
    EXPECT_EQ(find_schema("", "Gelu", 19), nullptr);
    EXPECT_TRUE(is_known_operator("", "Gelu"));
    EXPECT_FALSE(is_known_operator("", "Glue"));
    EXPECT_EQ(find_schema("com.microsoft", "Nonsense", 1), nullptr);
    EXPECT_TRUE(find_schema("", "Upsample", 12)->deprecated);
    for (const char* op :
         {"Attention", "SkipLayerNormalization", "EmbedLayerNormalization", "FastGelu", "Gelu",
          "BiasGelu", "FusedConv", "QLinearAdd", "MatMulNBits", "DynamicQuantizeMatMul",
          "GroupQueryAttention", "GreedySearch", "BeamSearch"}) {
        EXPECT_TRUE(is_known_operator("com.microsoft", op)) << op;
    }
    for (const char* op :
         {"ImageScaler", "Crop", "Affine", "ParametricSoftplus", "ScaledTanh", "Scale"}) {
        EXPECT_NE(find_schema("", op, 13), nullptr) << op;
    }
}

TEST(SchemaTable, ReadsArityAndDefaults) {
    const OpSchema* conv = find_schema("", "Conv", 11);
    EXPECT_EQ(conv->min_inputs, 2u);
    EXPECT_EQ(conv->max_inputs, 3u);
    EXPECT_EQ(conv->attribute("group")->default_text, "1");
    EXPECT_EQ(conv->attribute("auto_pad")->default_text, "NOTSET");
    const OpSchema* concat = find_schema("", "Concat", 13);
    EXPECT_EQ(concat->max_inputs, SIZE_MAX);
    EXPECT_TRUE(concat->attribute("axis")->is_required);
    EXPECT_EQ(concat->input(7)->name, "inputs");
    const OpSchema* loop = find_schema("", "Loop", 16);
    EXPECT_EQ(loop->min_inputs, 0u);
    EXPECT_FALSE(loop->input(5)->is_homogeneous);
    EXPECT_EQ(find_schema("", "LSTM", 14)->min_outputs, 0u);
}

TEST(SchemaTable, IsSafeToReadFromManyThreads) {
    std::vector<std::thread> threads;
    std::atomic<int> found{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { found += find_schema("", "Relu", 14) != nullptr; });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(found, 4);
}

TEST(SchemaCheck, AcceptsWhatFits) {
    EXPECT_EQ(
        violation("Conv", 11, node_of("Conv", 3, 1, {{"strides", std::vector<std::int64_t>{1, 1}}}),
                  {Type::tensor(DType::f32), Type::tensor(DType::f32), Type::tensor(DType::f32)}),
        "");
    EXPECT_EQ(violation("Relu", 14, node_of("Relu", 1, 1), {}), "")
        << "an unknown input type is no violation";
    EXPECT_EQ(violation("SequenceInsert", 11, node_of("SequenceInsert", 2, 1),
                        {Type::sequence(Type::tensor(DType::f32)), Type::tensor(DType::f32)}),
              "");
}

TEST(SchemaCheck, NamesWhatDoesNotFit) {
    const Type f32 = Type::tensor(DType::f32);
    EXPECT_EQ(violation("Relu", 14, node_of("Relu", 1, 1, {{"axis", std::int64_t{1}}}), {f32}),
              "Relu has no attribute \"axis\"");
    EXPECT_EQ(violation("Concat", 13, node_of("Concat", 2, 1), {f32, f32}),
              "the required attribute \"axis\" is missing");
    EXPECT_EQ(violation("Conv", 11, node_of("Conv", 2, 1, {{"kernel_shape", std::string("33")}}),
                        {f32, f32}),
              "attribute \"kernel_shape\" must be of kind ints, found string");
    EXPECT_EQ(violation("Relu", 14, node_of("Relu", 2, 1), {f32, f32}), "takes 1 inputs, found 2");
    EXPECT_EQ(violation("Conv", 11, node_of("Conv", 1, 1), {f32}), "takes 2 to 3 inputs, found 1");
    EXPECT_EQ(violation("MatMul", 13, node_of("MatMul", 2, 1), {f32, Type::tensor(DType::boolean)}),
              "input 1 (B) cannot be bool");
    EXPECT_EQ(violation("Add", 14, node_of("Add", 2, 1), {f32, Type::tensor(DType::f64)}),
              "inputs 0 and 1 must have one type, found f32 and f64");
    EXPECT_EQ(violation("Add", 14, node_of("Add", 2, 1),
                        {Type::tensor(DType::string), Type::tensor(DType::string)}),
              "input 0 (A) cannot be string");
    EXPECT_EQ(violation("Reshape", 14, node_of("Reshape", 2, 1), {f32, Type::tensor(DType::i32)}),
              "input 1 (shape) must be i64, found i32");
    Node empty = node_of("Add", 2, 1);
    empty.inputs[1] = ValueId();
    EXPECT_EQ(violation("Add", 14, empty, {f32, Type()}), "input 1 (B) is required but left empty");
    EXPECT_EQ(violation("SequenceConstruct", 11, node_of("SequenceConstruct", 2, 1),
                        {f32, Type::tensor(DType::i64)}),
              "inputs 0 and 1 must have one type, found f32 and i64");
}

TEST(SchemaCheck, SpellsTypesAsTheTables) {
    EXPECT_EQ(schema_spelling(Type::sequence(Type::optional(Type::tensor(DType::f16)))),
              "seq(optional(f16))");
    EXPECT_EQ(schema_spelling(Type()), "");
    Type map;
    map.kind = Type::Kind::map;
    map.key = DType::i64;
    map.dtype = DType::f32;
    EXPECT_EQ(schema_spelling(Type::sequence(map)), "seq(map(i64,f32))");
}

}  // namespace
}  // namespace lapidary
