// SPDX-License-Identifier: Apache-2.0
#include "quantize/unused_options.h"

namespace lapidary {

void report_unused_options(const QuantizeOptions& options, std::vector<std::string>& notes) {
    static const QuantizeOptions unset;
    const QuantizeMode mode = options.mode;
    const bool is_static = mode == QuantizeMode::static_qdq,
               is_dynamic = mode == QuantizeMode::dynamic;
    const bool has_blocks =
        mode == QuantizeMode::weights && options.storage == WeightStorage::blocks;
    const auto report = [&](bool means_something, bool is_asked_for, const char* what) {
        if (is_asked_for && !means_something)
            notes.push_back(std::string(what) + " were asked for, of which mode " +
                            std::string(name_of(mode)) + " makes no use");
    };
    report(is_static,
           options.static_form != unset.static_form || options.placement != unset.placement,
           "form and placement of static quantization");
    report(is_static,
           options.activation != unset.activation ||
               options.symmetric_activation != unset.symmetric_activation,
           "types of activations");
    report(is_static, options.weight != unset.weight, "types of static weights");
    report(is_static, options.range != unset.range, "methods to choose ranges");
    report(is_dynamic, options.fused_operators, "fused operators");
    report(has_blocks,
           options.symmetric_blocks || options.block_form != unset.block_form ||
               options.block != unset.block || options.fitted_blocks || options.bits_per_weight > 0,
           "sizes, forms, searched scales and budgets of blocks");
    report(has_blocks, options.rotation != 0, "rotations");
    report(is_static || is_dynamic, options.reduced_range, "weights of 7 bits");
    report(is_static || is_dynamic || has_blocks, options.compensated_rounding,
           "compensated rounding");
}

}  // namespace lapidary
