// SPDX-License-Identifier: Apache-2.0
// com.microsoft.nchwc ReorderInput and ReorderOutput. Where an image has one position, whole blocks
// lie the same either way.
#include <cstring>

#include "kernels/expected_input.h"
#include "kernels/pooling/blocked_layout.h"
#include "kernels/pooling/pool_node.h"
#include "kernels/vector/movement/reorder.h"
#include "tensor/channel_blocks.h"

namespace lapidary {
namespace {

using namespace pooling;

constexpr std::int64_t positions_at_once = 256;  // a piece of a block that fits L1 with its rows

/// The image of the type has one position and whole blocks of channels, so that both layouts are
/// the same bytes.
bool is_same_bytes(const Type& type, bool channels_last, std::int64_t channels,
                   std::int64_t block) {
    if (!type.shape || type.shape->size() != 4) return false;
    const auto& s = *type.shape;
    const std::size_t c = channels_last ? 3 : 1, h = channels_last ? 1 : 2, w = h + 1;
    return s[h].value() == 1 && s[w].value() == 1 && s[c].value() == channels &&
           channels % block == 0;
}

/// Reorders in either direction, in parallel over parts of blocks.
class Reorder final : public Kernel {
public:
    Reorder(bool to_blocks, bool channels_last, std::int64_t channels, std::int64_t block,
            bool is_view)
        : to_blocks_(to_blocks), channels_last_(channels_last), channels_(channels), block_(block),
          is_view_(is_view), kernels_(reorder_kernels()) {}

    StorageSharing sharing() const override {
        return {is_view_ ? StorageSharing::view : StorageSharing::none};
    }

    void run(KernelContext& context) const override {
        to_blocks_ ? run_input(context) : run_output(context);
    }

private:
    void run_input(KernelContext& context) const {
        const Tensor& x = expect_rank(context, 0, DType::f32, 4);
        const std::int64_t channels = x.dim(channels_last_ ? 3 : 1),
                           height = x.dim(channels_last_ ? 1 : 2),
                           width = x.dim(channels_last_ ? 2 : 3);
        Tensor& y = context.output(0, DType::f32,
                                   {x.dim(0), rounded_to_block(channels, block_), height, width});
        reorder(context, x.data<float>().data(), y.mutable_data<float>().data(), x.dim(0), channels,
                height * width);
    }

    void run_output(KernelContext& context) const {
        const Tensor& x = blocked_image(context, 0, block_);
        const std::int64_t channels = channels_ ? channels_ : x.dim(1);
        if (channels < 1 || rounded_to_block(channels, block_) > x.dim(1))
            context.fail("attribute channels: expected 1 to " + std::to_string(x.dim(1)) +
                         ", found " + std::to_string(channels));
        Tensor& y = context.output(0, DType::f32,
                                   channels_last_ ? Shape{x.dim(0), x.dim(2), x.dim(3), channels}
                                                  : Shape{x.dim(0), channels, x.dim(2), x.dim(3)});
        const std::int64_t size = x.dim(2) * x.dim(3), step = x.dim(1) * size;
        if (x.dim(1) == rounded_to_block(channels, block_))
            return reorder(context, y.mutable_data<float>().data(), x.data<float>().data(),
                           x.dim(0), channels, size);
        for (std::int64_t i = 0; i < x.dim(0); ++i)
            reorder(context, y.mutable_data<float>().data() + i * channels * size,
                    x.data<float>().data() + i * step, 1, channels, size);
    }

    /// Input and output may be the same bytes.
    template <typename Plain, typename Blocked>
    void reorder(KernelContext& context, Plain* plain, Blocked* blocked, std::int64_t images,
                 std::int64_t channels, std::int64_t size) const {
        if (static_cast<const void*>(plain) == static_cast<const void*>(blocked)) return;
        const std::int64_t blocks = rounded_to_block(channels, block_) / block_,
                           pieces = (size + positions_at_once - 1) / positions_at_once;
        for_row_chunks(context, images * blocks * pieces, 8 * images * channels * size,
                       [&](std::int64_t first, std::int64_t end, int) {
                           for (std::int64_t i = first; i < end; ++i) {
                               const std::int64_t image = i / (blocks * pieces),
                                                  b = i / pieces % blocks,
                                                  at = i % pieces * positions_at_once;
                               const std::int64_t count = std::min(positions_at_once, size - at),
                                                  rows = std::min(block_, channels - b * block_);
                               auto* inside = blocked + ((image * blocks + b) * size + at) * block_;
                               auto* outside = plain + image * channels * size +
                                               (channels_last_ ? at * channels + b * block_
                                                               : b * block_ * size + at);
                               move(outside, inside, rows, count, channels_last_ ? channels : size);
                           }
                       });
    }
    void move(const float* plain, float* blocked, std::int64_t rows, std::int64_t count,
              std::int64_t stride) const {
        (channels_last_ ? kernels_.block_last : kernels_.block)(plain, stride, rows, count, blocked,
                                                                block_);
    }
    void move(float* plain, const float* blocked, std::int64_t rows, std::int64_t count,
              std::int64_t stride) const {
        (channels_last_ ? kernels_.unblock_last : kernels_.unblock)(blocked, rows, count, plain,
                                                                    stride, block_);
    }

    bool to_blocks_, channels_last_;
    std::int64_t channels_, block_;  // channels of the output; 0: as the input
    bool is_view_;
    const ReorderKernels& kernels_;
};

}  // namespace

std::unique_ptr<Kernel> make_reorder_input(const KernelRequest& request, std::string& reason) {
    const std::int64_t block = fast_block_of(request.node, reason);
    if (block == 0) return nullptr;
    const bool is_last = request.node.int_attribute("channels_last", 0) != 0;
    const Type& type = request.input_type(0);
    const std::size_t axis = is_last ? 3 : 1;
    const bool is_view = type.shape && type.shape->size() == 4 && (*type.shape)[axis].is_known() &&
                         is_same_bytes(type, is_last, (*type.shape)[axis].value(), block);
    return std::make_unique<Reorder>(true, is_last, 0, block, is_view);
}

std::unique_ptr<Kernel> make_reorder_output(const KernelRequest& request, std::string& reason) {
    const std::int64_t block = fast_block_of(request.node, reason);
    if (block == 0) return nullptr;
    const bool is_last = request.node.int_attribute("channels_last", 0) != 0,
               is_named = request.node.has_attribute("channels");
    const std::int64_t channels = request.node.int_attribute("channels", 0);
    return std::make_unique<Reorder>(
        false, is_last, channels, block,
        is_named && is_same_bytes(request.input_type(0), false, channels, block));
}

}  // namespace lapidary
