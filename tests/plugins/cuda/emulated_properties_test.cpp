// SPDX-License-Identifier: Apache-2.0
// Every operator that the CUDA provider takes, called with other sizes, types, attributes and
// numbers than in the fixtures: the provider leaves the call to the CPU, or the emulated device
// gives what the reference kernels give, or both refuse it. LAPIDARY_PROPERTY_OP one operator,
// every case printed to stderr before it runs LAPIDARY_PROPERTY_ALL every case of every call of the
// fixtures; else a share of them
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <lapidary/base/error.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/placement.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/call_variations.h"

namespace lapidary::test {
namespace {

bool is_attention(const OperatorCall& call) {
    return call.schema->name.find("Attention") != std::string::npos;
}

/// Lengths of caches are read on the device alone, which does not refuse them.
bool has_lengths_of_caches(const OperatorCall& call) {
    return call.schema->name == "GroupQueryAttention";
}

/// What NaN and infinities give differs: the largest of NaN and a number, weights of 0 between
/// pixels, and keys whose scores are -infinity.
bool is_free_beside_numbers(const OperatorCall& call) {
    const std::string& name = call.schema->name;
    return name.ends_with("MaxPool") || name == "Resize" || name == "Upsample" ||
           is_attention(call);
}

/// What became of a call: outputs, or why there are none.
struct Outcome {
    NamedValues outputs;
    std::string refusal;
    bool is_internal = false, is_placed = false;
};

Outcome outcome_of(const OperatorCall& call, bool static_shapes, SessionOptions options, int runs) {
    Outcome outcome;
    options.limits.tensor_bytes = 1 << 22;
    options.limits.run_bytes = 1 << 24;
    try {
        Model model = model_of_call(call, static_shapes);
        infer_types(model);
        Session session =
            Session::compile(std::make_shared<const Model>(std::move(model)), options);
        const auto& nodes = session.placement().nodes;
        outcome.is_placed = !nodes.empty() && nodes[0].provider == name_of_provider();
        if (outcome.is_placed || runs == 1)
            for (int run = 0; run < runs; ++run)
                outcome.outputs = session.run(inputs_of_call(call)).outputs;
    } catch (const Error& error) {
        outcome.refusal = error.what();
        outcome.is_internal = error.code() == ErrorCode::internal;
    }
    return outcome;
}

class DeviceCheck {
public:
    explicit DeviceCheck(std::size_t share)
        : share_(std::getenv("LAPIDARY_PROPERTY_ALL") || std::getenv("LAPIDARY_PROPERTY_OP")
                     ? 1
                     : share) {}

    /// Starts the checks of variations of this call.
    void begin(const OperatorCall& base) { share_.begin(base); }
    void check(const OperatorCall& call) {
        const bool is_too_old = call.schema->domain.empty() && call.version < min_onnx_opset;
        if (is_random(*call.schema) || is_too_old || !share_.is_chosen()) return;
        if (std::getenv("LAPIDARY_PROPERTY_OP"))
            std::fprintf(stderr, "%s\n", call.describe().c_str());
        for (bool static_shapes : {true, false}) compare(call, static_shapes);
    }
    std::size_t placed() const { return placed_; }

private:
    void compare(const OperatorCall& call, bool static_shapes) {
        const EmulatedRun run{.order = static_cast<int>(share_.number() % 3),
                              .fallback = Fallback::allow,
                              .has_hopper = share_.number() % 2 == 0,
                              .has_clusters = share_.number() % 4 == 0};
        const Outcome device = outcome_of(call, static_shapes, emulated_options(run), 3);
        if (!device.is_placed) return;
        ++placed_;
        SCOPED_TRACE(call.describe() + (static_shapes ? "" : ", of shapes that are not known"));
        const Outcome reference = outcome_of(call, static_shapes, reference_options(), 1);
        EXPECT_FALSE(device.is_internal) << device.refusal;
        EXPECT_EQ(device.refusal.empty(), reference.refusal.empty())
            << "device: " << device.refusal << "\nprocessor: " << reference.refusal;
        if (!device.refusal.empty() || !reference.refusal.empty()) return;
        for (const OutputComparison& output : compare_outputs(
                 device.outputs, reference.outputs, tolerance_of(call, reference.outputs)))
            EXPECT_TRUE(output.comparison.matches)
                << output.name << ": " << output.comparison.reason;
    }
    /// Sums of 16-bit floats are rounded to them; scores that a mask has moved by 10000 keep three
    /// digits.
    static Tolerance tolerance_of(const OperatorCall& call, const NamedValues& outputs) {
        const bool is_coarse = std::ranges::any_of(outputs, [](const auto& output) {
            const auto& value = output.second;
            return value.is_tensor() &&
                   (value.tensor().dtype() == DType::f16 || value.tensor().dtype() == DType::bf16);
        });
        return is_coarse || is_attention(call) ? same_result : exact_arithmetic;
    }
    ShareOfCalls share_;
    std::size_t placed_ = 0;
};

void check_variations(std::size_t share, std::size_t most,
                      void (*vary)(const OperatorCall&, const TakeCall&),
                      bool (*is_left_out)(const OperatorCall&) = nullptr) {
    DeviceCheck property(share);
    for (const OperatorCall& base : chosen_calls(most)) {
        if (is_left_out && is_left_out(base)) continue;
        property.begin(base);
        vary(base, [&](const OperatorCall& call) { property.check(call); });
    }
    std::cout << property.placed() << " calls on the device\n";
    if (!std::getenv("LAPIDARY_PROPERTY_OP")) EXPECT_GT(property.placed(), 100u);
}

TEST(EmulatedProperties, EveryInputAtEveryRankAndMissing) { check_variations(5, 3, vary_ranks); }
TEST(EmulatedProperties, EveryIntegerAttributeAtItsEnds) {
    check_variations(11, 3, vary_attributes);
}
TEST(EmulatedProperties, EveryWordAndNumberOfAttributes) { check_variations(3, 3, vary_words); }
TEST(EmulatedProperties, EveryNumberOfSmallIntegerInputsAtItsEnds) {
    check_variations(5, 3, vary_small_integers, has_lengths_of_caches);
}
TEST(EmulatedProperties, NotANumberAndInfinities) {
    check_variations(3, 3, vary_floats, is_free_beside_numbers);
}
TEST(EmulatedProperties, EverySizeOfInputs) {
    check_variations(7, 3, vary_sizes, has_lengths_of_caches);
}
TEST(EmulatedProperties, EveryTypeOfInputs) { check_variations(2, 2, vary_types); }

}  // namespace
}  // namespace lapidary::test
