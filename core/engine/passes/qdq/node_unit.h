// SPDX-License-Identifier: Apache-2.0
// A node unit: an operator with DequantizeLinear on its inputs and QuantizeLinear on its result.
// Passes on quantized models check such units here, and get a sentence if an operator is not one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary::passes {

/// Scale and zero point of a QuantizeLinear or DequantizeLinear.
struct Quantization {
    NodeId node;
    ValueId stored;             // the integers
    ValueId real;               // the floats
    ValueId scale, zero_point;  // zero_point empty: 0
    DType dtype = DType::undefined;
    // set if constant; `zeros` is 0 if there is no zero point
    std::optional<Tensor> scales, zeros;
    std::int64_t axis = 0, block_size = 0;
    bool plain_rounding = true;  // no `precision` that rounds the quotient first

    bool is_constant() const { return scales && zeros; }
    bool per_tensor() const {
        return block_size == 0 && scales && scales->size() == 1 && scales->rank() <= 1;
    }
    double scale_value() const { return to_doubles(*scales)[0]; }
    std::int64_t zero_value() const { return static_cast<std::int64_t>(to_doubles(*zeros)[0]); }
};

bool is_dequantize(const Node& node);
bool is_quantize(const Node& node);
/// The DequantizeLinear that writes the value.
std::optional<Quantization> dequantize_of(const Scope& scope, ValueId value);
/// Of a QuantizeLinear node.
Quantization quantization_of(const Scope& scope, const Node& node);
/// Same type, constant, per tensor, equal scale and zero point.
bool same_parameters(const Quantization& a, const Quantization& b);
/// Smallest and largest integer of the type (4, 8, 16 bits).
std::pair<std::int64_t, std::int64_t> integer_range(DType dtype);
/// "u8 with scale 0.5 and zero point 3".
std::string describe(const Quantization& q);
/// The zero point, or new zeros of the type, one per scale, where it is omitted.
ValueId zero_point_of(PassContext& context, const Quantization& q);

/// True if scale and floats are f16 and every 8-bit integer survives dequantizing and quantizing. A
/// difference to the zero point has eight bits. Its product with the scale is rounded to eleven
/// bits and the quotient again, which is wrong by less than a quarter of a step: integers stay
/// distinct unless a product overflows.
bool distinguishes_in_f16(const Scope& scope, const Quantization& q);

/// Requirements on one quantized value.
struct Demand {
    bool eight_bit = true;  // false: 16 bits are allowed too
    bool f32 = true;        // scale and float are f32
    // the operator only moves or compares elements: f16 is allowed if distinguishes_in_f16()
    bool keeps_order = false;
    int channel_axis = -1;  // constant integers may be quantized per channel along this axis
    bool any_zeros = true;  // zero points of the channels may differ
};

/// An operator with the quantization of its inputs and its first output.
class NodeUnit {
public:
    NodeUnit(const Scope& scope, NodeId target);

    const Node& node() const { return scope_.node(target_); }
    NodeId target() const { return target_; }
    /// Some input is dequantized or the result is quantized.
    bool is_partly_quantized() const;
    const std::optional<Quantization>& input(std::size_t index) const { return inputs_.at(index); }
    std::size_t input_count() const { return inputs_.size(); }
    /// The QuantizeLinear that is the only reader of the result.
    const std::optional<Quantization>& output() const { return output_; }
    /// The last node that a fused operator replaces: the QuantizeLinear, else the target.
    NodeId root() const { return output_ ? output_->node : target_; }
    /// QuantizeLinear, target and each DequantizeLinear.
    std::vector<NodeId> nodes() const;

    /// Why input `index`, called `name`, is not as demanded; empty when it is.
    std::string input_problem(std::size_t index, const std::string& name,
                              const Demand& demand = {}) const;
    std::string output_problem(const Demand& demand = {}) const;
    /// The element types of two quantized values differ, as a sentence; empty when not.
    static std::string type_problem(const Quantization& a, const std::string& a_name,
                                    const Quantization& b, const std::string& b_name);

private:
    const Scope& scope_;
    NodeId target_;
    std::vector<std::optional<Quantization>> inputs_;
    std::optional<Quantization> output_;
    std::string no_output_;
};

/// A pass that tries `rewrite` at every partly quantized node of the operators ("Add|Mul"). Other
/// nodes are not reported.
PassBody at_units(std::string_view operators,
                  std::function<Outcome(const NodeUnit&, PassContext&)> rewrite);

/// Why no integer kernel multiplies these operands into this result; empty: one does. i8
/// activations need i8 weights, and the result (when quantized) has the type of the activation.
std::string product_problem(const Quantization& a, const Quantization& b,
                            const std::optional<Quantization>& y);
/// Why sums of `terms` products may not fit i32.
std::string accumulation_problem(std::int64_t terms);

}  // namespace lapidary::passes
