// SPDX-License-Identifier: Apache-2.0
// LayerNormalization and its kin written out: patterns, conditions and the arithmetic on their
// scale and bias.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary::passes {

/// What the patterns share. They bind "x", "variance" (the ReduceMean below the root), "epsilon"
/// (absent: 0), and with a mean also "mean". Lists are alternatives, all operators, so that
/// conditions can be put on each.
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
/// `parameter` is one value per element of the axes of x from `axis` on, or a constant that can be
/// spread to that.
std::string parameter_problem(const Scope& scope, ValueId parameter, ValueId x, std::size_t axis,
                              const std::string& title);
/// The same of the value bound to `name`; also its element type must be that of x.
pattern::ExplainedCheck parameter_fits(std::string name, std::string title);
/// The parameter with exactly the normalized shape: itself, or a new constant.
ValueId spread_parameter(PassContext& context, ValueId parameter, ValueId x, std::size_t axis);
/// Ones of the normalized shape, or an empty id when that is not static.
ValueId ones_parameter(PassContext& context, ValueId x, std::size_t axis);
/// The value (behind at most one Cast) goes into one operator of that type only, whose other input
/// would be a parameter: the rule rooted there takes it along.
bool goes_into_parameter(const Scope& scope, ValueId value, std::string_view op_type, ValueId x,
                         std::size_t axis);
/// axis, epsilon and, for f64, stash_type.
std::vector<Attribute> normalization_attributes(const pattern::Match& match, std::size_t axis);

/// Writes `op` in place of the root; an empty scale means ones. Declines when those have no fixed
/// size.
Outcome write_normalization(const pattern::Match& match, PassContext& context,
                            const std::string& op, ValueId scale, ValueId bias);
/// Rules for `op` with a scale only and with nothing; they leave a place to the rule that takes
/// more along.
std::vector<Rule> plain_normalization_rules(const NormalizedForms& forms, const std::string& op);
/// The rules that write `LayerNormalization` (of ONNX from opset 17 on, of ORT before).
std::vector<Rule> layer_norm_rules();

}  // namespace lapidary::passes
