// SPDX-License-Identifier: Apache-2.0
// Normalizations written in single operators: patterns, conditions, and arithmetic on scale and
// bias.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary::passes {

/// Parts of the patterns. They bind "x", "variance" (the ReduceMean below the root), "epsilon"
/// (absent: 0), and with a mean also "mean". Lists are alternatives, each an operator to which
/// conditions can be added.
struct NormalizedForms {
    std::vector<pattern::Pattern> normalized;  // (x - mean) / deviation
    std::vector<pattern::Pattern> scaled;      // that * "scale", in any association
    pattern::Pattern x, mean, inverse;
};
/// Deviation of the mean-free x: LayerNormalization.
NormalizedForms layer_normalized();
/// Root of the mean square: RMS normalization.
NormalizedForms rms_normalized();

/// The axes of a ReduceMean, sorted and not negative, or nothing when not known (or when it drops
/// them).
std::optional<std::vector<std::int64_t>> mean_axes(const Scope& scope, const Node& node, int rank);
/// First normalized axis of the matched "x"; only after normalization_problem() was empty.
std::size_t first_axis(const pattern::Match& match);
/// The conditions that do not depend on scale and bias: axes, exponents, element types, constants.
/// `op` needs a kernel.
pattern::ExplainedCheck normalization_problem(std::string op);
/// Why `parameter` cannot be broadcast to one value per element of the axes of x from `axis` on;
/// empty: it can.
std::string parameter_problem(const Scope& scope, ValueId parameter, ValueId x, std::size_t axis,
                              const std::string& title);
/// The same for the value bound to `name`, which must also have the element type of x.
pattern::ExplainedCheck parameter_fits(std::string name, std::string title);
/// The parameter with exactly the normalized shape: itself, or a new constant.
ValueId spread_parameter(PassContext& context, ValueId parameter, ValueId x, std::size_t axis);
/// Ones of the normalized shape, or an empty id when that is not static.
ValueId ones_parameter(PassContext& context, ValueId x, std::size_t axis);
/// True if the only reader of the value (behind at most one Cast) is an operator of that type whose
/// other input could be a parameter. The rule for that operator then fuses both.
bool goes_into_parameter(const Scope& scope, ValueId value, std::string_view op_type, ValueId x,
                         std::size_t axis);
/// axis, epsilon and, for f64, stash_type.
std::vector<Attribute> normalization_attributes(const pattern::Match& match, std::size_t axis);

/// Writes `op` in place of the root; an empty scale means ones. Declines when those have no fixed
/// size.
Outcome write_normalization(const pattern::Match& match, PassContext& context,
                            const std::string& op, ValueId scale, ValueId bias);
/// Rules for `op` with a scale or without parameters, where no rule with more parameters applies.
std::vector<Rule> plain_normalization_rules(const NormalizedForms& forms, const std::string& op);
/// The rules that write `LayerNormalization` (of ONNX from opset 17 on, of ORT before).
std::vector<Rule> layer_norm_rules();

}  // namespace lapidary::passes
