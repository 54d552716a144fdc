// SPDX-License-Identifier: Apache-2.0
// The operator tables against the schemas of the packaged onnx library, as far as that reaches.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include <onnx/defs/schema.h>

#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

std::size_t bound(int n) {
    return n == std::numeric_limits<int>::max() ? std::numeric_limits<std::size_t>::max()
                                                : static_cast<std::size_t>(n);
}

std::string kind_of(onnx::AttributeProto::AttributeType type) {
    switch (type) {
    case onnx::AttributeProto::FLOAT: return "f";
    case onnx::AttributeProto::INT: return "i";
    case onnx::AttributeProto::STRING: return "s";
    case onnx::AttributeProto::TENSOR: return "t";
    case onnx::AttributeProto::GRAPH: return "g";
    case onnx::AttributeProto::SPARSE_TENSOR: return "S";
    case onnx::AttributeProto::TYPE_PROTO: return "y";
    case onnx::AttributeProto::FLOATS: return "fs";
    case onnx::AttributeProto::INTS: return "is";
    case onnx::AttributeProto::STRINGS: return "ss";
    case onnx::AttributeProto::TENSORS: return "ts";
    case onnx::AttributeProto::GRAPHS: return "gs";
    case onnx::AttributeProto::TYPE_PROTOS: return "ys";
    default: return "?";
    }
}

// Where later releases of ONNX corrected what this release of the library says.
// M, cond and all state may be absent
const std::set<std::string> corrected_inputs{"::Loop-11", "::Loop-13", "::Loop-16"};
// integers were withdrawn
const std::set<std::string> corrected_types{"::Erf-13"};

TEST(SchemaPeer, AgreesWithTheOnnxLibrary) {
    int compared = 0;
    for (const onnx::OpSchema& theirs : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
        if (theirs.domain() != "" && theirs.domain() != "ai.onnx.ml") continue;
        const std::string label =
            theirs.domain() + "::" + theirs.Name() + "-" + std::to_string(theirs.SinceVersion());
        const OpSchema* ours = find_schema(theirs.domain(), theirs.Name(), theirs.SinceVersion());
        ASSERT_NE(ours, nullptr) << label;
        EXPECT_EQ(ours->since_version, theirs.SinceVersion()) << label;
        EXPECT_EQ(ours->deprecated, theirs.Deprecated()) << label;
        if (theirs.Deprecated()) continue;
        ++compared;
        EXPECT_TRUE(corrected_inputs.contains(label) ||
                    ours->min_inputs == bound(theirs.min_input()))
            << label;
        EXPECT_EQ(ours->max_inputs, bound(theirs.max_input())) << label;
        EXPECT_EQ(ours->min_outputs, bound(theirs.min_output())) << label;
        EXPECT_EQ(ours->max_outputs, bound(theirs.max_output())) << label;
        EXPECT_EQ(ours->attributes.size(), theirs.attributes().size()) << label;
        for (const auto& [name, attribute] : theirs.attributes()) {
            const SchemaAttribute* own = ours->attribute(name);
            ASSERT_NE(own, nullptr) << label << " lacks attribute " << name;
            EXPECT_EQ(own->is_required, attribute.required) << label << " " << name;
            EXPECT_EQ(own->kind, kind_of(attribute.type)) << label << " " << name;
        }
        for (const auto& constraint : theirs.typeConstraintParams()) {
            if (corrected_types.contains(label)) continue;
            const TypeConstraint* own = ours->constraint(constraint.type_param_str);
            ASSERT_NE(own, nullptr)
                << label << " lacks type variable " << constraint.type_param_str;
            const std::set<std::string> a(own->allowed.begin(), own->allowed.end());
            EXPECT_EQ(a.size(), std::set<std::string>(constraint.allowed_type_strs.begin(),
                                                      constraint.allowed_type_strs.end())
                                    .size())
                << label << " " << constraint.type_param_str;
        }
    }
    std::printf("compared %d schemas\n", compared);
    EXPECT_GT(compared, 400);
}

}  // namespace
}  // namespace lapidary
