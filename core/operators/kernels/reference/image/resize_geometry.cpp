// SPDX-License-Identifier: Apache-2.0
#include "kernels/input_index.h"
#include "kernels/reference/image/resize_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

template <typename Enum, std::size_t count>
Enum choose(const Node& node, const char* attribute, const char* fallback,
            const std::pair<std::string_view, Enum> (&words)[count]) {
    const std::string text = node.string_attribute(attribute, fallback);
    for (const auto& [word, value] : words)
        if (text == word) return value;
    fail_model(std::string("attribute ") + attribute + ": unknown value " + quote(text));
}

ResizeMode read_mode(const Node& node) {
    return choose<ResizeMode>(node, "mode", "nearest",
                              {{"nearest", ResizeMode::nearest},
                               {"linear", ResizeMode::linear},
                               {"bilinear", ResizeMode::linear},
                               {"cubic", ResizeMode::cubic}});
}

/// floor(value) as a dimension.
std::int64_t floor_size(double value, std::int64_t input) {
    const double size = std::floor(value);
    if (!(size >= 0 && size < 9e15))
        fail_input("Resize: a dimension of " + std::to_string(input) + " becomes " +
                   std::to_string(value) + ", no usable size");
    return static_cast<std::int64_t>(size);
}

/// The scaled size in single precision: 10 times 0.7f is 7, as shape inference has it.
std::int64_t scaled_size(std::int64_t input, float scale) {
    if (scale == 1) return input;
    return floor_size(static_cast<double>(static_cast<float>(input) * scale), input);
}

void require_scale(float scale) {
    if (!(scale > 0) || !std::isfinite(scale))
        fail_input("Resize: expected scales above 0, found " + std::to_string(scale));
}

void require_count(const char* name, std::size_t found, std::size_t expected) {
    if (found != expected)
        fail_input(std::string("Resize: expected ") + std::to_string(expected) + " entries in " +
                   name + ", found " + std::to_string(found));
}

/// Floats of an optional input; empty when it is missing or has no elements.
std::vector<float> floats_of(const Tensor* tensor) {
    std::vector<float> values;
    if (tensor)
        for (const double v : to_doubles(*tensor)) values.push_back(static_cast<float>(v));
    return values;
}

void apply_sizes(ResizeGeometry& g, const std::vector<std::size_t>& axes,
                 const std::vector<std::int64_t>& sizes, const std::string& policy) {
    require_count("sizes", sizes.size(), axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        ResizeAxis& a = g.axes[axes[i]];
        if (sizes[i] < 0)
            fail_input("Resize: expected sizes of at least 0, found " + std::to_string(sizes[i]));
        a.output = sizes[i];
        a.scale = a.input == 0 ? 1 : static_cast<float>(sizes[i]) / static_cast<float>(a.input);
    }
    if (policy == "stretch" || axes.empty()) return;
    if (policy != "not_larger" && policy != "not_smaller")
        fail_model(
            "attribute keep_aspect_ratio_policy: expected stretch, not_larger or not_smaller, "
            "found " +
            quote(policy));
    double scale = policy == "not_larger" ? std::numeric_limits<double>::infinity() : 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t input = g.axes[axes[i]].input;
        if (input == 0) return;
        const double own = static_cast<double>(sizes[i]) / static_cast<double>(input);
        scale = policy == "not_larger" ? std::min(scale, own) : std::max(scale, own);
    }
    for (const std::size_t axis : axes) {
        ResizeAxis& a = g.axes[axis];
        a.scale = static_cast<float>(scale);
        a.output = floor_size(static_cast<double>(a.input) * scale + 0.5, a.input);
    }
}

std::vector<std::size_t> read_axes(const Node& node, int rank) {
    std::vector<std::size_t> axes;
    if (const auto given = node.ints_attribute("axes"); !given.empty()) {
        for (const int axis : normalize_axes(given, rank))
            axes.push_back(static_cast<std::size_t>(axis));
        return axes;
    }
    axes.resize(static_cast<std::size_t>(rank));
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return axes;
}

}  // namespace

Shape ResizeGeometry::output_shape() const {
    Shape shape;
    for (const auto& a : axes) shape.push_back(a.output);
    return shape;
}

ResizeGeometry read_resize(const Node& node, const Shape& x, const ResizeInputs& inputs) {
    ResizeGeometry g;
    g.mode = read_mode(node);
    for (const std::int64_t size : x) g.axes.push_back({size, size});
    const bool is_first = node.version < 11;  // opset 10: X and scales only
    if (is_first) {
        g.coordinates = ResizeCoordinates::asymmetric;
        g.nearest = ResizeNearest::truncate_or_ceil;
    } else {
        using C = ResizeCoordinates;
        g.coordinates = choose<C>(node, "coordinate_transformation_mode", "half_pixel",
                                  {{"half_pixel", C::half_pixel},
                                   {"half_pixel_symmetric", C::half_pixel_symmetric},
                                   {"pytorch_half_pixel", C::pytorch_half_pixel},
                                   {"align_corners", C::align_corners},
                                   {"asymmetric", C::asymmetric},
                                   {"tf_half_pixel_for_nn", C::tf_half_pixel_for_nn},
                                   {"tf_crop_and_resize", C::tf_crop_and_resize}});
        using N = ResizeNearest;
        g.nearest = choose<N>(node, "nearest_mode", "round_prefer_floor",
                              {{"round_prefer_floor", N::round_prefer_floor},
                               {"round_prefer_ceil", N::round_prefer_ceil},
                               {"floor", N::floor},
                               {"ceil", N::ceil}});
        g.cubic_a = node.float_attribute("cubic_coeff_a", -0.75f);
        g.extrapolation = node.float_attribute("extrapolation_value", 0.0f);
        g.exclude_outside = node.int_attribute("exclude_outside", 0) != 0;
        g.antialias = node.int_attribute("antialias", 0) != 0 && g.mode != ResizeMode::nearest;
    }
    const auto axes = read_axes(node, static_cast<int>(x.size()));
    if (g.coordinates == ResizeCoordinates::tf_crop_and_resize) {
        const auto roi = floats_of(inputs(1));
        require_count("roi", roi.size(), 2 * axes.size());
        for (std::size_t i = 0; i < axes.size(); ++i) {
            g.axes[axes[i]].roi_start = roi[i];
            g.axes[axes[i]].roi_end = roi[axes.size() + i];
        }
    }
    const auto scales = floats_of(inputs(is_first ? 1 : 2));
    const Tensor* sizes = is_first ? nullptr : inputs(resize_input::sizes);
    if (!scales.empty()) {
        require_count("scales", scales.size(), axes.size());
        for (std::size_t i = 0; i < axes.size(); ++i) {
            ResizeAxis& a = g.axes[axes[i]];
            require_scale(scales[i]);
            a.scale = scales[i];
            const bool is_cropped = g.coordinates == ResizeCoordinates::tf_crop_and_resize;
            a.output = is_cropped
                           ? floor_size(static_cast<double>(static_cast<float>(a.input) *
                                                            (a.roi_end - a.roi_start) * a.scale),
                                        a.input)
                           : scaled_size(a.input, a.scale);
        }
    } else if (sizes && sizes->size() > 0) {
        apply_sizes(g, axes, to_int64s(*sizes),
                    node.string_attribute("keep_aspect_ratio_policy", "stretch"));
    } else if (!axes.empty()) {
        fail_input("Resize: expected scales or sizes, found neither");
    }
    return g;
}

ResizeGeometry read_upsample(const Node& node, const Shape& x, const ResizeInputs& inputs) {
    ResizeGeometry g;
    g.mode = read_mode(node);
    g.coordinates = ResizeCoordinates::asymmetric;
    g.nearest = ResizeNearest::truncate_or_ceil;
    const auto scales = node.version < 9 ? node.floats_attribute("scales") : floats_of(inputs(1));
    require_count("scales", scales.size(), x.size());
    for (std::size_t i = 0; i < scales.size(); ++i) {
        require_scale(scales[i]);
        g.axes.push_back({x[i], scaled_size(x[i], scales[i]), scales[i]});
    }
    return g;
}

}  // namespace lapidary::reference
