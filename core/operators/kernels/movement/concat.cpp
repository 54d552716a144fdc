// SPDX-License-Identifier: Apache-2.0
// Concat and Split as copies of whole runs of bytes, and as no copies at all where the memory
// planner laid the pieces into the whole.
#include "kernels/reference/movement/concat.h"

#include <algorithm>
#include <cstring>

#include "kernels/reference/movement/element_copy.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

constexpr std::int64_t copy_grain = std::int64_t{1} << 17;  // bytes that are worth a thread

/// A whole seen as rows that hold a run of bytes of each piece, one after the other.
struct Rows {
    std::int64_t count = 1, bytes = 0;
    Rows(const Tensor& whole, std::size_t axis) {
        for (std::size_t d = 0; d < axis; ++d) count *= whole.dim(d);
        bytes = count == 0 ? 0 : static_cast<std::int64_t>(whole.byte_size()) / count;
    }
};

/// Copies one piece to or from (`into_whole`) byte `at` of each row of the whole. Does nothing
/// where the piece already is there.
void move_piece(ThreadPool& threads, const Rows& rows, std::int64_t at, std::byte* whole,
                std::byte* piece, std::int64_t bytes, bool into_whole) {
    if (bytes == 0 || (rows.count == 1 && whole + at == piece)) return;
    const auto move = [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
        std::byte* in_whole = whole + row * rows.bytes + at + begin;
        std::byte* in_piece = piece + row * bytes + begin;
        if (into_whole) std::memcpy(in_whole, in_piece, static_cast<std::size_t>(end - begin));
        else std::memcpy(in_piece, in_whole, static_cast<std::size_t>(end - begin));
    };
    if (rows.count == 1) {
        threads.parallel_for(bytes, copy_grain,
                             [&](std::int64_t begin, std::int64_t end) { move(0, begin, end); });
        return;
    }
    threads.parallel_for(rows.count, std::max<std::int64_t>(copy_grain / bytes, 1),
                         [&](std::int64_t begin, std::int64_t end) {
                             for (std::int64_t row = begin; row < end; ++row) move(row, 0, bytes);
                         });
}

std::byte* bytes_of(const Tensor& tensor) {
    return static_cast<std::byte*>(const_cast<void*>(tensor.raw()));
}

class Concat final : public Kernel {
public:
    explicit Concat(std::int64_t axis) : axis_(axis) {}
    StorageSharing sharing() const override { return {StorageSharing::join}; }
    void run(KernelContext& context) const override {
        std::int64_t axis = axis_;
        Shape shape = reference::concat_shape(context, axis);
        Tensor& out = context.output(0, context.input(0).dtype(), std::move(shape));
        const Rows rows(out, static_cast<std::size_t>(axis));
        std::int64_t at = 0;
        for (std::size_t i = 0; i < context.input_count(); ++i) {
            const Tensor& part = context.input(i);
            const std::int64_t bytes =
                rows.count == 0 ? 0 : static_cast<std::int64_t>(part.byte_size()) / rows.count;
            move_piece(context.threads(), rows, at, bytes_of(out), bytes_of(part), bytes, true);
            at += bytes;
        }
    }

private:
    std::int64_t axis_;
};

class Split final : public Kernel {
public:
    /// `sizes`: known beforehand for an axis of `length` elements; empty: worked out in each run.
    Split(std::int64_t axis, std::int64_t length, std::vector<std::int64_t> sizes)
        : axis_(axis), length_(length), sizes_(std::move(sizes)) {}
    StorageSharing sharing() const override { return {StorageSharing::split}; }
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        const auto axis = static_cast<std::size_t>(normalize_axis(axis_, data.rank()));
        if (!sizes_.empty() && data.dim(axis) == length_) copy(context, data, axis, sizes_);
        else copy(context, data, axis, reference::split_sizes(context, axis));
    }

private:
    static void copy(KernelContext& context, const Tensor& data, std::size_t axis,
                     const std::vector<std::int64_t>& sizes) {
        const Rows rows(data, axis);
        const std::int64_t step = data.dim(axis) == 0 ? 0 : rows.bytes / data.dim(axis);
        std::int64_t at = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const std::int64_t bytes = sizes[i] * step;
            if (context.wants_output(i)) {
                Shape shape = data.shape();
                shape[axis] = sizes[i];
                Tensor& out = context.output(i, data.dtype(), std::move(shape));
                move_piece(context.threads(), rows, at, bytes_of(data), bytes_of(out), bytes,
                           false);
            }
            at += bytes;
        }
    }

    std::int64_t axis_, length_;
    std::vector<std::int64_t> sizes_;
};

bool copies_bytes(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    if (dtype == DType::undefined) reason = "the element type is not known before the model runs";
    else if (dtype == DType::string) reason = "strings are no plain bytes";
    else if (is_packed(dtype)) reason = "elements of less than a byte do not begin at whole bytes";
    return reason.empty();
}

}  // namespace

std::unique_ptr<Kernel> make_concat(const KernelRequest& request, std::string& reason) {
    if (!copies_bytes(request, reason)) return nullptr;
    return std::make_unique<Concat>(request.node.int_attribute("axis", 1));
}

std::unique_ptr<Kernel> make_split(const KernelRequest& request, std::string& reason) {
    if (!copies_bytes(request, reason)) return nullptr;
    const Node& node = request.node;
    const std::int64_t axis = node.int_attribute("axis", 0);
    std::vector<std::int64_t> sizes;
    std::int64_t length = 0;
    const bool by_input = node.version >= 13 && request.has_input(1),
               by_attribute = node.version < 13 && node.has_attribute("split");
    if (by_attribute) sizes = node.ints_attribute("split");
    else if (const Tensor* list = by_input ? request.constant(1) : nullptr;
             list && list->rank() == 1)
        sizes = to_int64s(*list);
    // An even split needs the axis' length, which may differ from run to run: worked out then.
    if (sizes.size() != node.outputs.size() || std::ranges::any_of(sizes, [](std::int64_t n) {
            return n < 0 || n > (std::int64_t{1} << 40);
        }))
        sizes.clear();
    for (std::int64_t n : sizes) length += n;
    if (const auto& shape = request.input_type(0).shape;
        shape && sizes.empty() && !by_input && !by_attribute) {
        const auto rank = static_cast<std::int64_t>(shape->size());
        const auto parts = static_cast<std::int64_t>(node.outputs.size());
        const std::int64_t at = axis < 0 ? axis + rank : axis;
        if (at >= 0 && at < rank && (*shape)[static_cast<std::size_t>(at)].is_known() &&
            node.int_attribute("num_outputs", parts) == parts) {
            length = (*shape)[static_cast<std::size_t>(at)].value();
            if (parts > 0 && length % parts == 0) sizes.assign(node.outputs.size(), length / parts);
        }
    }
    return std::make_unique<Split>(axis, length, std::move(sizes));
}

}  // namespace lapidary
