// SPDX-License-Identifier: Apache-2.0
#include "kernels/movement/strided_copy.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/vector/movement/transpose.h"

namespace lapidary {
namespace {

constexpr std::int64_t tile = 64;  // elements along each side of a transposed block

struct Wide {
    std::uint64_t low, high;
};

/// The position in the outer dimensions of a view, with the offsets of both sides kept along.
class Odometer {
public:
    Odometer(const StridedView& view, int rank, const std::int64_t* to_strides,
             std::int64_t position)
        : view_(view), rank_(rank), to_strides_(to_strides) {
        for (int d = rank; d-- > 0;) {
            at_[d] = position % view.size(d);
            position /= view.size(d);
            from_ += at_[d] * view.stride(d);
            to_ += at_[d] * to_strides[d];
        }
    }
    std::int64_t from() const { return from_; }
    std::int64_t to() const { return to_; }
    void advance() {
        for (int d = rank_; d-- > 0;) {
            from_ += view_.stride(d);
            to_ += to_strides_[d];
            if (++at_[d] < view_.size(d)) return;
            from_ -= view_.stride(d) * view_.size(d);
            to_ -= to_strides_[d] * view_.size(d);
            at_[d] = 0;
        }
    }

private:
    const StridedView& view_;
    int rank_;
    const std::int64_t* to_strides_;
    std::int64_t at_[StridedView::max_rank];
    std::int64_t from_ = 0, to_ = 0;
};

/// body(begin, end) over [0, count) units of `bytes` each.
template <typename Body>
void split(KernelContext& context, std::int64_t count, std::int64_t bytes, const Body& body) {
    if (count * bytes <= grain_bytes) return body(std::int64_t{0}, count);
    const std::int64_t piece =
        std::max<std::int64_t>(1, (1 << 20) / std::max<std::int64_t>(bytes, 1));
    const CancelToken& cancel = context.cancel();
    context.threads().parallel_for(
        count, std::max<std::int64_t>(1, grain_bytes / std::max<std::int64_t>(bytes, 1)),
        [&](std::int64_t begin, std::int64_t end) {
            for (; begin < end; begin += piece) {
                cancel.throw_if_cancelled();
                body(begin, std::min(end, begin + piece));
            }
        });
}

void copy_bytes(const std::byte* from, std::byte* to, std::int64_t bytes, KernelContext& context) {
    constexpr std::int64_t unit = 4096;
    split(context, (bytes + unit - 1) / unit, unit, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(to + begin * unit, from + begin * unit,
                    static_cast<std::size_t>(std::min(bytes, end * unit) - begin * unit));
    });
}

/// Row after row of the innermost dimension, of any stride.
template <typename T>
void copy_rows(const T* from, T* to, const StridedView& view, KernelContext& context) {
    const int last = view.rank() - 1;
    const std::int64_t length = view.size(last), stride = view.stride(last);
    const std::int64_t rows = view.elements() / length;
    std::int64_t to_strides[StridedView::max_rank];
    std::int64_t step = length;
    for (int d = last; d-- > 0; step *= view.size(d)) to_strides[d] = step;
    split(context, rows, length * static_cast<std::int64_t>(sizeof(T)),
          [&](std::int64_t begin, std::int64_t end) {
              Odometer at(view, last, to_strides, begin);
              for (std::int64_t row = begin; row < end; ++row, at.advance()) {
                  const T* source = from + at.from();
                  T* target = to + row * length;
                  if (stride == 1) {
                      if (length * static_cast<std::int64_t>(sizeof(T)) >= 64)
                          std::memcpy(target, source, static_cast<std::size_t>(length) * sizeof(T));
                      else
                          for (std::int64_t i = 0; i < length; ++i) target[i] = source[i];
                  } else if (stride == 0) std::fill_n(target, length, *source);
                  else
                      for (std::int64_t i = 0; i < length; ++i) target[i] = source[i * stride];
              }
          });
}

/// `fast`: the dimension in which the input is contiguous, not the last. Every pair of them is a
/// transposed matrix.
template <typename T>
void copy_transposed(const T* from, T* to, const StridedView& view, int fast,
                     KernelContext& context) {
    const int last = view.rank() - 1;
    const std::int64_t length = view.size(last), stride = view.stride(last),
                       columns = view.size(fast);
    std::int64_t steps[StridedView::max_rank];
    std::int64_t step = 1;
    for (int d = last + 1; d-- > 0; step *= view.size(d)) steps[d] = step;
    StridedView outer;
    std::int64_t to_strides[StridedView::max_rank];
    for (int d = 0; d < last; ++d) {
        if (d == fast) continue;
        outer.append(view.size(d), view.stride(d));
        to_strides[outer.rank() - 1] = steps[d];
    }
    const std::int64_t row_tiles = (length + tile - 1) / tile,
                       column_tiles = (columns + tile - 1) / tile;
    const TransposeFunction transpose = transpose_kernels().matrix(sizeof(T));
    const std::int64_t matrices = outer.elements();
    const auto block = [&](const T* source, T* target, std::int64_t job) {
        const std::int64_t r = job / column_tiles * tile, c = job % column_tiles * tile;
        transpose(source + r * stride + c, stride, target + c * steps[fast] + r, steps[fast],
                  std::min(tile, length - r), std::min(tile, columns - c));
    };
    const std::int64_t jobs = row_tiles * column_tiles;
    const std::int64_t bytes =
        std::min(length, tile) * std::min(columns, tile) * static_cast<std::int64_t>(sizeof(T));
    split(context, matrices * jobs, bytes, [&](std::int64_t begin, std::int64_t end) {
        Odometer at(outer, outer.rank(), to_strides, begin / jobs);
        for (std::int64_t job = begin; job < end; ++job) {
            if (job != begin && job % jobs == 0) at.advance();
            block(from + at.from(), to + at.to(), job % jobs);
        }
    });
}

template <typename T>
void copy_elements(const std::byte* from, std::byte* to, const StridedView& view,
                   KernelContext& context) {
    const int last = view.rank() - 1;
    int fast = last;
    for (int d = 0; d < last && view.stride(last) > 1; ++d)
        if (view.stride(d) == 1) fast = d;
    const T* source = reinterpret_cast<const T*>(from);
    T* target = reinterpret_cast<T*>(to);
    if (fast != last) copy_transposed(source, target, view, fast, context);
    else copy_rows(source, target, view, context);
}

}  // namespace

bool StridedView::add(std::int64_t size, std::int64_t stride) {
    if (size == 1) return true;
    std::int64_t around = 0, merged = 0;
    const bool continues = rank_ > 0 && !__builtin_mul_overflow(stride, size, &around) &&
                           strides_[rank_ - 1] == around &&
                           !__builtin_mul_overflow(sizes_[rank_ - 1], size, &merged);
    if (!continues) return append(size, stride);
    count(size);
    sizes_[rank_ - 1] = merged;
    strides_[rank_ - 1] = stride;
    return true;
}

void StridedView::count(std::int64_t size) {
    // A dimension of 0 may come last, so the sizes before it are not bounded by memory.
    if (__builtin_mul_overflow(elements_, size, &elements_))
        elements_ = std::numeric_limits<std::int64_t>::max();
}

bool StridedView::append(std::int64_t size, std::int64_t stride) {
    if (rank_ == max_rank) return false;
    count(size);
    sizes_[rank_] = size;
    strides_[rank_++] = stride;
    return true;
}

void copy_strided(const void* from, void* to, const StridedView& given, std::size_t width,
                  KernelContext& context) {
    if (given.elements() == 0) return;
    const auto* source = static_cast<const std::byte*>(from);
    auto* target = static_cast<std::byte*>(to);
    if (given.is_contiguous())
        return copy_bytes(source, target, given.elements() * static_cast<std::int64_t>(width),
                          context);
    // A short contiguous run at the end is one wider element, where that keeps all strides whole.
    const StridedView* view = &given;
    StridedView wide;
    const int last = given.rank() - 1;
    if (given.stride(last) == 1 && last > 0) {
        const std::int64_t run = given.size(last);
        bool whole = (run == 2 || run == 4 || run == 8 || run == 16) &&
                     run * static_cast<std::int64_t>(width) <= 16;
        for (int d = 0; d < last && whole; ++d) whole = given.stride(d) % run == 0;
        const std::size_t bytes = width * static_cast<std::size_t>(run);
        whole = whole &&
                reinterpret_cast<std::uintptr_t>(source) % std::min<std::size_t>(bytes, 8) == 0;
        if (whole) {
            for (int d = 0; d < last; ++d) wide.append(given.size(d), given.stride(d) / run);
            view = &wide;
            width = bytes;
        }
    }
    switch (width) {
    case 1: return copy_elements<std::uint8_t>(source, target, *view, context);
    case 2: return copy_elements<std::uint16_t>(source, target, *view, context);
    case 4: return copy_elements<std::uint32_t>(source, target, *view, context);
    case 8: return copy_elements<std::uint64_t>(source, target, *view, context);
    default: return copy_elements<Wide>(source, target, *view, context);
    }
}

}  // namespace lapidary
