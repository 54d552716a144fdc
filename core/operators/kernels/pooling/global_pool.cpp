// SPDX-License-Identifier: Apache-2.0
// GlobalAveragePool and GlobalMaxPool of f32, plain and blocked: one value per image and channel.
#include "kernels/expected_input.h"
#include "kernels/pooling/blocked_layout.h"
#include "kernels/pooling/pool_node.h"
#include "kernels/vector/pooling/pool.h"

namespace lapidary {
namespace {

using namespace pooling;

class GlobalPool final : public Kernel {
public:
    /// `block` 0 is the plain layout.
    GlobalPool(bool is_max, std::int64_t block)
        : is_max_(is_max), block_(block), kernels_(pool_kernels()) {}

    void run(KernelContext& context) const override {
        const Tensor& x = block_ ? blocked_image(context, 0, block_) : context.input(0);
        if (x.dtype() != DType::f32 || x.rank() < 2)
            fail_expected(context, 0, "f32 [N, C, spatial...]", x);
        Shape shape(x.shape().size(), 1);
        shape[0] = x.dim(0);
        shape[1] = x.dim(1);
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        if (y.size() == 0) return;
        const std::int64_t size = x.size() / y.size(), lanes = block_ ? block_ : 1;
        const float* from = x.data<float>().data();
        float* to = y.mutable_data<float>().data();
        const float factor = size == 0 ? 0.0f : 1 / static_cast<float>(size);
        for_row_chunks(context, y.size() / lanes, 4 * x.size(),
                       [&](std::int64_t first, std::int64_t end, int) {
                           for (std::int64_t i = first; i < end; ++i) {
                               const float* plane = from + i * size * lanes;
                               if (is_max_ && size > 0 && block_ > 0)
                                   kernels_.max_positions(plane, size, lanes, to + i * lanes);
                               else if (is_max_ && size > 0) to[i] = kernels_.max_row(plane, size);
                               else if (block_ == 0) to[i] = average_row(plane, size);
                               else if (size <= summed_at_once)
                                   kernels_.sum_positions(plane, size, lanes, factor,
                                                          to + i * lanes);
                               else average_positions(plane, size, lanes, to + i * lanes);
                           }
                       });
    }

private:
    /// Pieces are summed up in float and their sums in double, so that the error does not grow with
    /// the image.
    static constexpr std::int64_t summed_at_once = 1024;

    float average_row(const float* row, std::int64_t size) const {
        double sum = 0;
        for (std::int64_t at = 0; at < size; at += summed_at_once)
            sum += static_cast<double>(
                kernels_.sum_row(row + at, std::min(summed_at_once, size - at)));
        return size == 0 ? 0.0f : static_cast<float>(sum / static_cast<double>(size));
    }

    void average_positions(const float* plane, std::int64_t size, std::int64_t lanes,
                           float* to) const {
        double sums[16] = {};
        float piece[16];
        for (std::int64_t at = 0; at < size; at += summed_at_once) {
            kernels_.sum_positions(plane + at * lanes, std::min(summed_at_once, size - at), lanes,
                                   1, piece);
            for (std::int64_t lane = 0; lane < lanes; ++lane)
                sums[lane] += static_cast<double>(piece[lane]);
        }
        for (std::int64_t lane = 0; lane < lanes; ++lane)
            to[lane] = static_cast<float>(sums[lane] / static_cast<double>(size));
    }

    bool is_max_;
    std::int64_t block_;
    const PoolKernels& kernels_;
};

std::unique_ptr<Kernel> make_global(const KernelRequest& request, bool is_max,
                                    std::string& reason) {
    return has_dtype(request, DType::f32, reason) ? std::make_unique<GlobalPool>(is_max, 0)
                                                  : nullptr;
}

std::unique_ptr<Kernel> make_blocked_global(const KernelRequest& request, bool is_max,
                                            std::string& reason) {
    const std::int64_t block = fast_block_of(request.node, reason);
    return block ? std::make_unique<GlobalPool>(is_max, block) : nullptr;
}

}  // namespace

std::unique_ptr<Kernel> make_global_average_pool(const KernelRequest& request,
                                                 std::string& reason) {
    return make_global(request, false, reason);
}
std::unique_ptr<Kernel> make_global_max_pool(const KernelRequest& request, std::string& reason) {
    return make_global(request, true, reason);
}
std::unique_ptr<Kernel> make_blocked_global_average_pool(const KernelRequest& request,
                                                         std::string& reason) {
    return make_blocked_global(request, false, reason);
}
std::unique_ptr<Kernel> make_blocked_global_max_pool(const KernelRequest& request,
                                                     std::string& reason) {
    return make_blocked_global(request, true, reason);
}

}  // namespace lapidary
