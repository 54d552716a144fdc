// SPDX-License-Identifier: Apache-2.0
// Outputs that Loop and Scan collect over their iterations.
#pragma once

#include <vector>

#include "kernels/reference/movement/element_copy.h"

namespace lapidary::reference {

/// The node's "body" graph; throws invalid_input when it has none.
GraphPtr body_of(KernelContext& context);

/// One tensor per iteration, all of one type and shape, stacked at the end.
class IterationOutput {
public:
    /// `index` is the output's place among the body's outputs: its declared type serves loops that
    /// never run. `expected`: iterations that are sure to come; 0: not known.
    IterationOutput(const Graph& body, std::size_t index, std::int64_t expected)
        : body_(body), index_(index), expected_(expected) {}
    /// Throws invalid_input when the value differs in type or shape from the one before,
    /// limit_exceeded with the first one when all that are to come take more than one tensor may.
    void add(KernelContext& context, const RuntimeValue& value);
    /// The iterations stacked along a new `axis` (of the stacked tensor, may be negative) into
    /// output `output`, last one first with `reverse`. Without iterations the axis has size 0 and
    /// dimensions that the body does not declare are 0.
    void write(KernelContext& context, std::size_t output, std::int64_t axis, bool reverse);

    const std::vector<Tensor>& parts() const { return parts_; }
    /// Element type and shape of one iteration, from the body's declaration when there was none.
    DType dtype() const;
    Shape shape() const;

private:
    const Type& declared() const;
    void require_room(const Limits& limits, const Tensor& one) const;
    const Graph& body_;
    std::size_t index_;
    std::int64_t expected_;
    std::vector<Tensor> parts_;
};

}  // namespace lapidary::reference
