// SPDX-License-Identifier: Apache-2.0
// Multinomial (7, 22): draws classes by their unnormalized log-probabilities.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/reference/elementwise/number_output.h"
#include "kernels/reference/random/random_generator.h"

namespace lapidary::reference {

void multinomial(KernelContext& context) {
    const Tensor& input = context.input(0);
    const std::int64_t samples = context.node().int_attribute("sample_size", 1);
    const DType dtype = output_type(context.node(), "dtype", DType::i32);
    if (input.rank() != 2 || input.dim(1) < 1)
        fail_input("Multinomial: expected an input [batch, classes], found " +
                   to_string(input.shape()));
    if (samples < 1)
        fail_model("attribute sample_size: expected at least 1, found " + std::to_string(samples));
    if (dtype != DType::i32 && dtype != DType::i64)
        fail_model("attribute dtype: expected int32 or int64, found " +
                   std::string(name_of(dtype)));
    const std::int64_t batch = input.dim(0), classes = input.dim(1);
    const std::vector<double> logits = to_doubles(input);
    NumberOutput output(context, dtype, {batch, samples});
    const RandomStream stream = stream_of(context);
    std::vector<double> cumulative(static_cast<std::size_t>(classes));
    for (std::int64_t b = 0; b < batch; ++b) {
        const double* row = logits.data() + b * classes;
        const double most = *std::max_element(row, row + classes);
        double total = 0;
        for (std::int64_t c = 0; c < classes; ++c) {
            total += std::isfinite(most) ? std::exp(row[c] - most) : 0;
            cumulative[static_cast<std::size_t>(c)] = total;
        }
        if (!(total > 0))
            fail_input("Multinomial: row " + std::to_string(b) + " gives no class a probability");
        for (std::int64_t s = 0; s < samples; ++s) {
            if ((s & 0xfff) == 0) context.cancel().throw_if_cancelled();
            const double at = stream.uniform(static_cast<std::uint64_t>(b * samples + s)) * total;
            const auto drawn =
                std::upper_bound(cumulative.begin(), cumulative.end(), at) - cumulative.begin();
            output.set(b * samples + s,
                       static_cast<double>(std::min<std::int64_t>(drawn, classes - 1)));
        }
    }
    output.store();
}

}  // namespace lapidary::reference
