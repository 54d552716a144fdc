// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/neural/window_panels.h"

#include <algorithm>
#include <array>

#include "kernels/reference/neural/matrix_product.h"

namespace lapidary::reference {
namespace {

/// Columns of a panel that lie side by side along the last output axis.
struct Run {
    // first column in the panel, length, first output position on the last axis
    std::int64_t column, count, position;
    // input coordinate of tap 0 on every other axis
    std::array<std::int64_t, most_spatial_axes - 1> outer;
};

}  // namespace

template <typename T>
WindowPanels<T>::WindowPanels(const T* image, std::span<const WindowAxis> axes)
    : image_(image), axes_(axes.begin(), axes.end()) {
    for (const auto& a : axes_) {
        taps_ *= a.kernel;
        channel_size_ *= a.input;
        is_pointwise_ =
            is_pointwise_ && a.kernel == 1 && a.stride == 1 && a.pad_begin == 0 && a.pad_end == 0;
    }
}

/// `tap_start` is the input coordinate of output position 0 under this tap, on the last axis.
template <typename T>
void WindowPanels<T>::fill_run(std::int64_t tap_start, std::int64_t position, std::int64_t count,
                               const T* row, T* panel) const {
    const WindowAxis& last = axes_.back();
    std::int64_t at = position * last.stride + tap_start;
    if (at >= 0 && at + (count - 1) * last.stride < last.input) {
        if (last.stride == 1) std::copy_n(row + at, count, panel);
        else
            for (std::int64_t j = 0; j < count; ++j) panel[j] = row[at + j * last.stride];
        return;
    }
    for (std::int64_t j = 0; j < count; ++j, at += last.stride)
        panel[j] = at >= 0 && at < last.input ? row[at] : T(0);
}

template <typename T>
void WindowPanels<T>::operator()(std::int64_t first_k, std::int64_t k_count,
                                 std::int64_t first_column, std::int64_t columns, T* panel) const {
    constexpr std::int64_t width = panel_columns<T>;
    if (is_pointwise_) {
        DensePanels<T>{{image_, channel_size_, false}}(first_k, k_count, first_column, columns,
                                                       panel);
        return;
    }
    const std::size_t rank = axes_.size(), outer_rank = rank - 1;
    const WindowAxis& last = axes_.back();

    std::array<Run, static_cast<std::size_t>(width)> runs;
    std::size_t run_count = 0;
    for (std::int64_t j = 0; j < columns;) {
        Run& run = runs[run_count++];
        std::int64_t index = first_column + j;
        run.column = j;
        run.position = index % last.output;
        run.count = std::min(last.output - run.position, columns - j);
        index /= last.output;
        for (std::size_t axis = outer_rank; axis-- > 0;) {
            run.outer[axis] =
                index % axes_[axis].output * axes_[axis].stride - axes_[axis].pad_begin;
            index /= axes_[axis].output;
        }
        j += run.count;
    }

    for (std::int64_t k = 0; k < k_count; ++k) {
        std::int64_t tap = (first_k + k) % taps_;
        const T* channel = image_ + (first_k + k) / taps_ * channel_size_;
        const std::int64_t last_tap = tap % last.kernel * last.dilation - last.pad_begin;
        tap /= last.kernel;
        std::array<std::int64_t, most_spatial_axes - 1> shift{};
        for (std::size_t axis = outer_rank; axis-- > 0;) {
            shift[axis] = tap % axes_[axis].kernel * axes_[axis].dilation;
            tap /= axes_[axis].kernel;
        }
        T* to = panel + k * width;
        for (std::size_t i = 0; i < run_count; ++i) {
            const Run& run = runs[i];
            std::int64_t row = 0;
            bool inside = true;
            for (std::size_t axis = 0; axis < outer_rank; ++axis) {
                const std::int64_t at = run.outer[axis] + shift[axis];
                inside = inside && at >= 0 && at < axes_[axis].input;
                row = row * axes_[axis].input + at;
            }
            if (inside)
                fill_run(last_tap, run.position, run.count, channel + row * last.input,
                         to + run.column);
            else std::fill_n(to + run.column, run.count, T(0));
        }
    }
}

template class WindowPanels<float>;
template class WindowPanels<double>;

}  // namespace lapidary::reference
