// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/movement/element_copy.h"

#include <algorithm>

#include "kernels/text_room.h"
#include "ops/geometry/broadcast.h"
#include "tensor/packed_elements.h"

namespace lapidary::reference {
namespace {

// The iteration space of a copy: dimensions of one element dropped, neighbours that step together
// merged.
struct Walk {
    Shape shape, strides;
};

Walk coalesce(const Shape& shape, const Shape& strides) {
    Walk walk;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        if (!walk.shape.empty() && walk.strides.back() == strides[i] * shape[i]) {
            walk.shape.back() *= shape[i];
            walk.strides.back() = strides[i];
        } else {
            walk.shape.push_back(shape[i]);
            walk.strides.push_back(strides[i]);
        }
    }
    if (walk.shape.empty()) walk = {{1}, {1}};
    return walk;
}

// Multi-index over the first `rank` dimensions with the source offset kept along.
class Odometer {
public:
    Odometer(const Walk& walk, std::size_t rank, std::int64_t position)
        : walk_(walk), index_(rank) {
        for (std::size_t d = rank; d-- > 0;) {
            index_[d] = position % walk.shape[d];
            position /= walk.shape[d];
            offset_ += index_[d] * walk.strides[d];
        }
    }
    std::int64_t offset() const { return offset_; }
    void advance() {
        for (std::size_t d = index_.size(); d-- > 0;) {
            offset_ += walk_.strides[d];
            if (++index_[d] < walk_.shape[d]) return;
            offset_ -= walk_.strides[d] * walk_.shape[d];
            index_[d] = 0;
        }
    }

private:
    const Walk& walk_;
    Shape index_;
    std::int64_t offset_ = 0;
};

template <typename T>
void copy_rows(ThreadPool& threads, TextRoom& room, const T* in, std::int64_t offset,
               const Walk& walk, T* out) {
    const std::int64_t length = walk.shape.back(), stride = walk.strides.back();
    const std::int64_t rows = dim_product(walk.shape, 0, walk.shape.size() - 1);
    threads.parallel_for(rows, std::max<std::int64_t>(1, 16384 / length),
                         [&](std::int64_t begin, std::int64_t end) {
                             Odometer odometer(walk, walk.shape.size() - 1, begin);
                             for (std::int64_t row = begin; row < end; ++row, odometer.advance()) {
                                 const T* source = in + offset + odometer.offset();
                                 T* target = out + row * length;
                                 if (stride == 1) {
                                     room.take(source, length);
                                     std::copy_n(source, length, target);
                                 } else if (stride == 0) {
                                     room.take(source, 1, length);
                                     std::fill_n(target, length, *source);
                                 } else {
                                     for (std::int64_t i = 0; i < length; ++i) {
                                         room.take(source[i * stride]);
                                         target[i] = source[i * stride];
                                     }
                                 }
                             }
                         });
}

// A transposition: `fast` is the output dimension in which the input is contiguous. Works in square
// tiles so that neither side is read or written one element per cache line.
template <typename T>
void copy_tiles(ThreadPool& threads, TextRoom& room, const T* in, std::int64_t offset,
                const Walk& walk, std::size_t fast, T* out) {
    constexpr std::int64_t tile = 32;
    const std::size_t last = walk.shape.size() - 1;
    const std::int64_t length = walk.shape[last], stride = walk.strides[last],
                       fast_length = walk.shape[fast];
    const std::int64_t fast_tiles = (fast_length + tile - 1) / tile;
    const Shape out_strides = [&] {
        Shape s(walk.shape.size(), 1);
        for (std::size_t d = last; d-- > 0;) s[d] = s[d + 1] * walk.shape[d + 1];
        return s;
    }();
    Walk outer_in, outer_out;  // the dimensions other than `fast` and the last
    for (std::size_t d = 0; d < last; ++d) {
        if (d == fast) continue;
        outer_in.shape.push_back(walk.shape[d]);
        outer_in.strides.push_back(walk.strides[d]);
        outer_out.strides.push_back(out_strides[d]);
    }
    outer_out.shape = outer_in.shape;
    const std::size_t outer_rank = outer_in.shape.size();
    const std::int64_t outer = dim_product(outer_in.shape, 0, outer_rank);
    threads.parallel_for(
        outer * fast_tiles, std::max<std::int64_t>(1, 512 / length),
        [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t job = begin; job < end; ++job) {
                const std::int64_t f0 = job % fast_tiles * tile,
                                   f1 = std::min(f0 + tile, fast_length);
                const T* source =
                    in + offset + Odometer(outer_in, outer_rank, job / fast_tiles).offset();
                T* target = out + Odometer(outer_out, outer_rank, job / fast_tiles).offset();
                for (std::int64_t j0 = 0; j0 < length; j0 += tile) {
                    const std::int64_t j1 = std::min(j0 + tile, length);
                    for (std::int64_t f = f0; f < f1; ++f)
                        for (std::int64_t j = j0; j < j1; ++j) {
                            room.take(source[f + j * stride]);
                            target[f * out_strides[fast] + j] = source[f + j * stride];
                        }
                }
            }
        });
}

// A stretch of the last axis that is one block of the source, or (source < 0) all fill.
struct Segment {
    std::int64_t target, source, length;
};

std::vector<Segment> segments_of(const std::vector<std::int64_t>& table) {
    std::vector<Segment> result;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (!result.empty()) {
            Segment& s = result.back();
            if (s.source < 0 ? table[i] < 0 : table[i] == s.source + s.length) {
                ++s.length;
                continue;
            }
        }
        result.push_back({static_cast<std::int64_t>(i), table[i], 1});
    }
    return result;
}

template <typename T>
void copy_by_tables(ThreadPool& threads, TextRoom& room, const T* in, const Shape& in_shape,
                    const std::vector<std::vector<std::int64_t>>& tables, const T& fill, T* out,
                    const Shape& out_shape) {
    const std::size_t last = out_shape.size() - 1;
    const std::vector<Segment> segments = segments_of(tables[last]);
    const std::int64_t length = out_shape[last], rows = dim_product(out_shape, 0, last);
    threads.parallel_for(
        rows, std::max<std::int64_t>(1, 16384 / length), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) {
                std::int64_t rest = row, stride = in_shape[last], base = 0;
                bool inside = true;
                for (std::size_t d = last; d-- > 0;) {
                    const std::int64_t source =
                        tables[d][static_cast<std::size_t>(rest % out_shape[d])];
                    rest /= out_shape[d];
                    inside = inside && source >= 0;
                    base += source * stride;
                    stride *= in_shape[d];
                }
                T* target = out + row * length;
                if (!inside) {
                    room.take(&fill, 1, length);
                    std::fill_n(target, length, fill);
                    continue;
                }
                for (const Segment& s : segments) {
                    if (s.source < 0) {
                        room.take(&fill, 1, s.length);
                        std::fill_n(target + s.target, s.length, fill);
                    } else {
                        room.take(in + base + s.source, s.length);
                        std::copy_n(in + base + s.source, s.length, target + s.target);
                    }
                }
            }
        });
}

}  // namespace

std::string describe(const Tensor& tensor) {
    return std::string(name_of(tensor.dtype())) + to_string(tensor.shape());
}

std::int64_t dim_product(const Shape& shape, std::size_t begin, std::size_t end) {
    std::int64_t product = 1;
    for (std::size_t i = begin; i < end; ++i) product *= shape[i];
    return product;
}

Tensor byte_wide(KernelContext& context, const Tensor& tensor) {
    if (!is_packed(tensor.dtype())) return tensor;
    Tensor wide = context.scratch(DType::u8, tensor.shape());
    auto out = wide.mutable_data<std::uint8_t>();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = packed_at(tensor, static_cast<std::int64_t>(i));
    return wide;
}

ByteWideTarget::ByteWideTarget(KernelContext& context, Tensor& target)
    : target_(target), packed_(is_packed(target.dtype())) {
    if (packed_) unpacked_ = context.scratch(DType::u8, target.shape());
}

void ByteWideTarget::finish() {
    if (!packed_) return;
    const auto in = unpacked_.data<std::uint8_t>();
    for (std::size_t i = 0; i < in.size(); ++i)
        set_packed(target_, static_cast<std::int64_t>(i), in[i]);
}

Tensor take_range(KernelContext& context, const Tensor& data, std::size_t axis, std::int64_t start,
                  std::int64_t count) {
    Shape shape = data.shape();
    shape[axis] = count;
    const Shape strides = strides_of(data.shape());
    Tensor part = context.scratch(data.dtype(), std::move(shape));
    ByteWideTarget target(context, part);
    copy_strided(context, byte_wide(context, data), start * strides[axis], strides,
                 target.tensor());
    target.finish();
    return part;
}

Tensor take_slice(KernelContext& context, const Tensor& data, std::size_t axis,
                  std::int64_t index) {
    Shape shape = data.shape();
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return take_range(context, data, axis, index, 1).reshaped(std::move(shape));
}

void join_into(KernelContext& context, const std::vector<Tensor>& parts, std::size_t axis,
               Tensor& target) {
    if (target.size() == 0) return;
    ByteWideTarget out(context, target);
    TextRoom room(context);
    const std::int64_t outer = dim_product(target.shape(), 0, axis),
                       inner = dim_product(target.shape(), axis + 1, target.shape().size());
    std::int64_t at = 0;
    for (const Tensor& given : parts) {
        const Tensor part = byte_wide(context, given);
        if (part.dtype() == DType::string) room.take(part.data<std::string>().data(), part.size());
        const std::int64_t block = part.size() / outer;
        for (std::int64_t o = 0; o < outer; ++o)
            copy_elements(part, o * block, out.tensor(), o * target.dim(axis) * inner + at, block);
        at += block;
    }
    out.finish();
}

void copy_strided(KernelContext& context, const Tensor& in, std::int64_t offset,
                  const Shape& strides, Tensor& out) {
    if (out.size() == 0) return;
    const Walk walk = coalesce(out.shape(), strides);
    const std::size_t last = walk.shape.size() - 1;
    const auto fast =
        static_cast<std::size_t>(std::ranges::find(walk.strides, 1) - walk.strides.begin());
    TextRoom room(context);
    dispatch_by_width(in.dtype(), [&]<typename T>() {
        if (fast < last && walk.strides[last] != 0)
            copy_tiles(context.threads(), room, elements<T>(in), offset, walk, fast,
                       elements<T>(out));
        else copy_rows(context.threads(), room, elements<T>(in), offset, walk, elements<T>(out));
    });
}

void copy_mapped(KernelContext& context, const Tensor& in,
                 const std::vector<std::vector<std::int64_t>>& tables, const Tensor* fill,
                 Tensor& out) {
    if (out.size() == 0) return;
    TextRoom room(context);
    dispatch_by_width(in.dtype(), [&]<typename T>() {
        const T value = fill ? *elements<T>(*fill) : T{};
        if (out.rank() == 0) *elements<T>(out) = *elements<T>(in);
        else
            copy_by_tables(context.threads(), room, elements<T>(in), in.shape(), tables, value,
                           elements<T>(out), out.shape());
    });
}

void copy_elements(const Tensor& in, std::int64_t in_offset, Tensor& out, std::int64_t out_offset,
                   std::int64_t count) {
    if (count <= 0) return;
    dispatch_by_width(in.dtype(), [&]<typename T>() {
        const T* from = elements<T>(in) + in_offset;
        T* to = elements<T>(out) + out_offset;
        if (from != to) std::copy_n(from, count, to);
    });
}

std::int64_t checked_index(std::int64_t index, std::int64_t axis, const Tensor& tensor) {
    const std::int64_t dim = tensor.dim(static_cast<std::size_t>(axis));
    if (index < -dim || index >= dim) {
        fail_input("index " + std::to_string(index) + " is out of range " +
                   (dim == 0 ? "(the axis is empty)"
                             : "[" + std::to_string(-dim) + ", " + std::to_string(dim - 1) + "]") +
                   " for axis " + std::to_string(axis) + " of " + describe(tensor));
    }
    return index < 0 ? index + dim : index;
}

std::int64_t single_int(const Tensor& tensor, std::string_view what) {
    if (tensor.size() != 1)
        fail_input(std::string(what) + " must be one number, found " + describe(tensor));
    return to_int64s(tensor).front();
}

std::vector<std::int64_t> int_list(const Tensor& tensor, std::string_view what, std::size_t most) {
    if (tensor.rank() > 1 || static_cast<std::uint64_t>(tensor.size()) > most) {
        fail_input(std::string(what) + " must be a list of at most " + std::to_string(most) +
                   " numbers, found " + describe(tensor));
    }
    return to_int64s(tensor);
}

}  // namespace lapidary::reference
