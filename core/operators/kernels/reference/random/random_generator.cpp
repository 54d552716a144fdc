// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/random/random_generator.h"

namespace lapidary::reference {

RandomStream stream_of(const KernelContext& context) {
    const Attribute* seed = context.node().attribute("seed");
    if (!seed) return RandomStream(context.random_seed());
    if (const auto* integer = std::get_if<std::int64_t>(&seed->value))
        return RandomStream(static_cast<std::uint64_t>(*integer));
    return RandomStream(std::bit_cast<std::uint32_t>(context.node().float_attribute("seed", 0.0f)));
}

}  // namespace lapidary::reference
