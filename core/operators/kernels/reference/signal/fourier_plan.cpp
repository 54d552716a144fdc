// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/signal/fourier_plan.h"

#include <algorithm>
#include <numbers>

namespace lapidary::reference {
namespace {

using Complex = std::complex<double>;

// Factors up to this one are transformed by the definition.
constexpr std::int64_t largest_direct_factor = 61;

std::int64_t smallest_factor(std::int64_t n) {
    for (std::int64_t p = 2; p * p <= n; ++p)
        if (n % p == 0) return p;
    return n;
}

bool has_large_factor(std::int64_t n) {
    while (n > 1) {
        const std::int64_t p = smallest_factor(n);
        if (p > largest_direct_factor) return true;
        n /= p;
    }
    return false;
}

Complex unit(double numerator, double denominator) {
    const double angle = -2 * std::numbers::pi * numerator / denominator;
    return {std::cos(angle), std::sin(angle)};
}

}  // namespace

FourierPlan::FourierPlan(std::int64_t length) : length_(length) {
    if (!has_large_factor(length)) {
        for (std::int64_t k = 0; k < length; ++k)
            roots_.push_back(unit(static_cast<double>(k), static_cast<double>(length)));
        return;
    }
    std::int64_t padded = 1;
    while (padded < 2 * length - 1) padded *= 2;
    convolution_ = std::make_unique<const FourierPlan>(padded);
    std::vector<Complex> kernel(static_cast<std::size_t>(padded));
    std::int64_t square = 0;  // k * k modulo 2 * length, exact for any length
    for (std::int64_t k = 0; k < length; ++k) {
        chirp_.push_back(unit(static_cast<double>(square), 2 * static_cast<double>(length)));
        kernel[static_cast<std::size_t>(k)] = std::conj(chirp_.back());
        if (k > 0) kernel[static_cast<std::size_t>(padded - k)] = std::conj(chirp_.back());
        square = (square + 2 * k + 1) % (2 * length);
    }
    chirp_spectrum_.resize(kernel.size());
    convolution_->run(kernel.data(), chirp_spectrum_.data(), false);
}

void FourierPlan::run(const Complex* from, Complex* to, bool inverse) const {
    if (convolution_) {
        convolve(from, to, inverse);
        return;
    }
    std::vector<Complex> work(static_cast<std::size_t>(length_));
    split(from, 1, length_, to, work.data(), inverse);
}

Complex FourierPlan::root(std::int64_t numerator, std::int64_t denominator, bool inverse) const {
    const Complex r =
        roots_[static_cast<std::size_t>(numerator % denominator * (length_ / denominator))];
    return inverse ? std::conj(r) : r;
}

void FourierPlan::split(const Complex* from, std::int64_t stride, std::int64_t length, Complex* to,
                        Complex* work, bool inverse) const {
    if (length == 1) {
        to[0] = from[0];
        return;
    }
    const std::int64_t p = smallest_factor(length), m = length / p;
    for (std::int64_t q = 0; q < p; ++q)
        split(from + q * stride, stride * p, m, work + q * m, to + q * m, inverse);
    for (std::int64_t k = 0; k < m; ++k)
        for (std::int64_t r = 0; r < p; ++r) {
            const std::int64_t index = k + r * m;
            Complex sum = work[k];
            for (std::int64_t q = 1; q < p; ++q)
                sum += work[q * m + k] * root(q * index, length, inverse);
            to[index] = sum;
        }
}

void FourierPlan::convolve(const Complex* from, Complex* to, bool inverse) const {
    const auto padded = chirp_spectrum_.size();
    const auto turned = [inverse](Complex c) { return inverse ? std::conj(c) : c; };
    // The inverse transform is the forward one of conjugated values, conjugated.
    std::vector<Complex> a(padded), b(padded);
    for (std::size_t k = 0; k < chirp_.size(); ++k) a[k] = turned(from[k]) * chirp_[k];
    convolution_->run(a.data(), b.data(), false);
    for (std::size_t k = 0; k < padded; ++k) b[k] *= chirp_spectrum_[k];
    convolution_->run(b.data(), a.data(), true);
    for (std::size_t k = 0; k < chirp_.size(); ++k)
        to[k] = turned(a[k] * chirp_[k] / static_cast<double>(padded));
}

}  // namespace lapidary::reference
