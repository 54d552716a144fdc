// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample of f32 along the last two axes, nearest and linear, and com.microsoft.nchwc Upsample.
#include <cmath>
#include <optional>

#include "kernels/pooling/blocked_layout.h"
#include "kernels/pooling/resize_plane.h"

namespace lapidary {
namespace {

using namespace pooling;
using reference::ResizeAxis;

/// Scales from the node, or an axis of known sizes.
class Resize final : public Kernel {
public:
    /// `block` 0 is the plain layout. Axes of input -1 take any size and have a scale.
    Resize(ResizePlane plane, ResizeAxis height, ResizeAxis width, std::int64_t block) : plane_(std::move(plane)), height_(height), width_(width), block_(block) {}

    void run(KernelContext& context) const override {
        const Tensor& x = block_ ? blocked_image(context, 0, block_) : context.input(0);
        const auto rank = x.shape().size();
        if (x.dtype() != DType::f32 || rank < 2) context.fail("input 0: expected f32 images, found " + std::string(name_of(x.dtype())) + to_string(x.shape()));
        const ResizeAxis height = sized(context, height_, x.dim(rank - 2)), width = sized(context, width_, x.dim(rank - 1));
        Shape shape = x.shape();
        shape[rank - 2] = height.output;
        shape[rank - 1] = width.output;
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        if (y.size() == 0) return;
        const std::int64_t lanes = block_ ? block_ : 1;
        plane_.run(context, height, width, x.data<float>().data(), y.mutable_data<float>().data(), y.size() / (height.output * width.output * lanes), lanes);
    }

private:
    static ResizeAxis sized(const KernelContext& context, ResizeAxis axis, std::int64_t size) {
        if (axis.input == size) return axis;
        if (axis.input >= 0) context.fail("input 0: expected an axis of " + std::to_string(axis.input) + ", found " + std::to_string(size));
        const double scaled = std::floor(static_cast<double>(static_cast<float>(size) * axis.scale));
        if (!(scaled >= 0 && scaled < 9e15)) context.fail("input 0: an axis of " + std::to_string(size) + " cannot be scaled by " + std::to_string(axis.scale));
        axis.input = size;
        axis.output = axis.scale == 1 ? size : static_cast<std::int64_t>(scaled);
        return axis;
    }

    ResizePlane plane_;
    ResizeAxis height_, width_;
    std::int64_t block_;
};

/// The shape of input 0 with 1 for what is not known.
std::optional<Shape> known_shape(const KernelRequest& request, std::string& reason) {
    const Type& type = request.input_type(0);
    if (!type.is_tensor() || type.dtype != DType::f32 || !type.shape || type.shape->size() < 2) {
        reason = "its input is " + to_string(type) + ", this kernel takes f32 images";
        return std::nullopt;
    }
    Shape shape;
    for (const Dim& dim : *type.shape) shape.push_back(dim.is_known() ? dim.value() : 1);
    return shape;
}

/// The axis as it is when its size is known, else for any size.
ResizeAxis of_any_size(const KernelRequest& request, const ResizeAxis& axis, std::size_t index) {
    ResizeAxis result = axis;
    if (!(*request.input_type(0).shape)[index].is_known()) result.input = -1;
    return result;
}

using Read = reference::ResizeGeometry (*)(const Node&, const Shape&, const reference::ResizeInputs&);

std::unique_ptr<Kernel> make(const KernelRequest& request, Read read, std::string& reason) {
    const auto shape = known_shape(request, reason);
    if (!shape) return nullptr;
    for (std::size_t i = 1; i < request.node.inputs.size(); ++i)
        if (request.has_input(i) && !request.constant(i)) {
            reason = "its scales or sizes are computed at run time";
            return nullptr;
        }
    const SymbolicShape& dims = *request.input_type(0).shape;
    const bool is_known = std::ranges::all_of(dims, [](const Dim& d) { return d.is_known(); });
    if (const Tensor* sizes = request.constant(3); sizes && sizes->size() > 0 && !is_known) {
        reason = "it is told sizes, and those of its input are known only when it runs";
        return nullptr;
    }
    const auto geometry = read(request.node, *shape, [&](std::size_t input) { return request.constant(input); });
    const std::size_t rank = shape->size();
    for (std::size_t i = 0; i + 2 < rank; ++i)
        if (geometry.axes[i].input != geometry.axes[i].output || geometry.axes[i].scale != 1) {
            reason = "it resizes axis " + std::to_string(i) + ", this kernel does the last two";
            return nullptr;
        }
    ResizePlane plane;
    if (!plane.prepare(geometry, reason)) return nullptr;
    return std::make_unique<Resize>(std::move(plane), of_any_size(request, geometry.axes[rank - 2], rank - 2), of_any_size(request, geometry.axes[rank - 1], rank - 1), 0);
}

}  // namespace

std::unique_ptr<Kernel> make_resize(const KernelRequest& request, std::string& reason) { return make(request, &reference::read_resize, reason); }
std::unique_ptr<Kernel> make_upsample(const KernelRequest& request, std::string& reason) { return make(request, &reference::read_upsample, reason); }

std::unique_ptr<Kernel> make_blocked_upsample(const KernelRequest& request, std::string& reason) {
    const std::int64_t block = fast_block_of(request.node, reason);
    const auto shape = block ? known_shape(request, reason) : std::nullopt;
    if (!shape) return nullptr;
    const auto scales = request.node.ints_attribute("scales", {1, 1, 1, 1});
    const std::string mode = request.node.string_attribute("mode", "nearest");
    const std::string coordinates = request.node.string_attribute("coordinate_transformation_mode", "asymmetric");
    reference::ResizeGeometry geometry;
    geometry.mode = mode == "linear" ? reference::ResizeMode::linear : reference::ResizeMode::nearest;
    geometry.nearest = reference::ResizeNearest::floor;
    if (coordinates == "asymmetric") geometry.coordinates = reference::ResizeCoordinates::asymmetric;
    else if (coordinates == "align_corners") geometry.coordinates = reference::ResizeCoordinates::align_corners;
    else if (coordinates == "half_pixel") geometry.coordinates = reference::ResizeCoordinates::half_pixel;
    const bool is_known = (mode == "linear" || (mode == "nearest" && coordinates == "asymmetric")) &&
                          (coordinates == "asymmetric" || coordinates == "align_corners" || coordinates == "half_pixel");
    if (shape->size() != 4 || scales.size() != 4 || scales[0] != 1 || scales[1] != 1 || scales[2] < 1 || scales[3] < 1 || !is_known) {
        reason = mode + " mode with " + coordinates + " coordinates and scales " + to_string(Shape(scales)) + " is served by the reference kernel";
        return nullptr;
    }
    ResizePlane plane;
    if (!plane.prepare(geometry, reason)) return nullptr;
    const auto axis = [&](std::size_t i) { return of_any_size(request, {(*shape)[i], (*shape)[i] * scales[i], static_cast<float>(scales[i])}, i); };
    return std::make_unique<Resize>(std::move(plane), axis(2), axis(3), block);
}

}  // namespace lapidary
