// SPDX-License-Identifier: Apache-2.0
// What rounding weights gains and costs, as figures that the command line and the window say alike.
#include <cmath>
#include <limits>

#include <lapidary/proof/choose_compute.h>

namespace lapidary {
namespace {

void take_output(ComputePrice& price, const Comparison& comparison, std::int64_t answers,
                 std::int64_t changed) {
    price.answers += answers;
    price.changed_answers += changed;
    if (price.sqnr_db && !(comparison.sqnr_db < *price.sqnr_db)) return;
    price.sqnr_db = comparison.sqnr_db;
    price.equal = comparison.mismatches == 0 && comparison.max_abs == 0 &&
                  std::isinf(comparison.sqnr_db) && comparison.sqnr_db > 0;
}

}  // namespace

std::string nothing_rounded_text() {
    return "nothing was rounded: no product has a float32 weight large enough";
}

bool rounds_nothing(const LoweredPrecision& loss) { return loss.by.empty(); }

double least_rounded_sqnr_db(Compute compute) {
    if (compute == Compute::exact) return std::numeric_limits<double>::infinity();
    const double rounding = std::exp2(compute == Compute::fp16   ? -11
                                      : compute == Compute::bf16 ? -8
                                                                 : -6);
    return -20 * std::log10(10 * rounding);
}

ComputePrice price_of(std::optional<double> speedup, const LoweredPrecision& loss) {
    ComputePrice price{.speedup = speedup};
    for (const LoweredOutput& output : loss.outputs)
        if (output.is_float)
            take_output(price, output.comparison, output.answers, output.changed_answers);
    return price;
}

ComputePrice price_of(std::optional<double> speedup, const std::vector<OutputComparison>& outputs) {
    ComputePrice price{.speedup = speedup};
    for (const OutputComparison& output : outputs)
        take_output(price, output.comparison, output.answers, output.changed_answers);
    return price;
}

}  // namespace lapidary
