// SPDX-License-Identifier: Apache-2.0
// MelWeightMatrix (17): triangular filters, evenly spaced on the mel scale, over the bins of a
// one-sided spectrum.
#include <cmath>
#include <vector>

#include "kernels/input_index.h"
#include "kernels/reference/elementwise/number_output.h"
#include "kernels/reference/signal/signal_input.h"

namespace lapidary::reference {
namespace {

double to_mel(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double to_hertz(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

}  // namespace

void mel_weight_matrix(KernelContext& context) {
    const std::int64_t bands = scalar_integer(context.input(0), "num_mel_bins"),
                       points = scalar_integer(context.input(1), "dft_length");
    const std::int64_t rate = scalar_integer(context.input(2), "sample_rate");
    const double lower = scalar_number(context.input(mel_weight_input::lower_edge_hertz),
                                       "lower_edge_hertz"),
                 upper = scalar_number(context.input(mel_weight_input::upper_edge_hertz),
                                       "upper_edge_hertz");
    if (bands < 0 || bands > 1 << 24 || points < 0 || points > std::int64_t(1) << 40 || rate < 1)
        fail_input("MelWeightMatrix: " + std::to_string(bands) + " bands, a DFT of " +
                   std::to_string(points) + " points and a rate of " + std::to_string(rate) +
                   " Hz are no usable sizes");
    if (!(lower >= 0 && upper >= lower && std::isfinite(upper)))
        fail_input("MelWeightMatrix: expected edges with 0 <= lower <= upper, found " +
                   std::to_string(lower) + " and " + std::to_string(upper));
    const std::int64_t bins = points / 2 + 1;
    NumberOutput output(context, output_type(context.node(), "output_datatype", DType::f32),
                        {bins, bands});

    // Edges of the filters as spectrum bins; filter i rises from edge i to i + 1 and falls to i
    // + 2.
    std::vector<std::int64_t> edges;
    const double step = (to_mel(upper) - to_mel(lower)) / static_cast<double>(bands + 2);
    for (std::int64_t i = 0; i < bands + 2; ++i) {
        const double hertz = to_hertz(to_mel(lower) + static_cast<double>(i) * step);
        const double bin =
            std::floor(static_cast<double>(points + 1) * hertz / static_cast<double>(rate));
        if (bin >= static_cast<double>(bins))
            fail_input("MelWeightMatrix: a filter edge of " + std::to_string(hertz) +
                       " Hz is above the spectrum's " + std::to_string(bins) + " bins");
        edges.push_back(static_cast<std::int64_t>(bin));
    }
    for (std::int64_t i = 0; i < output.size(); ++i) output.set(i, 0);
    for (std::int64_t band = 0; band < bands; ++band) {
        const std::int64_t left = edges[static_cast<std::size_t>(band)],
                           center = edges[static_cast<std::size_t>(band + 1)];
        const std::int64_t right = edges[static_cast<std::size_t>(band + 2)];
        if (left == center) output.set(center * bands + band, 1);
        for (std::int64_t bin = left; bin <= center && center > left; ++bin)
            output.set(bin * bands + band,
                       static_cast<double>(bin - left) / static_cast<double>(center - left));
        for (std::int64_t bin = center; bin < right; ++bin)
            output.set(bin * bands + band,
                       static_cast<double>(right - bin) / static_cast<double>(right - center));
    }
    output.store();
}

}  // namespace lapidary::reference
