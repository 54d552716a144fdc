// SPDX-License-Identifier: Apache-2.0
// The InferenceContext that a rule sees while its graph is walked.
#pragma once

#include <vector>

#include "ops/inference/graph_inference.h"

namespace lapidary {

class NodeContext final : public InferenceContext {
public:
    /// `schema` may be null.
    NodeContext(GraphInference& walk, const Node& node, std::int64_t version,
                const OpSchema* schema);

    const Node& node() const override { return node_; }
    std::int64_t version() const override { return version_; }
    std::size_t input_count() const override { return node_.inputs.size(); }
    std::size_t output_count() const override { return node_.outputs.size(); }
    bool has_input(std::size_t index) const override {
        return index < node_.inputs.size() && node_.inputs[index];
    }
    const Type& input_type(std::size_t index) const override;
    const InputShape* input_shape(std::size_t index) const override;
    const KnownValue& input_value(std::size_t index) const override;
    Type& output_type(std::size_t index) override;
    void set_output_shape(std::size_t index, SymbolicShape shape) override;
    void set_output_value(std::size_t index, KnownValue value) override;
    std::vector<Type> infer_subgraph(std::string_view attribute,
                                     const std::vector<Type>& input_types, bool certain) override;
    int nesting() const override { return walk_.place().nesting; }
    Dim fresh_dim(std::string_view hint) override { return walk_.session().fresh_dim(hint); }

    std::vector<Type>& output_types() { return output_types_; }
    std::vector<KnownValue>& output_values() { return output_values_; }
    const std::vector<Type>& input_types() const { return input_types_; }

private:
    GraphInference& walk_;
    const Node& node_;
    std::int64_t version_;
    std::vector<Type> input_types_;
    std::vector<InputShape> input_shapes_;
    std::vector<Type> output_types_;
    std::vector<KnownValue> output_values_;
    Type spare_;  // handed out for an output the node does not have
};

}  // namespace lapidary
