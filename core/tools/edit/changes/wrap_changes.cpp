// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/wrap_changes.h"

#include <algorithm>
#include <cmath>

#include <lapidary/base/error.h>

#include "edit/changes/number_words.h"
#include "edit/changes/wrapped_ports.h"
#include "rewrite/constant_math.h"

namespace lapidary {
namespace {

/// The numbers of each channel, shaped so that they broadcast along `axis`.
Tensor channel_numbers(const std::vector<double>& numbers, const Type& type, std::size_t axis,
                       const std::string& what) {
    const Dim channels = (*type.shape)[axis];
    if (numbers.empty() || (numbers.size() != 1 && channels.is_known() &&
                            channels.value() != static_cast<std::int64_t>(numbers.size())))
        fail_input(what + " has " + std::to_string(numbers.size()) +
                   " numbers, expected 1 or one for each of the " + to_string(channels) +
                   " channels");
    Shape shape;
    shape.push_back(static_cast<std::int64_t>(numbers.size()));
    for (std::size_t i = axis + 1; i < type.shape->size(); ++i) shape.push_back(1);
    return tensor_of_doubles(type.dtype, shape, numbers);
}

/// Numbers by which normalized inputs would not be finite floats, or turned upside down.
void require_normalizing(const std::vector<double>& mean, const std::vector<double>& deviation,
                         DType dtype) {
    const std::string type(name_of(dtype));
    for (const double number : mean)
        if (!std::isfinite(number) || first_beyond({number}, dtype))
            fail_input("a mean is " + edit_number_text(number) +
                       ", expected a finite number of type " + type);
    for (const double number : deviation) {
        if (number == 0) fail_input("a deviation is 0, by which nothing can be divided");
        if (!std::isfinite(number) || number < 0 || first_beyond({number}, dtype))
            fail_input("a deviation is " + edit_number_text(number) +
                       ", expected a finite number above 0 of type " + type);
        const double most = 255 / number;  // of bytes
        if (!std::isfinite(most) || first_beyond({most}, dtype))
            fail_input("a deviation is " + edit_number_text(number) +
                       ": what is divided by it is beyond the largest number of type " + type);
    }
}

}  // namespace

void wrap_normalization(GraphEdit& edit, const std::string& input, const std::vector<double>& mean,
                        const std::vector<double>& deviation, std::int64_t axis,
                        std::int64_t opset) {
    const ValueId id = find_tensor_port(edit.graph(), input, false);
    const Type type = edit.graph().value(id).type;
    const auto rank = static_cast<std::int64_t>(type.shape->size());
    if (axis < -rank || axis >= rank)
        fail_input("input " + quote(input) + ", " + to_string(type) + ", has no axis " +
                   std::to_string(axis));
    if (!is_float(type.dtype) || bit_width(type.dtype) < 16)
        fail_input("input " + quote(input) + " is " + to_string(type) +
                   ", expected a float type, which normalization gives");
    require_normalizing(mean, deviation, type.dtype);
    const auto channels = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    const Tensor means = channel_numbers(mean, type, channels, "the mean");
    const Tensor deviations = channel_numbers(deviation, type, channels, "the deviation");
    edit.set_default_version(opset);
    wrap_input(edit, id, Type::tensor(DType::u8, *type.shape), [&](ValueId bytes) {
        const ValueId wide =
            edit.node("Cast", {bytes}, {{"to", static_cast<std::int64_t>(type.dtype)}});
        const ValueId centred =
            edit.node("Sub", {wide, edit.add_initializer(edit.fresh_name(input + "_mean"), means)});
        return edit.node("Div", {centred, edit.add_initializer(
                                              edit.fresh_name(input + "_deviation"), deviations)});
    });
}

void wrap_layout(GraphEdit& edit, const std::string& input, bool channels_last,
                 std::int64_t opset) {
    const ValueId id = find_tensor_port(edit.graph(), input, false);
    const Type type = edit.graph().value(id).type;
    if (type.shape->size() != 4)
        fail_input("input " + quote(input) + " is " + to_string(type) + ", expected rank 4");
    const SymbolicShape& old = *type.shape;
    const SymbolicShape shape = channels_last ? SymbolicShape{old[0], old[2], old[3], old[1]}
                                              : SymbolicShape{old[0], old[3], old[1], old[2]};
    const std::vector<std::int64_t> permutation = channels_last
                                                      ? std::vector<std::int64_t>{0, 3, 1, 2}
                                                      : std::vector<std::int64_t>{0, 2, 3, 1};
    edit.set_default_version(opset);
    wrap_input(edit, id, Type::tensor(type.dtype, shape), [&](ValueId other) {
        return edit.node("Transpose", {other}, {{"perm", permutation}});
    });
}

void wrap_resize(GraphEdit& edit, const std::string& input, std::int64_t opset) {
    require_opset(opset, 11, "Resize to given sizes");
    const ValueId id = find_tensor_port(edit.graph(), input, false);
    const Type type = edit.graph().value(id).type;
    if (type.shape->size() != 4 || !type.is_static() || !is_float(type.dtype))
        fail_input("input " + quote(input) + " is " + to_string(type) +
                   ", expected floats of rank 4 with known sizes");
    const std::vector<std::int64_t> sizes = type.static_shape();
    const Type pictures = Type::tensor(
        type.dtype, {Dim(sizes[0]), Dim(sizes[1]), Dim::symbolic(edit.fresh_name("height")),
                     Dim::symbolic(edit.fresh_name("width"))});
    edit.set_default_version(opset);
    wrap_input(edit, id, pictures, [&](ValueId picture) {
        const ValueId target = edit.add_initializer(edit.fresh_name(input + "_sizes"),
                                                    Tensor::of<std::int64_t>({4}, sizes));
        // Opset 11 and 12 require a region of interest and scales; both are empty.
        ValueId region, scales;
        if (opset < 13) {
            region = edit.add_initializer(edit.fresh_name(input + "_region"),
                                          Tensor::of<float>({0}, {}));
            scales = edit.add_initializer(edit.fresh_name(input + "_scales"),
                                          Tensor::of<float>({0}, {}));
        }
        return edit.node("Resize", {picture, region, scales, target},
                         {{"mode", std::string("linear")},
                          {"coordinate_transformation_mode", std::string("half_pixel")}});
    });
}

void wrap_softmax(GraphEdit& edit, const std::string& output, std::int64_t opset) {
    const ValueId id = find_tensor_port(edit.graph(), output, true);
    const Type type = edit.graph().value(id).type;
    if (!is_float(type.dtype))
        fail_input("output " + quote(output) + " is " + to_string(type) + ", expected floats");
    edit.set_default_version(opset);
    const auto last = static_cast<std::int64_t>(type.shape->size()) - 1;
    replace_output(edit, id, {edit.node("Softmax", {id}, {{"axis", last}})});
}

void wrap_top_k(GraphEdit& edit, const std::string& output, std::int64_t count, std::int64_t opset,
                const std::vector<std::string>& labels) {
    require_opset(opset, 10, "TopK");
    const ValueId id = find_tensor_port(edit.graph(), output, true);
    const Type type = edit.graph().value(id).type;
    const Dim size = type.shape->back();
    if (count < 1 || (size.is_known() && count > size.value()))
        fail_input("the highest " + std::to_string(count) + " of " + quote(output) + ", " +
                   to_string(type) + ", are not there: expected 1 to " + to_string(size));
    const auto label_count = static_cast<std::int64_t>(labels.size());
    if (!labels.empty() && size.is_known() && label_count != size.value())
        fail_input(std::to_string(label_count) + " labels for the " + to_string(size) +
                   " classes of " + quote(output) + ", expected one for each");
    NodeSpec spec;
    spec.op_type = "TopK";
    spec.version = opset;
    spec.inputs = {id, edit.add_initializer(edit.fresh_name(output + "_count"),
                                            Tensor::of<std::int64_t>({1}, {count}))};
    spec.outputs = {edit.add_value(""), edit.add_value(edit.fresh_name(output + "_indices"))};
    std::vector<ValueId> outputs = spec.outputs;
    edit.add_node(std::move(spec));
    if (!labels.empty()) {
        const ValueId texts = edit.add_initializer(edit.fresh_name(output + "_classes"),
                                                   Tensor::of<std::string>({label_count}, labels));
        edit.set_default_version(opset);
        outputs.push_back(edit.node("Gather", {texts, outputs[1]}, {{"axis", std::int64_t{0}}}, {},
                                    edit.fresh_name(output + "_labels")));
    }
    replace_output(edit, id, outputs);
}

void wrap_box_selection(GraphEdit& edit, const std::string& boxes, const std::string& scores,
                        const BoxLimits& limits, std::int64_t opset) {
    require_opset(opset, 10, "NonMaxSuppression");
    const Graph& graph = edit.graph();
    const ValueId box_id = find_tensor_port(graph, boxes, true);
    const ValueId score_id = find_tensor_port(graph, scores, true);
    for (const ValueId id : {box_id, score_id})
        if (const Type& type = graph.value(id).type;
            type.shape->size() != 3 || type.dtype != DType::f32)
            fail_input(quote(graph.value(id).name) + " is " + to_string(type) +
                       ", expected float of rank 3");
    if (const Dim last = graph.value(box_id).type.shape->back();
        last.is_known() && last.value() != 4)
        fail_input(quote(boxes) + " has " + to_string(last) +
                   " numbers for a box, expected 4 corners");
    if (limits.count < 1)
        fail_input("at most " + std::to_string(limits.count) +
                   " boxes are to stay, expected one or more");
    if (!(limits.overlap >= 0 && limits.overlap <= 1))
        fail_input("boxes may overlap by " + edit_number_text(limits.overlap) +
                   ", expected 0 to 1");
    if (std::isnan(limits.score)) fail_input("the lowest score is no number");
    edit.set_default_version(opset);
    const auto constant = [&](const char* name, const Tensor& tensor) {
        return edit.add_initializer(edit.fresh_name(name), tensor);
    };
    edit.add_output(edit.node(
        "NonMaxSuppression",
        {box_id, score_id,
         constant("boxes_of_class", Tensor::of<std::int64_t>({1}, {limits.count})),
         constant("overlap_limit", Tensor::of<float>({1}, {static_cast<float>(limits.overlap)})),
         constant("score_limit", Tensor::of<float>({1}, {static_cast<float>(limits.score)}))},
        {}, {}, edit.fresh_name("selected_indices")));
}

}  // namespace lapidary
