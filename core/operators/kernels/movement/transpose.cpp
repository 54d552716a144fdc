// SPDX-License-Identifier: Apache-2.0
// Transpose of any permutation and element width.
#include <algorithm>

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/strided_copy.h"

namespace lapidary {
namespace {

/// True when the permutation leaves the elements in memory order for this shape: only dimensions of
/// 1 change places.
bool keeps_order(const std::vector<std::int64_t>& shape, const std::int64_t* permutation) {
    std::int64_t before = -1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[static_cast<std::size_t>(permutation[i])] == 1) continue;
        if (permutation[i] < before) return false;
        before = permutation[i];
    }
    return true;
}

class TransposeKernel final : public Kernel {
public:
    TransposeKernel(Shape permutation, bool reverses, bool is_view)
        : permutation_(std::move(permutation)), reverses_(reverses), is_view_(is_view) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const auto rank = x.shape().size();
        if ((!reverses_ && permutation_.size() != rank) || rank > 12)
            return context.run_on_reference(reference::transpose, fallback::rank);
        if (x.dtype() == DType::string || bit_width(x.dtype()) < 8 || bit_width(x.dtype()) > 64)
            return context.run_on_reference(reference::transpose, fallback::element_type);
        std::int64_t strides[12];
        std::int64_t step = 1;
        for (std::size_t i = rank; i-- > 0; step *= x.shape()[i]) strides[i] = step;
        Shape shape = x.shape();
        StridedView view;
        for (std::size_t i = 0; i < rank; ++i) {
            const std::size_t axis =
                reverses_ ? rank - 1 - i : static_cast<std::size_t>(permutation_[i]);
            shape[i] = x.shape()[axis];
            view.add(shape[i], strides[axis]);
        }
        Tensor& y = context.output(0, x.dtype(), shape);
        if (y.raw() == x.raw() && view.is_contiguous()) return;
        copy_strided(x.raw(), y.mutable_raw(), view, bit_width(x.dtype()) / 8, context);
    }
    StorageSharing sharing() const override {
        return is_view_ ? StorageSharing{StorageSharing::view, 0} : StorageSharing{};
    }

private:
    Shape permutation_;
    bool reverses_, is_view_;
};

}  // namespace

std::unique_ptr<Kernel> make_transpose(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    const Type& type = request.input_type(0);
    const bool reverses = !node.has_attribute("perm");
    Shape permutation = node.ints_attribute("perm");
    for (std::size_t i = 0; i < permutation.size(); ++i) {
        if (permutation[i] < 0) permutation[i] += static_cast<std::int64_t>(permutation.size());
        if (permutation[i] < 0 || permutation[i] >= static_cast<std::int64_t>(permutation.size()) ||
            std::find(permutation.begin(), permutation.begin() + static_cast<std::ptrdiff_t>(i),
                      permutation[i]) != permutation.begin() + static_cast<std::ptrdiff_t>(i)) {
            reason = "attribute perm is no permutation";
            return nullptr;
        }
    }
    bool is_view = false;
    if (type.is_static()) {
        const auto shape = type.static_shape();
        if (reverses)
            for (std::size_t i = shape.size(); i-- > 0;)
                permutation.push_back(static_cast<std::int64_t>(i));
        is_view = permutation.size() == shape.size() && type.dtype != DType::undefined &&
                  type.dtype != DType::string && bit_width(type.dtype) >= 8 &&
                  keeps_order(shape, permutation.data());
    }
    return std::make_unique<TransposeKernel>(std::move(permutation), reverses, is_view);
}

}  // namespace lapidary
