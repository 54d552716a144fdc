// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/inverse_root.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::size_t panel = 32;        // rows that stay in cache while other rows go by
constexpr std::size_t rows_of_task = 8;  // that one thread does

std::int64_t tasks_of(std::size_t rows) {
    return static_cast<std::int64_t>((rows + rows_of_task - 1) / rows_of_task);
}

/// to -= factor * from. Element by element: the compiler may use vectors, sums keep their order.
void subtract(double* to, const double* from, double factor, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) to[j] -= factor * from[j];
}

/// Replaces the lower triangle by the lower T with m = T^T T. False: the matrix is not positive.
bool factorize(std::vector<double>& m, std::size_t n, ThreadPool& threads,
               const CancelToken& cancel) {
    for (std::size_t end = n; end > 0;) {
        const std::size_t begin = end - std::min(panel, end);
        for (std::size_t k = end; k-- > begin;) {
            cancel.throw_if_cancelled();
            double* const row = m.data() + k * n;
            for (std::size_t later = end; --later > k;)
                subtract(row, m.data() + later * n, m[later * n + k], k + 1);
            if (!(row[k] > 0)) return false;
            const double root = std::sqrt(row[k]);
            for (std::size_t j = 0; j < k; ++j) row[j] /= root;
            row[k] = root;
        }
        threads.parallel_tasks(tasks_of(begin), [&](std::int64_t task, int) {
            const std::size_t first = static_cast<std::size_t>(task) * rows_of_task;
            for (std::size_t i = first; i < std::min(begin, first + rows_of_task); ++i) {
                cancel.throw_if_cancelled();
                for (std::size_t k = end; k-- > begin;)
                    subtract(m.data() + i * n, m.data() + k * n, m[k * n + i], i + 1);
            }
        });
        end = begin;
    }
    return true;
}

/// The inverse of a lower triangle.
std::vector<double> inverse_of(const std::vector<double>& t, std::size_t n, ThreadPool& threads,
                               const CancelToken& cancel) {
    std::vector<double> inverse(n * n, 0);
    const auto add_row = [&](std::size_t to, std::size_t from) {
        subtract(inverse.data() + to * n, inverse.data() + from * n, t[to * n + from], from + 1);
    };
    for (std::size_t begin = 0; begin < n; begin += panel) {
        const std::size_t end = std::min(n, begin + panel);
        threads.parallel_tasks(tasks_of(end - begin), [&](std::int64_t task, int) {
            const std::size_t first = begin + static_cast<std::size_t>(task) * rows_of_task;
            for (std::size_t k = 0; k < begin; ++k) {
                cancel.throw_if_cancelled();
                for (std::size_t r = first; r < std::min(end, first + rows_of_task); ++r)
                    add_row(r, k);
            }
        });
        for (std::size_t r = begin; r < end; ++r) {
            for (std::size_t k = begin; k < r; ++k) add_row(r, k);
            for (std::size_t c = 0; c < r; ++c) inverse[r * n + c] /= t[r * n + r];
            inverse[r * n + r] = 1 / t[r * n + r];
        }
    }
    return inverse;
}

}  // namespace

std::optional<std::vector<double>> inverse_root(std::vector<double> a, std::size_t n,
                                                double damping, ThreadPool& threads,
                                                const CancelToken& cancel) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += a[i * n + i] / static_cast<double>(n);
    if (!(mean > 0)) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) a[i * n + i] += damping * mean;
    // The inverse of a = T^T T is T^-1 T^-T. So its root is the inverse of one triangle, and the
    // inverse of a is not needed.
    if (!factorize(a, n, threads, cancel)) return std::nullopt;
    const std::vector<double> lower = inverse_of(a, n, threads, cancel);
    std::vector<double> upper(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) upper[j * n + i] = lower[i * n + j];
    return upper;
}

}  // namespace lapidary
