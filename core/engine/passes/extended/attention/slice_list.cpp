// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/slice_list.h"

#include "ops/dimensions/dim_algebra.h"

namespace lapidary::attention {

std::optional<std::vector<Dim>> slice_list(PassContext& context, const Node& slice,
                                           std::size_t input, const char* name) {
    if (slice.version < 10) {
        std::vector<Dim> out;
        for (std::int64_t n : slice.ints_attribute(name)) out.push_back(dim_of(n));
        return out;
    }
    if (input >= slice.inputs.size() || !slice.inputs[input]) return std::vector<Dim>();
    return context.elements(slice.inputs[input]);
}

}  // namespace lapidary::attention
