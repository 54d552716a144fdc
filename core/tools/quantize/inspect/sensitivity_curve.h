// SPDX-License-Identifier: Apache-2.0
// SQNR by how many groups stay float. Noise of groups quantized alone, added up, gives the shape;
// points that were measured give its height: errors of neighbours are not independent.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include <lapidary/quantize/sensitivity.h>

namespace lapidary {

double noise_of(double db);  // a share of the signal
double decibels_of(double noise);

/// Noise that two groups have in common: of a value between them, which either quantizes when it is
/// alone, and both together but once.
struct SharedNoise {
    std::size_t first = 0, second = 0;  // groups
    double noise = 0;                   // a share of the signal
};

class SensitivityCurve {
public:
    /// `groups`: the worst first. `all_db`: of all quantized; nothing where not all groups were
    /// tried.
    SensitivityCurve(const std::vector<NodeSensitivity>& groups,
                     const std::vector<SharedNoise>& shared, std::optional<double> all_db);

    /// The point that splits the widest gap between those that are known, in dB; nothing: all are
    /// known.
    std::optional<std::size_t> next_point() const;
    /// Where a measured point is off what the other ones say: the middle of the wider gap beside
    /// the point that is so most; nothing: none is by more than a dB and a half, or all beside it
    /// are known.
    std::optional<std::size_t> doubtful_point() const;
    void set_measured(std::size_t kept, double db);

    /// Predictions of measured points come from the other ones.
    std::vector<SensitivityPoint> points() const;

private:
    /// What all others known say of the point.
    double predicted(std::size_t kept) const;

    // dB of the noise of the groups from each on, what they share counted once
    std::vector<double> added_;
    std::map<std::size_t, double> measured_;  // dB
};

}  // namespace lapidary
