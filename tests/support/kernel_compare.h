// SPDX-License-Identifier: Apache-2.0
// Compares a fast kernel with the reference kernel of its operator.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <lapidary/tensor/tensor.h>

#include "support/kernel_harness.h"

namespace lapidary::test {

/// Deterministic pseudo-random numbers in [-1, 1).
inline Tensor noise(Shape shape, std::uint32_t seed, float scale = 1, float offset = 0) {
    Tensor t(DType::f32, std::move(shape));
    std::uint32_t state = seed * 2654435761u + 12345;
    for (float& v : t.mutable_data<float>()) {
        state = state * 1664525u + 1013904223u;
        v = offset + scale * (static_cast<float>(state >> 8) / 8388608.0f - 1);
    }
    return t;
}

/// Checks that every output of the fast kernel differs from the reference kernel's by at most
/// `tolerance` times max(1, |expected|), and has NaN in the same elements.
inline void expect_as_reference(std::string_view domain, std::string_view op, std::int64_t version,
                                const std::string& kernel, const std::vector<RuntimeValue>& inputs,
                                const std::vector<Attribute>& attributes = {},
                                double tolerance = 1e-5, KernelRun run = {}) {
    run.kernel.clear();
    const auto expected = run_kernel(domain, op, version, inputs, attributes, run);
    run.kernel = kernel;
    for_each_isa([&](Isa isa) {
        SCOPED_TRACE(std::string(op) + " " + std::string(name_of(isa)) + " " +
                     inputs.at(0).describe());
        const auto actual = run_kernel(domain, op, version, inputs, attributes, run);
        for (std::size_t o = 0; o < expected.size(); ++o) {
            if (expected[o].is_empty()) continue;
            ASSERT_EQ(actual[o].tensor().shape(), expected[o].tensor().shape());
            ASSERT_EQ(actual[o].tensor().dtype(), expected[o].tensor().dtype());
            const auto a = to_doubles(actual[o].tensor()), e = to_doubles(expected[o].tensor());
            for (std::size_t i = 0; i < e.size(); ++i) {
                if (std::isnan(e[i]))
                    ASSERT_TRUE(std::isnan(a[i])) << "output " << o << " element " << i;
                else if (std::isinf(e[i]))
                    ASSERT_EQ(a[i], e[i]) << "output " << o << " element " << i;
                else
                    ASSERT_LE(std::abs(a[i] - e[i]), tolerance * std::max(1.0, std::abs(e[i])))
                        << "output " << o << " element " << i;
            }
        }
    });
}

}  // namespace lapidary::test
