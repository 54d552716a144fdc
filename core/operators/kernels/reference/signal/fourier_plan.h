// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of any length in double precision.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace lapidary::reference {

/// Made once per length; run() may be called from several threads.
class FourierPlan {
public:
    explicit FourierPlan(std::int64_t length);  // at least 1
    std::int64_t length() const { return length_; }
    /// to[k] = sum over n of from[n] * exp(-2 pi i k n / length), or with +i when `inverse` (not
    /// divided by the length). `from` and `to` hold `length` values and must not overlap.
    void run(const std::complex<double>* from, std::complex<double>* to, bool inverse) const;

private:
    /// Decimation in time over the prime factors of the length.
    void split(const std::complex<double>* from, std::int64_t stride, std::int64_t length,
               std::complex<double>* to, std::complex<double>* work, bool inverse) const;
    /// For lengths with a large prime factor: as a convolution of a power-of-two length (Bluestein
    /// 1970).
    void convolve(const std::complex<double>* from, std::complex<double>* to, bool inverse) const;
    std::complex<double> root(std::int64_t numerator, std::int64_t denominator, bool inverse) const;

    std::int64_t length_;
    std::vector<std::complex<double>> roots_;         // exp(-2 pi i k / length)
    std::unique_ptr<const FourierPlan> convolution_;  // set for lengths with a large prime factor
    std::vector<std::complex<double>> chirp_, chirp_spectrum_;
};

}  // namespace lapidary::reference
