// SPDX-License-Identifier: Apache-2.0
// Sizes that a recurrent node's weights and attributes fix, and the sizes of one run.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/kernel.h"

namespace lapidary {

struct RecurrentForm {
    std::int64_t gates = 0, directions = 0, inputs = 0, hidden = 0;
    bool batch_first = false, starts_reversed = false;

    /// From the node's attribute `direction`; false when it is none of the three.
    bool read_direction(const Node& node);
    bool is_reverse(std::int64_t direction) const { return starts_reversed || direction == 1; }
};

/// Steps and sequences of one run. Throws invalid_input where an input's shape or type does not fit
/// the form.
struct RecurrentRun {
    RecurrentRun(const KernelContext& context, const RecurrentForm& form);

    std::int64_t steps = 0, batch = 0;
    const Tensor* lengths = nullptr;  // sequence_lens, i32; null: all have `steps`

    std::int64_t length(std::int64_t sequence) const {
        return lengths ? lengths->data<std::int32_t>()[static_cast<std::size_t>(sequence)] : steps;
    }
    /// Row of X for one time and sequence.
    std::int64_t input_row(std::int64_t time, std::int64_t sequence) const {
        return form_.batch_first ? sequence * steps + time : time * batch + sequence;
    }
    /// Row of Y [steps, directions, batch] or [batch, steps, directions].
    std::int64_t output_row(std::int64_t direction, std::int64_t time,
                            std::int64_t sequence) const {
        return form_.batch_first ? (sequence * steps + time) * form_.directions + direction
                                 : (time * form_.directions + direction) * batch + sequence;
    }
    std::int64_t state_row(std::int64_t direction, std::int64_t sequence) const {
        return form_.batch_first ? sequence * form_.directions + direction
                                 : direction * batch + sequence;
    }
    Shape output_shape() const {
        return form_.batch_first ? Shape{batch, steps, form_.directions, form_.hidden}
                                 : Shape{steps, form_.directions, batch, form_.hidden};
    }
    Shape state_shape() const {
        return form_.batch_first ? Shape{batch, form_.directions, form_.hidden}
                                 : Shape{form_.directions, batch, form_.hidden};
    }
    /// The floats of an optional input of that shape; null when it is omitted.
    static const float* floats_of(const KernelContext& context, std::size_t input,
                                  const Shape& shape, const char* name);

private:
    const RecurrentForm& form_;
};

}  // namespace lapidary
