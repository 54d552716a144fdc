// SPDX-License-Identifier: Apache-2.0
// Operators whose output has the bytes of their input: Reshape, Flatten, Squeeze, Unsqueeze,
// Identity, Dropout outside of training. The memory planner lays the output on the input; where it
// did not, the bytes are copied.
#include <algorithm>
#include <cstring>
#include <optional>

#include "kernels/kernel.h"
#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/reshape.h"

namespace lapidary {
namespace {

constexpr std::size_t most_dimensions = 1024;

void give(KernelContext& context, const Tensor& data, Shape shape) {
    Tensor& out = context.output(0, data.dtype(), std::move(shape));
    if (out.raw() == data.raw() || data.byte_size() == 0) return;
    if (data.dtype() == DType::string) {
        std::ranges::copy(data.data<std::string>(), out.mutable_data<std::string>().begin());
        return;
    }
    auto* to = static_cast<std::byte*>(out.mutable_raw());
    const auto* from = static_cast<const std::byte*>(data.raw());
    context.threads().parallel_for(
        static_cast<std::int64_t>(data.byte_size()), std::int64_t{1} << 18,
        [&](std::int64_t begin, std::int64_t end) {
            std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
        });
}

/// The numbers of a list input, without heap for as many as a tensor usually has dimensions.
Shape entries_of(const Tensor& tensor, std::string_view what) {
    if (tensor.dtype() == DType::i64 && tensor.rank() <= 1 &&
        static_cast<std::size_t>(tensor.size()) <= most_dimensions)
        return Shape(tensor.data<std::int64_t>().begin(), tensor.data<std::int64_t>().end());
    return reference::int_list(tensor, what, most_dimensions);
}

class View : public Kernel {
public:
    StorageSharing sharing() const override { return {StorageSharing::view}; }
};

class ReshapeView final : public View {
public:
    explicit ReshapeView(bool allow_zero) : allow_zero_(allow_zero) {}
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        give(context, data,
             resolve_reshape(data.shape(), entries_of(context.input(1), "the target shape"),
                             allow_zero_));
    }

private:
    bool allow_zero_;
};

class FlattenView final : public View {
public:
    explicit FlattenView(std::int64_t axis) : axis_(axis) {}
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        give(context, data, flatten_shape(data.shape(), axis_));
    }

private:
    std::int64_t axis_;
};

/// Axes of Squeeze and Unsqueeze: an attribute before opset 13, an input from then on.
class AxesView final : public View {
public:
    AxesView(const Node& node, bool squeezes)
        : squeezes_(squeezes), takes_input_(node.version >= 13) {
        if (!takes_input_ && node.has_attribute("axes")) axes_ = Shape(node.ints_attribute("axes"));
    }
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        const Tensor* list = takes_input_ ? context.optional_input(1) : nullptr;
        const std::optional<Shape> read =
            list ? std::optional(entries_of(*list, "axes")) : std::nullopt;
        const Shape* axes = read ? &*read : axes_ ? &*axes_ : nullptr;
        if (!axes && !squeezes_) context.fail("axes are missing");
        const std::span<const std::int64_t> named =
            axes ? std::span(axes->data(), axes->size()) : std::span<const std::int64_t>();
        give(context, data,
             squeezes_ ? squeeze_shape(data.shape(), named) : unsqueeze_shape(data.shape(), named));
    }

private:
    bool squeezes_, takes_input_;
    std::optional<Shape> axes_;
};

class IdentityView final : public View {
public:
    void run(KernelContext& context) const override {
        const RuntimeValue* value = context.input_value(0);
        if (value && value->is_tensor()) give(context, value->tensor(), value->tensor().shape());
        else context.set_output(0, value ? context.keep(*value) : RuntimeValue());
    }
};

}  // namespace

std::unique_ptr<Kernel> make_reshape_view(const KernelRequest& request, std::string&) {
    return std::make_unique<ReshapeView>(request.node.int_attribute("allowzero", 0) != 0);
}

std::unique_ptr<Kernel> make_flatten_view(const KernelRequest& request, std::string&) {
    return std::make_unique<FlattenView>(request.node.int_attribute("axis", 1));
}

std::unique_ptr<Kernel> make_squeeze_view(const KernelRequest& request, std::string&) {
    return std::make_unique<AxesView>(request.node, true);
}
std::unique_ptr<Kernel> make_unsqueeze_view(const KernelRequest& request, std::string&) {
    return std::make_unique<AxesView>(request.node, false);
}
std::unique_ptr<Kernel> make_identity_view(const KernelRequest&, std::string&) {
    return std::make_unique<IdentityView>();
}

std::unique_ptr<Kernel> make_dropout_view(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    const auto is_single = [&](std::size_t input) {
        return !request.has_input(input) ||
               (request.constant(input) && request.constant(input)->size() == 1);
    };
    if (node.outputs.size() > 1 && node.outputs[1]) reason = "the mask is wanted";
    else if (!is_float(request.input_type(0).dtype))
        reason = "the element type is no float type, or not known before the model runs";
    else if (node.version >= 12 && request.has_input(2) &&
             (!is_single(2) || to_doubles(*request.constant(2))[0] != 0))
        reason = "the training mode is on, or decided while the model runs";
    else if (node.version >= 12 && !is_single(1)) reason = "the ratio is no constant number";
    if (!reason.empty()) return nullptr;
    return std::make_unique<IdentityView>();
}

}  // namespace lapidary
