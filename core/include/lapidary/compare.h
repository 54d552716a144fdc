// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/runtime_value.h>

namespace lapidary {

struct Tolerance {
    double rtol = 1e-3;
    double atol = 1e-5;
};

struct Comparison {
    bool matches = false;
    std::string reason;            // why not: type, shape, first differing element with both values
    std::int64_t elements = 0;
    std::int64_t mismatches = 0;   // |a-b| > atol + rtol*|expected|, NaN equal to NaN, inf equal to same inf
    double max_abs = 0, max_rel = 0;  // max_rel: over elements whose expected value is not 0
    double sqnr_db = 0;            // 10 log10(sum e^2 / sum (a-e)^2); infinity when equal
    double cosine = 1;
};

/// Tensors of any type, sequences and maps element by element. Strings and booleans must be equal, integers may
/// differ by atol rounded down, real and imaginary parts are compared each for itself. Element types and shapes
/// must be the same; keys of maps may come in another order.
Comparison compare(const RuntimeValue& actual, const RuntimeValue& expected, const Tolerance& tolerance = {});

}  // namespace lapidary
