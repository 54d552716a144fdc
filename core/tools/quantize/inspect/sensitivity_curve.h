// SPDX-License-Identifier: Apache-2.0
// The SQNR of a model by the number of groups of nodes that stay float. The noise of groups that
// were quantized alone, added up, gives the shape of the curve. Points that were measured give its
// height, because the errors of neighbours are not independent.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include <lapidary/quantize/sensitivity.h>

namespace lapidary {

double noise_of(double db);  // a share of the signal
double decibels_of(double noise);

/// Noise that two groups share: that of a value between them. Each group alone quantizes it, and
/// both together quantize it only once.
struct SharedNoise {
    std::size_t first = 0, second = 0;  // groups
    double noise = 0;                   // a share of the signal
};

class SensitivityCurve {
public:
    /// `groups`: the worst first. `all_db`: SQNR with all groups quantized; empty if not all groups
    /// were tried.
    SensitivityCurve(const std::vector<NodeSensitivity>& groups,
                     const std::vector<SharedNoise>& shared, std::optional<double> all_db);

    /// The point that splits the widest gap between known points, in dB. Empty: all are known.
    std::optional<std::size_t> next_point() const;
    /// A point to measure next because the curve is doubtful there. Takes the measured point that
    /// deviates most from the prediction of the others, and returns the middle of the wider gap
    /// beside it. Empty: no point deviates by more than 1.5 dB, or all points beside it are known.
    std::optional<std::size_t> doubtful_point() const;
    void set_measured(std::size_t kept, double db);

    /// Predictions of measured points come from the other points.
    std::vector<SensitivityPoint> points() const;

private:
    /// The SQNR that all other known points predict for this one.
    double predicted(std::size_t kept) const;

    // dB of the summed noise of the groups from each one on; shared noise counts once
    std::vector<double> added_;
    std::map<std::size_t, double> measured_;  // dB
};

}  // namespace lapidary
