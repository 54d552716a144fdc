// SPDX-License-Identifier: Apache-2.0
// ai.onnx.ml: LabelEncoder, OneHotEncoder, CategoryMapper.
#include <bit>
#include <cmath>
#include <unordered_map>

#include "kernels/reference/elementwise/elementwise_map.h"
#include "kernels/text_room.h"

namespace lapidary::reference {
namespace {

/// Hashable form of a key: floats by bits, every NaN alike, -0 as 0.
template <typename T>
auto key_of(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
        const double v = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN()
                         : value == 0      ? 0.0
                                           : static_cast<double>(value);
        return std::bit_cast<std::uint64_t>(v);
    } else {
        return value;
    }
}

template <typename K, typename V>
void encode(KernelContext& context, const std::vector<K>& keys, const std::vector<V>& values,
            const V& fallback) {
    const Tensor& x = context.input(0);
    if (keys.size() != values.size())
        fail_model("LabelEncoder has " + std::to_string(keys.size()) + " keys, but " +
                   std::to_string(values.size()) + " values");
    std::unordered_map<decltype(key_of(K())), std::size_t> index;
    for (std::size_t i = 0; i < keys.size(); ++i) index.emplace(key_of(keys[i]), i);
    Tensor& y = context.output(0, dtype_of<V>, x.shape());
    const auto in = x.data<K>();
    const auto out = y.template mutable_data<V>();
    TextRoom room(context);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto it = index.find(key_of(in[i]));
        const V& value = it == index.end() ? fallback : values[it->second];
        room.take(value);
        out[i] = value;
    }
}

template <typename T>
std::vector<T> listed(const Tensor& tensor) {
    const auto data = tensor.data<T>();
    return {data.begin(), data.end()};
}

/// Calls body with the list of the attribute that is present among prefix_strings, prefix_int64s,
/// prefix_floats, prefix_tensor.
template <typename Body>
void with_list(const Node& node, const std::string& prefix, Body&& body) {
    if (const Tensor* tensor = node.tensor_attribute(prefix + "_tensor")) {
        dispatch<TypeList<float, double, std::int16_t, std::int32_t, std::int64_t, std::string>>(
            tensor->dtype(), [&]<typename T>() { body(listed<T>(*tensor)); });
    } else if (node.has_attribute(prefix + "_strings")) {
        body(node.strings_attribute(prefix + "_strings"));
    } else if (node.has_attribute(prefix + "_int64s")) {
        body(node.ints_attribute(prefix + "_int64s"));
    } else if (node.has_attribute(prefix + "_floats")) {
        body(node.floats_attribute(prefix + "_floats"));
    } else {
        fail_model("LabelEncoder has no " + prefix + "_* attribute");
    }
}

template <typename V>
V default_value(const Node& node) {
    if (const Tensor* tensor = node.tensor_attribute("default_tensor")) {
        if (tensor->dtype() != dtype_of<V> || tensor->size() != 1)
            fail_model("attribute default_tensor: expected one " +
                       std::string(name_of(dtype_of<V>)) + ", found " +
                       std::string(name_of(tensor->dtype())) + to_string(tensor->shape()));
        return tensor->data<V>()[0];
    }
    if constexpr (std::is_same_v<V, std::string>)
        return node.string_attribute("default_string", "_Unused");
    else if constexpr (std::is_integral_v<V>)
        return static_cast<V>(node.int_attribute("default_int64", -1));
    else return static_cast<V>(node.float_attribute("default_float", -0.0f));
}

/// Version 1, and CategoryMapper: text to its position in a list, or back.
void map_positions(KernelContext& context, const std::vector<std::string>& names,
                   const std::vector<std::int64_t>& numbers) {
    const std::string unknown = context.node().string_attribute("default_string", "_Unused");
    const std::int64_t missing = context.node().int_attribute("default_int64", -1);
    if (context.input(0).dtype() == DType::string)
        encode<std::string, std::int64_t>(context, names, numbers, missing);
    else encode<std::int64_t, std::string>(context, numbers, names, unknown);
}

}  // namespace

void label_encoder(KernelContext& context) {
    const Node& node = context.node();
    if (context.version() < 2) {
        const auto names = node.strings_attribute("classes_strings");
        std::vector<std::int64_t> numbers(names.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
        map_positions(context, names, numbers);
        return;
    }
    with_list(node, "keys", [&]<typename K>(const std::vector<K>& keys) {
        if (context.input(0).dtype() != dtype_of<K>)
            context.fail("input 0: the keys are " + std::string(name_of(dtype_of<K>)) + ", found " +
                         std::string(name_of(context.input(0).dtype())));
        with_list(node, "values", [&]<typename V>(const std::vector<V>& values) {
            encode<K, V>(context, keys, values, default_value<V>(node));
        });
    });
}

void category_mapper(KernelContext& context) {
    const auto names = context.node().strings_attribute("cats_strings");
    const auto numbers = context.node().ints_attribute("cats_int64s");
    map_positions(context, names, numbers);
}

void one_hot_encoder(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Node& node = context.node();
    const auto names = node.strings_attribute("cats_strings");
    const auto numbers = node.ints_attribute("cats_int64s");
    const bool zeros = node.int_attribute("zeros", 1) != 0;
    const bool is_text = x.dtype() == DType::string;
    const auto width = static_cast<std::int64_t>(is_text ? names.size() : numbers.size());
    if (width == 0)
        fail_model(std::string("OneHotEncoder has no ") +
                   (is_text ? "cats_strings" : "cats_int64s"));
    Shape shape = x.shape();
    shape.push_back(width);
    Tensor& y = context.output(0, DType::f32, shape);
    float* out = y.mutable_data<float>().data();
    std::fill_n(out, y.size(), 0.0f);
    const auto mark = [&](std::int64_t row, std::int64_t category) {
        if (category < width) out[row * width + category] = 1;
        else if (!zeros)
            context.fail("input 0: element " + std::to_string(row) + " is none of the categories");
    };
    if (is_text) {
        const auto in = x.data<std::string>();
        for (std::int64_t i = 0; i < x.size(); ++i)
            mark(i, std::find(names.begin(), names.end(), in[i]) - names.begin());
        return;
    }
    dispatch<TypeList<float, double, std::int32_t, std::int64_t>>(x.dtype(), [&]<typename T>() {
        const auto in = x.data<T>();
        for (std::int64_t i = 0; i < x.size(); ++i) {
            const auto same = [&](std::int64_t c) {
                return static_cast<double>(c) == static_cast<double>(in[i]);
            };
            mark(i, std::find_if(numbers.begin(), numbers.end(), same) - numbers.begin());
        }
    });
}

}  // namespace lapidary::reference
