// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample of f32, nearest and linear along the last two axes, linear along the two in
// front of the last as well, and com.microsoft.nchwc Upsample.
#include "kernels/expected_input.h"
#include "kernels/pooling/blocked_layout.h"
#include "kernels/pooling/resize_plane.h"
#include "kernels/pooling/resize_request.h"

namespace lapidary {
namespace {

using namespace pooling;
using reference::ResizeAxis;

/// Scales from the node, or an axis of known sizes.
class Resize final : public Kernel {
public:
    /// `block` 0 is a plain layout. Axes of input -1 take any size and have a scale.
    Resize(ResizePlane plane, ResizeAxis height, ResizeAxis width, std::int64_t block,
           bool has_channels_last)
        : plane_(std::move(plane)), height_(height), width_(width), block_(block),
          has_channels_last_(has_channels_last) {}

    void run(KernelContext& context) const override {
        const Tensor& x = block_ ? blocked_image(context, 0, block_) : context.input(0);
        const std::size_t rank = x.shape().size(), behind = has_channels_last_ ? 1 : 0;
        if (x.dtype() != DType::f32 || rank < 2 + behind)
            fail_expected(context, 0, "f32 images", x);
        const std::size_t h = rank - 2 - behind, w = h + 1;
        const ResizeAxis height = sized_axis(context, height_, x.dim(h)),
                         width = sized_axis(context, width_, x.dim(w));
        Shape shape = x.shape();
        shape[h] = height.output;
        shape[w] = width.output;
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        if (y.size() == 0) return;
        const std::int64_t lanes = block_ ? block_ : has_channels_last_ ? x.dim(rank - 1) : 1;
        plane_.run(context, height, width, x.data<float>().data(), y.mutable_data<float>().data(),
                   y.size() / (height.output * width.output * lanes), lanes);
    }

private:
    ResizePlane plane_;
    ResizeAxis height_, width_;
    std::int64_t block_;
    bool has_channels_last_;
};

std::unique_ptr<Kernel> make(const KernelRequest& request, ReadResize read, std::string& reason) {
    const auto found = resized_plane(request, read, reason);
    if (!found) return nullptr;
    if (found->has_channels_last && found->options.mode == reference::ResizeMode::nearest) {
        reason = "it copies whole pixels, which the kernel of bytes does";
        return nullptr;
    }
    ResizePlane plane;
    if (!plane.prepare(found->options, reason)) return nullptr;
    return std::make_unique<Resize>(std::move(plane), found->height, found->width, 0,
                                    found->has_channels_last);
}

}  // namespace

std::unique_ptr<Kernel> make_resize(const KernelRequest& request, std::string& reason) {
    return make(request, &reference::read_resize, reason);
}
std::unique_ptr<Kernel> make_upsample(const KernelRequest& request, std::string& reason) {
    return make(request, &reference::read_upsample, reason);
}

std::unique_ptr<Kernel> make_blocked_upsample(const KernelRequest& request, std::string& reason) {
    const std::int64_t block = fast_block_of(request.node, reason);
    const auto shape = block ? image_shape(request, reason) : std::nullopt;
    if (!shape) return nullptr;
    const auto scales = request.node.ints_attribute("scales", {1, 1, 1, 1});
    const std::string mode = request.node.string_attribute("mode", "nearest");
    const std::string coordinates =
        request.node.string_attribute("coordinate_transformation_mode", "asymmetric");
    reference::ResizeGeometry geometry;
    geometry.mode =
        mode == "linear" ? reference::ResizeMode::linear : reference::ResizeMode::nearest;
    geometry.nearest = reference::ResizeNearest::floor;
    if (coordinates == "asymmetric")
        geometry.coordinates = reference::ResizeCoordinates::asymmetric;
    else if (coordinates == "align_corners")
        geometry.coordinates = reference::ResizeCoordinates::align_corners;
    else if (coordinates == "half_pixel")
        geometry.coordinates = reference::ResizeCoordinates::half_pixel;
    const bool is_known =
        (mode == "linear" || (mode == "nearest" && coordinates == "asymmetric")) &&
        (coordinates == "asymmetric" || coordinates == "align_corners" ||
         coordinates == "half_pixel");
    if (shape->size() != 4 || scales.size() != 4 || scales[0] != 1 || scales[1] != 1 ||
        scales[2] < 1 || scales[3] < 1 || !is_known) {
        reason = mode + " mode with " + coordinates + " coordinates and scales " +
                 to_string(Shape(scales)) + " is served by the reference kernel";
        return nullptr;
    }
    ResizePlane plane;
    if (!plane.prepare(geometry, reason)) return nullptr;
    const auto axis = [&](std::size_t i) {
        return of_any_size(
            request, {(*shape)[i], (*shape)[i] * scales[i], static_cast<float>(scales[i])}, i);
    };
    return std::make_unique<Resize>(std::move(plane), axis(2), axis(3), block, false);
}

}  // namespace lapidary
