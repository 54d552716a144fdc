// SPDX-License-Identifier: Apache-2.0
// Operators on images whose axes are stored in another order.
#include "passes/permuted_operator.h"

namespace lapidary {
namespace {

/// True if a Resize of four axes works along the two image axes in the same order before and after
/// the permutation. Kernels of ONNX Runtime support only that, and sums of interpolation stay the
/// same.
bool keeps_image_axes(const Scope& scope, const Node& resize, const Ints& permutation) {
    const auto &from = scope.type(resize.inputs[0]).shape,
               &to = scope.type(resize.outputs[0]).shape;
    if (!from || !to || from->size() != 4 || to->size() != 4 || permutation.size() != 4)
        return false;
    const std::size_t input = resize.version < 11 ? 1 : 2;
    const Tensor* const scales =
        resize.inputs.size() > input ? scope.constant(resize.inputs[input]) : nullptr;
    const auto keeps_size = [&](std::size_t axis) {
        if (scales && scales->size() == 4 && scales->dtype() == DType::f32)
            return scales->data<float>()[axis] == 1;
        return (*from)[axis].is_known() && (*from)[axis] == (*to)[axis];
    };
    const auto is_image = [&](std::size_t first) {  // axes `first` and the one after it
        const std::int64_t at = permutation[first];
        return keeps_size(0) && keeps_size(first == 1 ? 3 : 1) && permutation[0] == 0 &&
               (at == 1 || at == 2) && permutation[first + 1] == at + 1;
    };
    return is_image(2) || is_image(1);
}

}  // namespace

std::string permuted_resize_problem(const Scope& scope, const Node& node, const Ints& permutation) {
    const std::string mode = node.string_attribute("mode", "nearest");
    if (mode == "cubic") return "kernels of cubic filters take channels first alone";
    if (node.string_attribute("coordinate_transformation_mode", "") == "tf_crop_and_resize")
        return "it crops";
    if (node.has_attribute("axes") || node.has_attribute("scales")) return "it names its axes";
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
        if (node.inputs[i] && !scope.constant(node.inputs[i]))
            return "its scales or sizes are computed";
    if (mode == "nearest" || keeps_image_axes(scope, node, permutation)) return {};
    return "it interpolates, and would not do so along axes 1 and 2, or 2 and 3, of four";
}

std::string permuted_pool_problem(const Scope& scope, const Node& node, const Ints& permutation) {
    const bool is_known = node.op_type == "GlobalAveragePool" || node.op_type == "GlobalMaxPool";
    if (!node.domain.empty() || !is_known) return "there is no reduction like it";
    const Node* const before = scope.producer(node.inputs[0]);
    if (before && before->op_type == "DequantizeLinear")
        return "it runs in integers, which reductions do not";
    return permutation.size() < 3 ? "its input is no image" : std::string();
}

}  // namespace lapidary
