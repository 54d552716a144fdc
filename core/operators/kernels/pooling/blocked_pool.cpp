// SPDX-License-Identifier: Apache-2.0
// MaxPool and AveragePool where the channels of a position lie together: blocks of channels
// (com.microsoft.nchwc), and com.microsoft NhwcMaxPool on 8-bit integers.
#include "kernels/expected_input.h"
#include "kernels/pooling/blocked_layout.h"
#include "kernels/pooling/pool_node.h"
#include "kernels/vector/pooling/pool.h"

namespace lapidary {
namespace {

using namespace pooling;

PoolWindow window_of(const WindowAxis& height, const WindowAxis& width) {
    return {height.input,     width.input,     height.kernel,   width.kernel,
            height.stride,    width.stride,    height.dilation, width.dilation,
            height.pad_begin, width.pad_begin, width.output};
}

class BlockedPool final : public Kernel {
public:
    BlockedPool(PoolNode pool, bool is_max, std::int64_t block)
        : pool_(std::move(pool)), is_max_(is_max), block_(block), kernels_(pool_kernels()) {}

    void run(KernelContext& context) const override {
        const Tensor& x = blocked_image(context, 0, block_);
        const WindowAxis height = window_axis(pool_.window, 0, x.dim(2), pool_.window.kernel[0]);
        const WindowAxis width = window_axis(pool_.window, 1, x.dim(3), pool_.window.kernel[1]);
        Tensor& y =
            context.output(0, DType::f32, {x.dim(0), x.dim(1), height.output, width.output});
        if (y.size() == 0) return;
        const PoolWindow window = window_of(height, width);
        Tensor factors = context.scratch(DType::f32, {is_max_ ? 1 : width.output});
        float* const column_factors = factors.mutable_data<float>().data();
        if (!is_max_) fill_factors(width, pool_.counts_padding, column_factors);
        const float* from = x.data<float>().data();
        float* to = y.mutable_data<float>().data();
        const std::int64_t rows = x.dim(0) * x.dim(1) / block_ * height.output,
                           plane = height.input * width.input * block_,
                           line = width.output * block_;
        for_row_chunks(context, rows, 4 * (x.size() + y.size()),
                       [&](std::int64_t first, std::int64_t end, int) {
                           for (std::int64_t r = first; r < end; ++r) {
                               const float* image = from + r / height.output * plane;
                               const std::int64_t oh = r % height.output;
                               if (is_max_)
                                   kernels_.max_last(image, window, block_, oh, to + r * line);
                               else
                                   kernels_.average_last(
                                       image, window, block_, oh, column_factors,
                                       factor_at(height, pool_.counts_padding, oh), to + r * line);
                           }
                       });
    }

private:
    PoolNode pool_;
    bool is_max_;
    std::int64_t block_;
    const PoolKernels& kernels_;
};

class ChannelsLastMaxPool final : public Kernel {
public:
    explicit ChannelsLastMaxPool(PoolNode pool)
        : pool_(std::move(pool)), kernels_(pool_kernels()) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if ((x.dtype() != DType::u8 && x.dtype() != DType::i8) ||
            x.rank() != static_cast<int>(pool_.rank) + 2)
            fail_expected(context, 0, "8-bit integers of rank " + std::to_string(pool_.rank + 2),
                          x);
        WindowAxis height;
        height.input = height.output = 1;
        if (pool_.rank == 2)
            height = window_axis(pool_.window, 0, x.dim(1), pool_.window.kernel[0]);
        const WindowAxis width = window_axis(pool_.window, pool_.rank - 1, x.dim(pool_.rank),
                                             pool_.window.kernel.back());
        const std::int64_t channels = x.dim(pool_.rank + 1);
        Tensor& y =
            context.output(0, x.dtype(),
                           pool_.rank == 2 ? Shape{x.dim(0), height.output, width.output, channels}
                                           : Shape{x.dim(0), width.output, channels});
        if (y.size() == 0) return;
        const PoolWindow window = window_of(height, width);
        const auto* from = static_cast<const std::uint8_t*>(x.raw());
        auto* to = static_cast<std::uint8_t*>(y.mutable_raw());
        const std::int64_t plane = height.input * width.input * channels,
                           line = width.output * channels;
        const bool is_signed = x.dtype() == DType::i8;
        for_row_chunks(context, x.dim(0) * height.output, 4 * (x.size() + y.size()),
                       [&](std::int64_t first, std::int64_t end, int) {
                           for (std::int64_t r = first; r < end; ++r) {
                               const std::uint8_t* image = from + r / height.output * plane;
                               const std::int64_t oh = r % height.output;
                               if (is_signed)
                                   kernels_.max_last_s8(
                                       reinterpret_cast<const std::int8_t*>(image), window,
                                       channels, oh, reinterpret_cast<std::int8_t*>(to + r * line));
                               else
                                   kernels_.max_last_u8(image, window, channels, oh, to + r * line);
                           }
                       });
    }

private:
    PoolNode pool_;
    const PoolKernels& kernels_;
};

std::unique_ptr<Kernel> make_blocked(const KernelRequest& request, bool is_max,
                                     std::string& reason) {
    const std::int64_t block = fast_block_of(request.node, reason);
    if (block == 0) return nullptr;
    auto pool = read_pool(request.node, 2, reason);
    if (!pool) return nullptr;
    if (pool->rank != 2) {
        reason = "blocked images have two spatial axes, its window has one";
        return nullptr;
    }
    return std::make_unique<BlockedPool>(std::move(*pool), is_max, block);
}

}  // namespace

std::unique_ptr<Kernel> make_blocked_max_pool(const KernelRequest& request, std::string& reason) {
    return make_blocked(request, true, reason);
}
std::unique_ptr<Kernel> make_blocked_average_pool(const KernelRequest& request,
                                                  std::string& reason) {
    return make_blocked(request, false, reason);
}

std::unique_ptr<Kernel> make_nhwc_max_pool(const KernelRequest& request, std::string& reason) {
    const Type& type = request.input_type(0);
    if (!type.is_tensor() || (type.dtype != DType::u8 && type.dtype != DType::i8)) {
        reason = "its input is " + to_string(type) + ", this kernel takes 8-bit integers";
        return nullptr;
    }
    auto pool = read_pool(request.node, 2, reason);
    return pool ? std::make_unique<ChannelsLastMaxPool>(std::move(*pool)) : nullptr;
}

}  // namespace lapidary
