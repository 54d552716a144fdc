// SPDX-License-Identifier: Apache-2.0
#include "passes/basic/movement/padding.h"

#include <algorithm>

#include "base/at.h"

namespace lapidary {

bool Padding::is_negative() const {
    const auto negative = [](std::int64_t p) { return p < 0; };
    return std::ranges::any_of(begin, negative) || std::ranges::any_of(end, negative);
}
bool Padding::only_spatial() const {
    for (std::size_t i = 0; i < 2 && i < begin.size(); ++i)
        if (begin[i] != 0 || end[i] != 0) return false;
    return true;
}

std::optional<Padding> padding_of(const PassContext& context, const Node& pad, int rank,
                                  std::string& why) {
    const auto input = [&](std::size_t i) {
        return i < pad.inputs.size() ? pad.inputs[i] : ValueId{};
    };
    Padding out{pad.string_attribute("mode", "constant"), 0, {}, {}};
    std::vector<std::int64_t> pads = pad.ints_attribute("pads");
    std::optional<std::vector<std::int64_t>> axes;
    if (pad.version < 11) {
        out.value = pad.float_attribute("value", 0);
    } else {
        const Tensor* p = context.scope().constant(input(1));
        if (!p) return why = "the pads are no constants", std::nullopt;
        pads = to_int64s(*p);
        if (input(2)) {
            const auto value = scalar_of(context.scope().constant(input(2)));
            if (!value) return why = "the padded value is no constant number", std::nullopt;
            out.value = *value;
        }
        if (input(3)) {
            const Tensor* a = context.scope().constant(input(3));
            if (!a) return why = "the padded axes are no constants", std::nullopt;
            axes = to_int64s(*a);
        }
    }
    if (pads.size() % 2 != 0) return why = "the number of pads is odd", std::nullopt;
    if (rank < 0 && axes) return why = "the rank of the padded value is not known", std::nullopt;
    const std::size_t axis_count = rank < 0 ? pads.size() / 2 : static_cast<std::size_t>(rank),
                      listed = pads.size() / 2;
    if (axes ? axes->size() != listed : axis_count != listed)
        return why = "there are " + std::to_string(listed) + " pairs of pads for " +
                     std::to_string(axis_count) + " axes",
               std::nullopt;
    out.begin.assign(axis_count, 0);
    out.end.assign(axis_count, 0);
    for (std::size_t i = 0; i < listed; ++i) {
        std::int64_t axis = axes ? (*axes)[i] : static_cast<std::int64_t>(i);
        if (axis < 0) axis += rank;
        if (axis < 0 || axis >= static_cast<std::int64_t>(axis_count))
            return why = "an axis of the Pad is out of range", std::nullopt;
        at(out.begin, axis) = pads[i];
        at(out.end, axis) = pads[i + listed];
    }
    return out;
}

}  // namespace lapidary
