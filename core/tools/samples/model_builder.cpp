// SPDX-License-Identifier: Apache-2.0
#include "samples/model_builder.h"

#include <cmath>

#include <lapidary/ops/infer.h>

#include "graph/verify.h"

namespace lapidary::samples {

Attribute attribute(std::string name, std::int64_t value) {
    return {std::move(name), value, {}, {}};
}
Attribute attribute(std::string name, float value) { return {std::move(name), value, {}, {}}; }
Attribute attribute(std::string name, std::string value) {
    return {std::move(name), std::move(value), {}, {}};
}
Attribute list(std::string name, std::vector<std::int64_t> values) {
    return {std::move(name), std::move(values), {}, {}};
}
Attribute attribute(std::string name, Tensor value) {
    return {std::move(name), std::move(value), {}, {}};
}

namespace {

constexpr std::uint64_t state_step = 0x9e3779b97f4a7c15ull;

// A sum of four uniform 16-bit draws: near enough to normal for weights, and fast for a hundred
// million of them.
void fill_normal(std::span<float> out, std::uint64_t state, float deviation, float mean) {
    const float scale = deviation * std::sqrt(3.0f) / 65536.0f;
    for (float& v : out) {
        std::uint64_t z = state += state_step;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        z ^= z >> 31;
        const auto sum = static_cast<std::int32_t>((z & 0xffff) + ((z >> 16) & 0xffff) +
                                                   ((z >> 32) & 0xffff) + (z >> 48)) -
                         131070;
        v = mean + static_cast<float>(sum) * scale;
    }
}

/// The same values, each row computed when it is read.
Tensor deferred_normal(Shape shape, std::uint64_t state, float deviation, float mean) {
    const auto row = static_cast<std::size_t>(shape.back());
    return Tensor::deferred(DType::f32, std::move(shape), row * sizeof(float),
                            [=](std::byte* to, std::size_t begin, std::size_t end) {
                                fill_normal({reinterpret_cast<float*>(to), (end - begin) * row},
                                            state + begin * row * state_step, deviation, mean);
                            },
                            {});
}

}  // namespace

ModelBuilder::ModelBuilder(std::string name, std::int64_t opset, std::uint64_t seed)
    : edit_(model_.graph), seed_(seed) {
    model_.ir_version = opset >= 21 ? 10 : opset >= 15 ? 8 : 7;
    model_.opset_imports[""] = opset;
    model_.producer_name = "Lapidary";
    edit_.set_name(std::move(name));
    edit_.set_default_version(opset);
}

ValueId ModelBuilder::input(const std::string& name, DType dtype, SymbolicShape shape) {
    const ValueId id = edit_.add_input(name, Type::tensor(dtype, std::move(shape)));
    edit_.set_declared(id, true);
    return id;
}

ValueId ModelBuilder::weight(const std::string& name, Shape shape, float deviation, float mean) {
    std::uint64_t hash = 0xcbf29ce484222325ull ^ (seed_ * 0x9e3779b97f4a7c15ull);
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    if (is_deferring_)
        return edit_.add_initializer(name,
                                     deferred_normal(std::move(shape), hash, deviation, mean));
    Tensor t(DType::f32, std::move(shape));
    fill_normal(t.mutable_data<float>(), hash, deviation, mean);
    return edit_.add_initializer(name, std::move(t));
}

std::vector<ValueId> ModelBuilder::ops(const std::string& op_type, std::vector<ValueId> inputs,
                                       std::vector<Attribute> attributes, std::size_t outputs) {
    const std::size_t domain_end = op_type.find("::");
    NodeSpec spec;
    if (domain_end != std::string::npos) {
        spec.domain = op_type.substr(0, domain_end);
        spec.version = 1;
        model_.opset_imports[spec.domain] = 1;
    }
    spec.op_type = domain_end == std::string::npos ? op_type : op_type.substr(domain_end + 2);
    const std::string base = scope_ + "/" + spec.op_type;
    const int n = counts_[base]++;
    spec.name = n ? base + "_" + std::to_string(n) : base;
    spec.inputs = std::move(inputs);
    spec.attributes = std::move(attributes);
    for (std::size_t i = 0; i < outputs; ++i)
        spec.outputs.push_back(edit_.add_value(spec.name + "_output_" + std::to_string(i)));
    std::vector<ValueId> made = spec.outputs;
    edit_.add_node(std::move(spec));
    return made;
}

ValueId ModelBuilder::op(const std::string& op_type, std::vector<ValueId> inputs,
                         std::vector<Attribute> attributes) {
    return ops(op_type, std::move(inputs), std::move(attributes), 1)[0];
}

void ModelBuilder::output(ValueId value, const std::string& name, DType dtype,
                          SymbolicShape shape) {
    edit_.rename(value, name);
    edit_.set_type(value, Type::tensor(dtype, std::move(shape)));
    edit_.set_declared(value, true);
    edit_.add_output(value);
}

Model ModelBuilder::finish() {
    edit_.finish();
    verify(model_.graph);
    infer_types(model_);
    return std::move(model_);
}

ModelBuilder::Scope::Scope(ModelBuilder& builder, const std::string& module)
    : builder_(builder), length_(builder.scope_.size()) {
    builder.scope_ += "/" + module;
}

ValueId ModelBuilder::conv(ValueId x, const std::string& path, std::int64_t in, std::int64_t out,
                           std::int64_t kernel, std::int64_t stride, std::int64_t group) {
    const std::int64_t pad = kernel / 2, fan_in = in / group * kernel * kernel;
    const ValueId w = weight(path + ".weight", {out, in / group, kernel, kernel},
                             std::sqrt(2.0f / static_cast<float>(fan_in)));
    const ValueId b = weight(path + ".bias", {out}, 0.05f);
    const std::size_t dot = path.rfind('.');
    Scope scope(*this, dot == std::string::npos ? path : path.substr(dot + 1));
    return op("Conv", {x, w, b},
              {list("dilations", {1, 1}), attribute("group", group),
               list("kernel_shape", {kernel, kernel}), list("pads", {pad, pad, pad, pad}),
               list("strides", {stride, stride})});
}

ValueId ModelBuilder::linear(ValueId x, const std::string& path, std::int64_t in,
                             std::int64_t out) {
    const ValueId w = weight(path + ".weight", {out, in}, 1 / std::sqrt(static_cast<float>(in)));
    const ValueId b = weight(path + ".bias", {out}, 0.02f);
    return op("Gemm", {x, w, b},
              {attribute("alpha", 1.0f), attribute("beta", 1.0f), attribute("transB", 1)});
}

ValueId ModelBuilder::dense(ValueId x, const std::string& path, std::int64_t in, std::int64_t out) {
    const ValueId b = weight(path + ".bias", {out}, 0.02f);
    const ValueId w =
        weight("onnx::MatMul_" + path, {in, out}, 1 / std::sqrt(static_cast<float>(in)));
    const std::size_t dot = path.rfind('.');
    Scope scope(*this, dot == std::string::npos ? path : path.substr(dot + 1));
    return op("Add", {b, op("MatMul", {x, w})});
}

ValueId ModelBuilder::layer_norm(ValueId x, const std::string& path, std::int64_t size,
                                 float epsilon) {
    const ValueId gamma = weight(path + ".weight", {size}, 0.02f, 1),
                  beta = weight(path + ".bias", {size}, 0.02f);
    const std::size_t dot = path.rfind('.');
    Scope scope(*this, dot == std::string::npos ? path : path.substr(dot + 1));
    const auto mean = [&](ValueId v) { return op("ReduceMean", {v}, {list("axes", {-1})}); };
    const ValueId centered = op("Sub", {x, mean(x)});
    const ValueId variance = mean(op("Pow", {centered, scalar(2)}));
    const ValueId deviation = op("Sqrt", {op("Add", {variance, scalar(epsilon)})});
    return op("Add", {op("Mul", {op("Div", {centered, deviation}), gamma}), beta});
}

ValueId ModelBuilder::max_pool(ValueId x, std::int64_t kernel, std::int64_t stride,
                               std::int64_t pad, bool ceil) {
    return op("MaxPool", {x},
              {attribute("ceil_mode", ceil ? 1 : 0), list("kernel_shape", {kernel, kernel}),
               list("pads", {pad, pad, pad, pad}), list("strides", {stride, stride})});
}

}  // namespace lapidary::samples
