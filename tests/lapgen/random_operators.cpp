// SPDX-License-Identifier: Apache-2.0
// The operators that random models are made of. Each picks inputs and attributes that fit, or gives
// up.
#include <functional>

#include "lapgen/model_builder.h"

namespace lapidary::lapgen {
namespace {

using Ints = std::vector<std::int64_t>;
using Add = bool (*)(ModelBuilder&);

Attribute attribute(std::string name, AttributeValue value) {
    return {std::move(name), std::move(value), {}, {}};
}

bool unary(ModelBuilder& b) {
    static const std::vector<std::string> smooth{"Relu",      "Sigmoid", "Tanh",        "Erf",
                                                 "Neg",       "Abs",     "Identity",    "Softplus",
                                                 "LeakyRelu", "Elu",     "HardSigmoid", "Sin"};
    static const std::vector<std::string> linear{"Relu", "Neg", "Abs", "Identity"};
    return static_cast<bool>(b.add(b.pick(b.exact() ? linear : smooth), {b.any()}));
}

bool binary(ModelBuilder& b) {
    static const std::vector<std::string> ops{"Add", "Sub", "Mul", "Add", "Max", "Min"};
    const ValueId x = b.any();
    const std::string op = b.pick(ops);
    if (b.chance(0.4)) {  // with a constant, now and then one that does nothing
        const int rank = b.rank(x);
        const std::int64_t last = rank > 0 ? b.dim(x, rank - 1) : -1;
        const ValueId c = b.chance(0.4) || last < 0
                              ? b.scalar(b.chance(0.3) ? (op == "Mul" ? 1 : 0) : b.number(-2, 2))
                              : b.weights({last});
        return static_cast<bool>(b.chance(0.5) ? b.add(op, {x, c}) : b.add(op, {c, x}));
    }
    return static_cast<bool>(b.add(op, {x, b.any()}));
}

bool divide(ModelBuilder& b) {
    if (b.exact()) return false;
    return static_cast<bool>(
        b.add("Div", {b.any(), b.scalar(b.pick(std::vector<double>{2, 1.4142135, 8, 0.5}))}));
}

bool matmul(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    if (rank < 2 || b.dim(x, rank - 1) < 1) return false;
    const std::int64_t columns = b.number(1, 8);
    const ValueId y = b.add("MatMul", {x, b.weights({b.dim(x, rank - 1), columns}, 0.5)});
    if (y && b.chance(0.6)) b.add("Add", {y, b.weights({columns})});
    return static_cast<bool>(y);
}

bool gemm(ModelBuilder& b) {
    const ValueId x = b.of_rank(2);
    if (!x || b.dim(x, 1) < 1) return false;
    const std::int64_t columns = b.number(1, 8);
    const bool transposed = b.chance(0.5);
    const ValueId w = transposed ? b.weights({columns, b.dim(x, 1)}, 0.5)
                                 : b.weights({b.dim(x, 1), columns}, 0.5);
    return static_cast<bool>(b.add("Gemm", {x, w, b.chance(0.7) ? b.weights({columns}) : ValueId()},
                                   {attribute("transB", std::int64_t{transposed})}));
}

bool conv(ModelBuilder& b) {
    const ValueId x = b.of_rank(4);
    if (!x || b.dim(x, 1) < 1) return false;
    const std::int64_t channels = b.dim(x, 1), k = b.pick(Ints{1, 3, 3, 5});
    const bool depthwise = b.chance(0.25);
    const std::int64_t out = depthwise ? channels : b.pick(Ints{2, 4, 8, 16, 32});
    const std::int64_t pad = b.chance(0.7) ? k / 2 : 0, stride = b.chance(0.2) ? 2 : 1;
    std::vector<Attribute> attributes{attribute("kernel_shape", Ints{k, k}),
                                      attribute("pads", Ints{pad, pad, pad, pad}),
                                      attribute("strides", Ints{stride, stride}),
                                      attribute("group", depthwise ? channels : std::int64_t{1})};
    const ValueId w = b.weights({out, depthwise ? 1 : channels, k, k}, 0.3);
    const ValueId y =
        b.add("Conv", {x, w, b.chance(0.5) ? b.weights({out}) : ValueId()}, std::move(attributes));
    if (!y || b.exact() || !b.chance(0.4)) return static_cast<bool>(y);
    Tensor variance(DType::f32, {out});
    for (float& v : variance.mutable_data<float>()) v = static_cast<float>(b.number(1, 20)) / 10;
    b.add("BatchNormalization",
          {y, b.weights({out}), b.weights({out}), b.weights({out}),
           b.edit().add_initializer("variance", std::move(variance))},
          {attribute("epsilon", 1e-5f)});
    return true;
}

bool pool(ModelBuilder& b) {
    const ValueId x = b.of_rank(4);
    if (!x) return false;
    static const std::vector<std::string> exact{"MaxPool"},
        all{"MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool"};
    const std::string op = b.pick(b.exact() ? exact : all);
    if (op.starts_with("Global")) return static_cast<bool>(b.add(op, {x}));
    const std::int64_t k = b.number(1, 3), pad = k / 2;
    return static_cast<bool>(
        b.add(op, {x},
              {attribute("kernel_shape", Ints{k, k}), attribute("pads", Ints{pad, pad, pad, pad}),
               attribute("strides", Ints{1, 1})}));
}

bool transpose(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    if (rank < 2) return false;
    Ints perm;
    for (int i = 0; i < rank; ++i) perm.push_back(i);
    for (int i = rank - 1; i > 0; --i)
        std::swap(perm[static_cast<std::size_t>(i)],
                  perm[static_cast<std::size_t>(b.number(0, i))]);
    return static_cast<bool>(b.add("Transpose", {x}, {attribute("perm", perm)}));
}

bool reshape(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    if (rank < 1) return false;
    Ints shape;
    const std::int64_t form = b.number(0, 2);
    if (form == 0) {
        shape = {0, -1};
        if (rank < 2) return false;
    } else if (form == 1) {
        for (int i = 0; i < rank; ++i) shape.push_back(0);
        shape.push_back(1);
    } else {
        if (!b.type(x).is_static()) return false;
        std::int64_t count = 1;
        for (int i = 0; i < rank; ++i) count *= b.dim(x, i);
        const std::int64_t first = b.pick(Ints{1, 2, 4});
        if (count % first != 0) return false;
        shape = {first, count / first};
    }
    return static_cast<bool>(b.add("Reshape", {x, b.ints(shape)}));
}

bool with_axes(ModelBuilder& b, std::string_view op, ValueId x, Ints axes,
               std::int64_t inputs_since, std::vector<Attribute> attributes = {}) {
    if (b.opset() >= inputs_since)
        return static_cast<bool>(b.add(op, {x, b.ints(axes)}, std::move(attributes)));
    attributes.push_back(attribute("axes", std::move(axes)));
    return static_cast<bool>(b.add(op, {x}, std::move(attributes)));
}

bool squeeze(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    for (int i = 0; i < rank; ++i)
        if (b.dim(x, i) == 1) return with_axes(b, "Squeeze", x, {b.chance(0.5) ? i : i - rank}, 13);
    return rank < 5 && with_axes(b, "Unsqueeze", x, {b.number(0, rank)}, 13);
}

bool reduce(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    if (rank < 1) return false;
    const std::string op = b.exact() ? b.pick(std::vector<std::string>{"ReduceMax", "ReduceMin"})
                                     : b.pick(std::vector<std::string>{"ReduceMean", "ReduceMax"});
    return with_axes(b, op, x, {b.number(-rank, rank - 1)}, 18,
                     {attribute("keepdims", b.number(0, 1))});
}

bool slice(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    if (rank < 1 || b.opset() < 10) return false;
    const std::int64_t axis = b.number(0, rank - 1), size = b.dim(x, static_cast<int>(axis));
    if (size < 2) return false;
    const std::int64_t start = b.number(0, size - 1),
                       end = b.chance(0.3) ? INT64_MAX : b.number(start + 1, size);
    return static_cast<bool>(
        b.add("Slice", {x, b.ints({start}), b.ints({end}), b.ints({axis}), b.ints({1})}));
}

bool concat(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    if (rank < 1) return false;
    const std::int64_t axis = b.number(0, rank - 1);
    return static_cast<bool>(
        b.add("Concat", {x, b.chance(0.5) ? x : b.any()}, {attribute("axis", axis)}));
}

bool gather(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    if (rank < 1) return false;
    const std::int64_t axis = b.number(0, rank - 1), size = b.dim(x, static_cast<int>(axis));
    if (size < 1) return false;
    const ValueId index = b.chance(0.5)
                              ? b.ints({b.number(0, size - 1), b.number(-size, size - 1)})
                              : b.edit().add_initializer(
                                    "index", Tensor::scalar<std::int64_t>(b.number(0, size - 1)));
    return static_cast<bool>(b.add("Gather", {x, index}, {attribute("axis", axis)}));
}

bool softmax(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    return !b.exact() && rank >= 1 &&
           b.add("Softmax", {x}, {attribute("axis", std::int64_t{rank - 1})});
}

bool pad(ModelBuilder& b) {
    const ValueId x = b.any();
    const int rank = b.rank(x);
    if (rank < 1 || b.opset() < 11) return false;
    Ints pads(static_cast<std::size_t>(2 * rank), 0);
    for (std::size_t axis = rank == 4 ? 2 : 0; axis < static_cast<std::size_t>(rank); ++axis) {
        pads[axis] = b.number(0, 1);
        pads[axis + static_cast<std::size_t>(rank)] = b.number(0, 1);
    }
    return static_cast<bool>(b.add("Pad", {x, b.ints(pads)}));
}

/// A comparison and a choice, or a detour through another type.
bool select(ModelBuilder& b) {
    const ValueId x = b.any();
    if (b.chance(0.4)) {
        const ValueId wide = b.add("Cast", {x}, {attribute("to", std::int64_t{11})});
        return wide &&
               b.add("Cast", {wide}, {attribute("to", static_cast<std::int64_t>(b.float_type()))});
    }
    const ValueId positive = b.add("Greater", {x, b.scalar(0)});
    if (!positive) return false;
    const ValueId condition = b.chance(0.5) ? b.add("Not", {positive}) : positive;
    return static_cast<bool>(
        b.add("Where", {condition, x, b.chance(0.5) ? b.scalar(0) : b.add("Neg", {x})}));
}

/// Shape of a value taken apart and put together again, as exporters write it.
bool shape_chain(ModelBuilder& b) {
    const ValueId x = b.of_rank(3);
    if (!x || b.dim(x, 2) < 1) return false;
    const ValueId shape = b.add("Shape", {x});
    const auto part = [&](std::int64_t axis) {
        const ValueId one =
            b.add("Gather", {shape, b.edit().add_initializer("index", Tensor::scalar(axis))},
                  {attribute("axis", std::int64_t{0})});
        if (b.opset() >= 13) return b.add("Unsqueeze", {one, b.ints({0})});
        return b.add("Unsqueeze", {one}, {attribute("axes", Ints{0})});
    };
    const std::int64_t last = b.dim(x, 2), heads = last % 2 == 0 ? 2 : 1;
    const ValueId target =
        b.add("Concat", {part(0), part(1), b.ints({heads}), b.ints({last / heads})},
              {attribute("axis", std::int64_t{0})});
    return target && b.add("Reshape", {x, target});
}

}  // namespace

bool add_random_operator(ModelBuilder& builder) {
    static const std::vector<Add> operators{unary,          unary,
                                            binary,         binary,
                                            binary,         divide,
                                            matmul,         matmul,
                                            gemm,           conv,
                                            conv,           pool,
                                            transpose,      transpose,
                                            reshape,        squeeze,
                                            reduce,         slice,
                                            concat,         gather,
                                            softmax,        pad,
                                            select,         shape_chain,
                                            hand_on,        with_unread_outputs,
                                            compute_in_half};
    return builder.pick(operators)(builder);
}

}  // namespace lapidary::lapgen
