// SPDX-License-Identifier: Apache-2.0
// Builds models the way PyTorch's exporter writes them: node names by module scope
// ("/layer1/layer1.0/conv1/Conv"), weights by parameter name ("layer1.0.conv1.weight"), small
// constants as Constant nodes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>

namespace lapidary::samples {

inline Dim batch() { return Dim::symbolic("batch"); }

Attribute attribute(std::string name, std::int64_t value);
Attribute attribute(std::string name, float value);
Attribute attribute(std::string name, std::string value);
Attribute list(std::string name, std::vector<std::int64_t> values);
Attribute attribute(std::string name, Tensor value);
inline Attribute attribute(std::string name, int value) {
    return attribute(std::move(name), static_cast<std::int64_t>(value));
}

class ModelBuilder {
public:
    ModelBuilder(std::string name, std::int64_t opset, std::uint64_t seed);

    ValueId input(const std::string& name, DType dtype, SymbolicShape shape);
    /// From now on weights are computed when they are read, a part at a time. Their values are the
    /// same. A model can so be written that is larger than memory.
    void defer_weights() { is_deferring_ = true; }
    /// Normal(mean, deviation) weights named by parameter; repeatable for a seed.
    ValueId weight(const std::string& name, Shape shape, float deviation, float mean = 0);
    ValueId initializer(const std::string& name, Tensor tensor) {
        return edit_.add_initializer(name, std::move(tensor));
    }
    /// A Constant node.
    ValueId constant(Tensor tensor) {
        return op("Constant", {}, {attribute("value", std::move(tensor))});
    }
    ValueId scalar(float value) { return constant(Tensor::scalar(value)); }
    ValueId ints(const std::vector<std::int64_t>& values) {
        return constant(
            Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values));
    }
    /// One node in the current scope, "Op" or "com.microsoft::Op"; returns its first output.
    ValueId op(const std::string& op_type, std::vector<ValueId> inputs,
               std::vector<Attribute> attributes = {});
    std::vector<ValueId> ops(const std::string& op_type, std::vector<ValueId> inputs,
                             std::vector<Attribute> attributes, std::size_t outputs);
    void output(ValueId value, const std::string& name, DType dtype, SymbolicShape shape);
    /// Checks the model, infers types and returns it.
    Model finish();

    /// "/encoder/layer.0" while alive; nests.
    class Scope {
    public:
        Scope(ModelBuilder& builder, const std::string& module);
        ~Scope() { builder_.scope_.resize(length_); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        ModelBuilder& builder_;
        std::size_t length_;
    };

    // ---- layers, each with the parameters "<path>.weight" and "<path>.bias"
    /// Conv2d with bias (a BatchNorm behind it is folded in by the exporter).
    ValueId conv(ValueId x, const std::string& path, std::int64_t in, std::int64_t out,
                 std::int64_t kernel, std::int64_t stride = 1, std::int64_t group = 1);
    /// Linear as Gemm, for rank 2.
    ValueId linear(ValueId x, const std::string& path, std::int64_t in, std::int64_t out);
    /// Linear as MatMul + Add, for rank 3.
    ValueId dense(ValueId x, const std::string& path, std::int64_t in, std::int64_t out);
    /// In single operators, as before opset 17: ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div,
    /// Mul, Add.
    ValueId layer_norm(ValueId x, const std::string& path, std::int64_t size, float epsilon);
    ValueId max_pool(ValueId x, std::int64_t kernel, std::int64_t stride, std::int64_t pad,
                     bool ceil = false);

private:
    Model model_;
    GraphEdit edit_;
    std::string scope_;
    std::map<std::string, int> counts_;
    std::uint64_t seed_;
    bool is_deferring_ = false;
};

}  // namespace lapidary::samples
