// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/tensor/tensor.h>

#include "inputs/input_sizes.h"
#include "inputs/input_usage.h"

namespace lapidary {

/// A reproducible stream of numbers, the same on every platform.
class SeededNumbers {
public:
    /// Streams of different names differ, so that a given input does not change the others.
    SeededNumbers(std::uint64_t seed, std::string_view name, const CancelToken& cancel = {});
    std::uint64_t next();
    double uniform();                        // [0, 1)
    double normal();                         // mean 0, deviation 1
    std::int64_t below(std::int64_t bound);  // [0, bound)

    /// To be called for each element `i`: throws cancelled, with a check now and then.
    void allow_cancel(std::size_t i) const {
        if (i % 65536 == 0) cancel_.throw_if_cancelled();
    }

private:
    std::uint64_t state_;
    CancelToken cancel_;
};

/// The meaning of an input, by its name.
enum class InputRole : std::uint8_t {
    none,
    mask,
    positions,
    lengths,
    image,
    threshold,
    factor,
    setting_off
};
InputRole role_of_name(const std::string& name, const Type& type, const Shape& shape);

/// True for an integer, bool or float input that masks nothing if it is all ones.
bool is_mask_input(const std::string& name, const Type& type, const Shape& shape,
                   const InputUsage& usage);

/// A tensor with values that suit its use in the graph, else its name, else its type.
Tensor fill_input(const std::string& name, const Type& type, const Shape& shape,
                  const InputUsage& usage, const InputSizes& sizes, SeededNumbers& numbers);

}  // namespace lapidary
