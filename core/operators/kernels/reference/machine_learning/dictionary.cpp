// SPDX-License-Identifier: Apache-2.0
// ai.onnx.ml operators on maps: ZipMap, DictVectorizer, CastMap.
#include "kernels/reference/elementwise/cast_elements.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/machine_learning/class_labels.h"

namespace lapidary::reference {
namespace {

Type map_type(DType key) {
    Type type;
    type.kind = Type::Kind::map;
    type.key = key;
    type.dtype = DType::f32;
    type.element = std::make_shared<const Type>(Type::tensor(DType::f32));
    return type;
}

const Map& map_input(const KernelContext& context) {
    const RuntimeValue* value = context.input_value(0);
    if (!value) context.fail("input 0 is required but missing");
    return value->map();
}

}  // namespace

/// One map per row of scores; the values keep the type float.
void zip_map(KernelContext& context) {
    const Tensor& x = context.input(0);
    const ClassLabels labels(context.node());
    const auto width = static_cast<std::int64_t>(labels.size());
    if (x.rank() < 1 || x.rank() > 2)
        context.fail("input 0: expected [N, C] or [C], found " + to_string(x.shape()));
    if (x.shape().back() != width)
        context.fail("input 0: expected " + std::to_string(width) +
                     " scores, one per class label, found " + to_string(x.shape()));
    const Tensor scores = converted(context, x, DType::f32);
    Sequence rows;
    rows.element_type = map_type(labels.dtype());
    const std::int64_t count = x.rank() == 1 ? 1 : x.dim(0);
    for (std::int64_t row = 0; row < count; ++row) {
        Map map;
        map.int_keys = labels.is_text() ? std::vector<std::int64_t>() : labels.ints;
        map.string_keys = labels.strings;
        map.values = Tensor(DType::f32, {width});
        std::copy_n(scores.data<float>().data() + row * width, width,
                    map.values.mutable_data<float>().data());
        rows.items.emplace_back(std::move(map));
    }
    context.set_output(0, RuntimeValue(std::move(rows)));
}

/// The values of the vocabulary's keys in its order, 0 (or "") where the map has none.
void dict_vectorizer(KernelContext& context) {
    const Map& map = map_input(context);
    const auto words = context.node().strings_attribute("string_vocabulary");
    const auto numbers = context.node().ints_attribute("int64_vocabulary");
    const bool is_text = !words.empty();
    if (!is_text && numbers.empty())
        fail_model("DictVectorizer has neither string_vocabulary nor int64_vocabulary");
    const std::size_t width = is_text ? words.size() : numbers.size();
    Tensor& y = context.output(0, map.values.dtype(), {1, static_cast<std::int64_t>(width)});
    const auto position = [](const auto& keys, const auto& key) {
        return static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    };
    dispatch<TypeList<float, double, std::int64_t, std::string>>(
        map.values.dtype(), [&]<typename T>() {
            const auto from = map.values.data<T>();
            const auto to = y.mutable_data<T>();
            for (std::size_t i = 0; i < width; ++i) {
                const std::size_t at = is_text ? position(map.string_keys, words[i])
                                               : position(map.int_keys, numbers[i]);
                to[i] = at < from.size() ? from[at] : T();
            }
        });
}

void cast_map(KernelContext& context) {
    const Map& map = map_input(context);
    const Node& node = context.node();
    const std::string to = node.string_attribute("cast_to", "TO_FLOAT"),
                      form = node.string_attribute("map_form", "DENSE");
    if (to != "TO_FLOAT" && to != "TO_STRING" && to != "TO_INT64")
        context.fail("attribute cast_to: unknown target " + quote(to));
    if (form != "DENSE" && form != "SPARSE")
        context.fail("attribute map_form: expected DENSE or SPARSE, found " + quote(form));
    const DType dtype = to == "TO_FLOAT"    ? DType::f32
                        : to == "TO_STRING" ? DType::string
                                            : DType::i64;
    Tensor values = context.scratch(dtype, map.values.shape());
    cast_elements(context, map.values, values);
    std::int64_t width = values.size();
    if (form == "SPARSE") {
        width = node.int_attribute("max_map", 1);
        if (width < 1)
            context.fail("attribute max_map: expected at least 1, found " + std::to_string(width));
    }
    Tensor& y = context.output(0, dtype, {1, width});
    dispatch<TypeList<float, std::int64_t, std::string>>(dtype, [&]<typename T>() {
        const auto from = values.data<T>();
        const auto out = y.mutable_data<T>();
        if (form == "DENSE") {
            std::copy(from.begin(), from.end(), out.begin());
            return;
        }
        // The keys are the columns.
        std::fill(out.begin(), out.end(), T());
        for (std::size_t i = 0; i < map.int_keys.size() && i < from.size(); ++i) {
            const std::int64_t key = map.int_keys[i];
            if (key < 0 || key >= width)
                context.fail("input 0: key " + std::to_string(key) + " is outside of the " +
                             std::to_string(width) + " columns");
            out[static_cast<std::size_t>(key)] = from[i];
        }
    });
}

}  // namespace lapidary::reference
