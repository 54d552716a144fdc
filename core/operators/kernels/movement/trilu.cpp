// SPDX-License-Identifier: Apache-2.0
// Trilu: of each row one part is copied, the other zero.
#include <algorithm>
#include <cstring>

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"

namespace lapidary {
namespace {

class TriluKernel final : public Kernel {
public:
    explicit TriluKernel(bool is_upper) : is_upper_(is_upper) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        SmallInts k;
        if (const Tensor* given = context.optional_input(1);
            given && (!k.read(*given) || k.count != 1))
            return context.run_on_reference(reference::trilu, "k is not one i64 or i32");
        const std::size_t rank = x.shape().size();
        if (rank < 2) return context.run_on_reference(reference::trilu, fallback::rank);
        if (!is_plainly_copied(x.dtype()))
            return context.run_on_reference(reference::trilu, fallback::element_type);
        const std::int64_t columns = x.shape()[rank - 1], rows = x.shape()[rank - 2],
                           width = static_cast<std::int64_t>(bit_width(x.dtype()) / 8);
        // beyond these nothing changes
        const std::int64_t diagonal =
            std::clamp<std::int64_t>(k.count ? k[0] : 0, -rows - 1, columns + 1);
        Tensor& y = context.output(0, x.dtype(), x.shape());
        if (y.size() == 0) return;
        const auto* from = static_cast<const std::byte*>(x.raw());
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        constexpr std::int64_t grain_bytes = 1 << 16;
        context.threads().parallel_for(
            x.size() / columns, std::max<std::int64_t>(1, grain_bytes / (columns * width)),
            [&](std::int64_t begin, std::int64_t end) {
                context.cancel().throw_if_cancelled();
                for (std::int64_t row = begin; row < end; ++row) {
                    // The upper part begins on the diagonal, the lower one ends behind it.
                    const std::int64_t cut = std::clamp<std::int64_t>(
                                                 row % rows + diagonal + (is_upper_ ? 0 : 1), 0,
                                                 columns) *
                                             width,
                                       all = columns * width;
                    const std::int64_t first = is_upper_ ? cut : 0,
                                       count = is_upper_ ? all - cut : cut;
                    const std::byte* in = from + row * all;
                    std::byte* out = to + row * all;
                    if (out != in && count > 0)
                        std::memcpy(out + first, in + first, static_cast<std::size_t>(count));
                    if (is_upper_) std::memset(out, 0, static_cast<std::size_t>(cut));
                    else std::memset(out + cut, 0, static_cast<std::size_t>(all - cut));
                }
            });
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

private:
    bool is_upper_;
};

}  // namespace

std::unique_ptr<Kernel> make_trilu(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    if (dtype != DType::undefined && !is_plainly_copied(dtype)) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<TriluKernel>(request.node.int_attribute("upper", 1) != 0);
}

}  // namespace lapidary
