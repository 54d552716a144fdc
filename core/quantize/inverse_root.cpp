// SPDX-License-Identifier: Apache-2.0
#include "quantize/inverse_root.h"

#include <cmath>

namespace lapidary {
namespace {

/// The lower factor in place of the lower triangle; false: the matrix is not positive.
bool cholesky(std::vector<double>& m, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = m[i * n + j];
            for (std::size_t k = 0; k < j; ++k) sum -= m[i * n + k] * m[j * n + k];
            if (i != j) m[i * n + j] = sum / m[j * n + j];
            else if (!(sum > 0)) return false;
            else m[i * n + i] = std::sqrt(sum);
        }
    return true;
}

}  // namespace

std::optional<std::vector<double>> inverse_root(std::vector<double> a, std::size_t n, double damping) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += a[i * n + i] / static_cast<double>(n);
    if (!(mean > 0)) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) a[i * n + i] += damping * mean;
    if (!cholesky(a, n)) return std::nullopt;
    std::vector<double> root(n * n, 0);  // inverse of the lower factor
    for (std::size_t c = 0; c < n; ++c) {
        root[c * n + c] = 1 / a[c * n + c];
        for (std::size_t r = c + 1; r < n; ++r) {
            double sum = 0;
            for (std::size_t k = c; k < r; ++k) sum -= a[r * n + k] * root[k * n + c];
            root[r * n + c] = sum / a[r * n + r];
        }
    }
    std::vector<double> inverse(n * n, 0);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i <= k; ++i)
            for (std::size_t j = 0; j <= i; ++j) inverse[i * n + j] += root[k * n + i] * root[k * n + j];
    if (!cholesky(inverse, n)) return std::nullopt;
    std::vector<double> upper(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) upper[j * n + i] = inverse[i * n + j];
    return upper;
}

}  // namespace lapidary
