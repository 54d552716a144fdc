// SPDX-License-Identifier: Apache-2.0
// ai.onnx.ml: Scaler, Normalizer, Imputer, Binarizer, FeatureVectorizer, ArrayFeatureExtractor.
#include <cmath>

#include "kernels/reference/elementwise/elementwise_binary.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

Tensor as_floats(KernelContext& context, const Tensor& x) {
    return converted(context, x, DType::f32);
}

/// Number of features: the last dimension (1 for a scalar).
std::int64_t width_of(const Tensor& x) { return x.rank() == 0 ? 1 : x.shape().back(); }

void require_one_or(const KernelContext& context, const char* name, std::size_t found,
                    std::int64_t width) {
    if (found != 1 && found != static_cast<std::size_t>(width))
        context.fail(std::string("attribute ") + name + ": expected 1 or " + std::to_string(width) +
                     " elements, found " + std::to_string(found));
}

}  // namespace

void scaler(KernelContext& context) {
    const Tensor& x = context.input(0);
    const std::int64_t width = width_of(x);
    std::vector<float> offset = context.node().floats_attribute("offset"),
                       scale = context.node().floats_attribute("scale");
    if (offset.empty()) offset = {0};
    if (scale.empty()) scale = {1};
    require_one_or(context, "offset", offset.size(), width);
    require_one_or(context, "scale", scale.size(), width);
    const Tensor in = as_floats(context, x);
    Tensor& y = context.output(0, DType::f32, x.shape());
    const auto from = in.data<float>();
    const auto to = y.mutable_data<float>();
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::size_t feature = i % static_cast<std::size_t>(width);
        to[i] = (from[i] - offset[offset.size() == 1 ? 0 : feature]) *
                scale[scale.size() == 1 ? 0 : feature];
    }
}

void normalizer(KernelContext& context) {
    const Tensor& x = context.input(0);
    const std::string norm = context.node().string_attribute("norm", "MAX");
    if (norm != "MAX" && norm != "L1" && norm != "L2")
        context.fail("attribute norm: expected MAX, L1 or L2, found " + quote(norm));
    const Tensor in = as_floats(context, x);
    Tensor& y = context.output(0, DType::f32, x.shape());
    const std::int64_t width = width_of(x);
    const float* from = in.data<float>().data();
    float* to = y.mutable_data<float>().data();
    for (std::int64_t row = 0; width > 0 && row < x.size() / width;
         ++row, from += width, to += width) {
        double size = norm == "MAX" ? -std::numeric_limits<double>::infinity() : 0;
        for (std::int64_t i = 0; i < width; ++i) {
            const double v = from[i];
            if (norm == "MAX") size = std::max(size, v);
            else size += norm == "L1" ? std::fabs(v) : v * v;
        }
        if (norm == "L2") size = std::sqrt(size);
        for (std::int64_t i = 0; i < width; ++i)
            to[i] = size == 0 ? from[i] : static_cast<float>(from[i] / size);
    }
}

void imputer(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Node& node = context.node();
    const std::int64_t width = width_of(x);
    const auto impute = [&]<typename T>(const std::vector<T>& values, T replaced,
                                        const char* name) {
        if (values.empty())
            context.fail(std::string("attribute ") + name + " is required for " +
                         std::string(name_of(x.dtype())) + " but missing");
        require_one_or(context, name, values.size(), width);
        Tensor& y = context.output(0, x.dtype(), x.shape());
        const auto from = x.data<T>();
        const auto to = y.mutable_data<T>();
        for (std::size_t i = 0; i < to.size(); ++i) {
            bool matches = from[i] == replaced;
            if constexpr (std::is_floating_point_v<T>)
                matches = matches || (std::isnan(replaced) && std::isnan(from[i]));
            to[i] = matches ? values[values.size() == 1 ? 0 : i % static_cast<std::size_t>(width)]
                            : from[i];
        }
    };
    const std::vector<float> floats = node.floats_attribute("imputed_value_floats");
    const float replaced = node.float_attribute("replaced_value_float", 0);
    switch (x.dtype()) {
    case DType::f32: impute(floats, replaced, "imputed_value_floats"); break;
    case DType::f64:
        impute(std::vector<double>(floats.begin(), floats.end()), static_cast<double>(replaced),
               "imputed_value_floats");
        break;
    case DType::i64:
        impute(node.ints_attribute("imputed_value_int64s"),
               node.int_attribute("replaced_value_int64", 0), "imputed_value_int64s");
        break;
    case DType::i32: {
        const auto wide = node.ints_attribute("imputed_value_int64s");
        impute(std::vector<std::int32_t>(wide.begin(), wide.end()),
               static_cast<std::int32_t>(node.int_attribute("replaced_value_int64", 0)),
               "imputed_value_int64s");
        break;
    }
    default:
        fail_unsupported("element type " + std::string(name_of(x.dtype())) +
                         " is not supported by Imputer");
    }
}

void binarizer(KernelContext& context) {
    const float threshold = context.node().float_attribute("threshold", 0);
    map_types<TypeList<float, double, std::int32_t, std::int64_t>>(context, [threshold](auto x) {
        return static_cast<decltype(x)>(static_cast<double>(x) > threshold ? 1 : 0);
    });
}

void feature_vectorizer(KernelContext& context) {
    const auto dims = context.node().ints_attribute("inputdimensions");
    if (dims.size() != context.input_count())
        context.fail("attribute inputdimensions: expected " +
                     std::to_string(context.input_count()) + " elements, found " +
                     std::to_string(dims.size()));
    std::int64_t rows = -1, width = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const Tensor& x = context.input(i);
        if (x.rank() < 1 || x.rank() > 2)
            context.fail("input " + std::to_string(i) + ": expected [N, C], found " +
                         to_string(x.shape()));
        const std::int64_t n = x.rank() == 1 ? 1 : x.dim(0);
        if (rows < 0) rows = n;
        if (n != rows)
            context.fail("input " + std::to_string(i) + ": expected " + std::to_string(rows) +
                         " rows, found " + std::to_string(n));
        if (dims[i] < 0 ||
            static_cast<std::uint64_t>(dims[i]) > context.limits().tensor_bytes / sizeof(float))
            context.fail("attribute inputdimensions: " + std::to_string(dims[i]) +
                         " is out of range");
        width += dims[i];
    }
    Tensor& y = context.output(0, DType::f32, {rows, width});
    float* to = y.mutable_data<float>().data();
    std::fill_n(to, y.size(), 0.0f);  // inputs narrower than declared leave zeros
    std::int64_t column = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const Tensor in = as_floats(context, context.input(i));
        const std::int64_t have = width_of(in), n = std::min(have, dims[i]);
        for (std::int64_t row = 0; row < rows; ++row)
            std::copy_n(in.data<float>().data() + row * have, n, to + row * width + column);
        column += dims[i];
    }
}

void array_feature_extractor(KernelContext& context) {
    const Tensor& x = context.input(0);
    const std::vector<std::int64_t> indices = to_int64s(context.input(1));
    if (x.rank() == 0) context.fail("input 0: expected rank 1 or more, found a scalar");
    const std::int64_t width = x.shape().back();
    for (const std::int64_t i : indices)
        if (i < 0 || i >= width)
            context.fail("input 1: index " + std::to_string(i) + " is outside of the " +
                         std::to_string(width) + " features");
    Shape shape = x.shape();
    shape.back() = static_cast<std::int64_t>(indices.size());
    if (x.rank() == 1) shape.insert(shape.begin(), 1);
    Tensor& y = context.output(0, x.dtype(), shape);
    const std::int64_t rows = width == 0 ? 0 : x.size() / width;
    dispatch_by_width(x.dtype(), [&]<typename T>() {
        const T* from = static_cast<const T*>(x.raw());
        T* to = static_cast<T*>(y.mutable_raw());
        for (std::int64_t row = 0; row < rows; ++row)
            for (const std::int64_t i : indices) *to++ = from[row * width + i];
    });
}

}  // namespace lapidary::reference
