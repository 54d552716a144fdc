// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/reshape.h"

#include <lapidary/base/error.h>

#include "base/at.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

std::string text(std::span<const std::int64_t> shape) {
    return to_string(Shape(shape.begin(), shape.end()));
}

}  // namespace

Shape resolve_reshape(std::span<const std::int64_t> input, std::span<const std::int64_t> target,
                      bool allow_zero) {
    Shape result(target.begin(), target.end());
    Shape uncopied_input(input.begin(), input.end());
    Shape given;
    std::ptrdiff_t inferred = -1;
    bool has_zero = false;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] == -1) {
            if (inferred >= 0) fail_input("target shape " + text(target) + " has more than one -1");
            inferred = static_cast<std::ptrdiff_t>(i);
        } else if (target[i] < -1) {
            fail_input("target shape " + text(target) + " has the negative dimension " +
                       std::to_string(target[i]));
        } else if (target[i] == 0 && !allow_zero) {
            if (i >= input.size()) {
                fail_input("target shape " + text(target) + " copies dimension " +
                           std::to_string(i) + ", which the input of shape " + text(input) +
                           " does not have");
            }
            result[i] = input[i];
            uncopied_input[i] = 1;
        } else {
            has_zero = has_zero || target[i] == 0;
            given.push_back(target[i]);
        }
    }
    if (allow_zero && has_zero && inferred >= 0) {
        fail_input("target shape " + text(target) + " has both 0 and -1, which allowzero forbids");
    }
    if (inferred >= 0) {
        const std::int64_t have = element_count(uncopied_input), known = element_count(given);
        // Where the other dimensions hold no element any size would fit -1: refused, as ONNX
        // Runtime does.
        Shape others = result;
        at(others, inferred) = 1;
        if (element_count(others) == 0 || have % known != 0) {
            fail_input("cannot reshape " + text(input) + " to " + text(target) +
                       ": no whole number fits -1");
        }
        at(result, inferred) = have / known;
    }
    const std::int64_t have = element_count(input), want = element_count(result);
    if (have != want) {
        fail_input("cannot reshape " + text(input) + " to " + text(result) + ": " +
                   std::to_string(have) + " elements against " + std::to_string(want));
    }
    return result;
}

Shape flatten_shape(std::span<const std::int64_t> input, std::int64_t axis) {
    const int rank = static_cast<int>(input.size());
    const auto split = static_cast<std::size_t>(axis == rank ? rank : normalize_axis(axis, rank));
    return {element_count(input.subspan(0, split)), element_count(input.subspan(split))};
}

Shape squeeze_shape(std::span<const std::int64_t> input, std::span<const std::int64_t> axes) {
    const int rank = static_cast<int>(input.size());
    Shape drop(input.size(), 0);
    for (std::int64_t named : axes) {
        const auto i = static_cast<std::size_t>(normalize_axis(named, rank));
        if (drop[i] != 0) fail_input("axis " + std::to_string(named) + " is listed twice");
        if (input[i] != 1) {
            fail_input("axis " + std::to_string(i) + " of shape " + text(input) +
                       " cannot be squeezed: it has " + std::to_string(input[i]) +
                       " elements instead of 1");
        }
        drop[i] = 1;
    }
    Shape result;
    for (std::size_t i = 0; i < input.size(); ++i)
        if (axes.empty() ? input[i] != 1 : drop[i] == 0) result.push_back(input[i]);
    return result;
}

Shape unsqueeze_shape(std::span<const std::int64_t> input, std::span<const std::int64_t> axes) {
    const std::size_t rank = input.size() + axes.size();
    Shape result(rank, -1);
    for (std::int64_t axis : axes) {
        std::int64_t& dim = at(result, normalize_axis(axis, static_cast<int>(rank)));
        if (dim == 1) fail_input("axis " + std::to_string(axis) + " is listed twice");
        dim = 1;
    }
    std::size_t next = 0;
    for (auto& dim : result) {
        if (dim < 0) dim = input[next++];
    }
    return result;
}

}  // namespace lapidary
