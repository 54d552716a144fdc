// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample of f32 along the last two axes, nearest and linear, and com.microsoft.nchwc Upsample.
#include "kernels/pooling/blocked_layout.h"
#include "kernels/pooling/resize_plane.h"
#include "kernels/reference/resize_geometry.h"

namespace lapidary {
namespace {

using namespace pooling;

class Resize final : public Kernel {
public:
    /// `block` 0 is the plain layout.
    Resize(ResizePlane plane, std::int64_t block) : plane_(std::move(plane)), block_(block) {}

    void run(KernelContext& context) const override {
        const Tensor& x = block_ ? blocked_image(context, 0, block_) : context.input(0);
        const auto rank = x.shape().size();
        if (x.dtype() != DType::f32 || rank < 2 || x.dim(rank - 2) != plane_.input_height() || x.dim(rank - 1) != plane_.input_width())
            context.fail("input 0: expected f32 images of " + std::to_string(plane_.input_height()) + " x " + std::to_string(plane_.input_width()) +
                         ", found " + std::string(name_of(x.dtype())) + to_string(x.shape()));
        Shape shape = x.shape();
        shape[rank - 2] = plane_.output_height();
        shape[rank - 1] = plane_.output_width();
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        if (y.size() == 0) return;
        const std::int64_t lanes = block_ ? block_ : 1;
        plane_.run(context, x.data<float>().data(), y.mutable_data<float>().data(), x.size() / (plane_.input_height() * plane_.input_width() * lanes), lanes);
    }

private:
    ResizePlane plane_;
    std::int64_t block_;
};

/// The shape of input 0 with 1 for leading axes that are not known; the last two must be.
std::optional<Shape> known_shape(const KernelRequest& request, std::string& reason) {
    const Type& type = request.input_type(0);
    if (!type.is_tensor() || type.dtype != DType::f32 || !type.shape || type.shape->size() < 2) {
        reason = "its input is " + to_string(type) + ", this kernel takes f32 images";
        return std::nullopt;
    }
    Shape shape;
    for (const Dim& dim : *type.shape) shape.push_back(dim.is_known() ? dim.value() : 1);
    for (std::size_t i = shape.size() - 2; i < shape.size(); ++i)
        if (!(*type.shape)[i].is_known()) {
            reason = "the size of its images is known only when it runs";
            return std::nullopt;
        }
    return shape;
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
    const auto geometry = read(request.node, *shape, [&](std::size_t input) { return request.constant(input); });
    if (geometry.mode == reference::ResizeMode::cubic) {
        reason = "cubic filters have more than 2 taps";
        return nullptr;
    }
    const std::size_t rank = shape->size();
    for (std::size_t i = 0; i + 2 < rank; ++i)
        if (geometry.axes[i].input != geometry.axes[i].output || geometry.axes[i].scale != 1) {
            reason = "it resizes axis " + std::to_string(i) + ", this kernel does the last two";
            return nullptr;
        }
    ResizePlane plane;
    if (!plane.prepare(geometry, geometry.axes[rank - 2], geometry.axes[rank - 1], reason)) return nullptr;
    return std::make_unique<Resize>(std::move(plane), 0);
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
    for (std::size_t i = 2; i < 4; ++i) geometry.axes.push_back({(*shape)[i], (*shape)[i] * scales[i], static_cast<float>(scales[i])});
    ResizePlane plane;
    if (!plane.prepare(geometry, geometry.axes[0], geometry.axes[1], reason)) return nullptr;
    return std::make_unique<Resize>(std::move(plane), block);
}

}  // namespace lapidary
