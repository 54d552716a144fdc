// SPDX-License-Identifier: Apache-2.0
// What holds for every operator of the tables with any inputs and attributes: inference, the choice
// of kernels, a run and all optimization levels end in a result or in an error that is the model's
// fault, soon and in little memory, and the kernels chosen give what the reference kernels give.
// Finds most under -fsanitize=address,undefined.
//   LAPIDARY_PROPERTY_OP    one operator, each case named on stderr before it runs
//   LAPIDARY_PROPERTY_ALL   every case of every call of the fixtures; else every few of a few calls
//   per operator version
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

#include "support/call_variations.h"
#include "support/kernel_harness.h"
#include "support/time_budget.h"

namespace lapidary::test {
namespace {

const char* only_operator() { return std::getenv("LAPIDARY_PROPERTY_OP"); }

class PropertyCheck {
public:
    /// Every `share`-th case is checked, all of them where all or one operator is asked for.
    explicit PropertyCheck(std::size_t share)
        : share_(only_operator() || std::getenv("LAPIDARY_PROPERTY_ALL") ? 1 : share) {}

    /// Starts the checks of variations of this call.
    void begin(const OperatorCall& base) { share_.begin(base); }
    /// Everything that is done with a model, on one call; fails the test where it ends otherwise
    /// than promised.
    void check(const OperatorCall& call) {
        ++calls_;
        if (!share_.is_chosen()) return;
        if (only_operator()) std::fprintf(stderr, "%s\n", call.describe().c_str());
        const auto start = std::chrono::steady_clock::now();
        for (const bool static_shapes : {true, false}) {
            const auto fast = run(call, static_shapes, false),
                       reference = run(call, static_shapes, true);
            if (fast && reference && !is_random(*call.schema))
                compare_results(call, *fast, *reference, "the reference kernels");
            if (static_shapes) optimize_and_run(call, fast);
        }
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        EXPECT_LT(seconds, 4 * wall_factor) << call.describe();
        if (only_operator() && seconds > 0.5)
            std::fprintf(stderr, "SLOW %.1f s: %s\n", seconds, call.describe().c_str());
    }
    std::size_t calls() const { return calls_; }
    std::size_t results() const { return results_; }

private:
    static SessionOptions session_options(bool reference) {
        SessionOptions options;
        options.resources.threads = 1;
        options.reference_kernels = reference;
        options.limits.tensor_bytes = 1 << 22;
        options.limits.run_bytes = 1 << 24;
        // each value in separate memory, so that reads beyond its end are found
        options.enable_cpu_mem_arena = false;
        options.enable_mem_pattern = false;
        options.limits.image_bytes = 1 << 22;
        return options;
    }
    template <typename Body>
    void guarded(const OperatorCall& call, const char* doing, Body body) {
        try {
            body();
        } catch (const Error& e) {
            EXPECT_NE(e.code(), ErrorCode::internal)
                << doing << " " << call.describe() << ": " << e.what();
            EXPECT_FALSE(e.message().empty()) << doing << " " << call.describe();
        } catch (const std::exception& e) {
            ADD_FAILURE() << doing << " " << call.describe() << ": " << e.what();
        }
    }
    std::optional<NamedValues> run(const OperatorCall& call, bool static_shapes, bool reference) {
        std::optional<NamedValues> outputs;
        guarded(call, reference ? "reference run of" : "run of", [&] {
            auto model = std::make_shared<const Model>(model_of_call(call, static_shapes));
            Session session = Session::compile(model, session_options(reference));
            outputs = session.run(inputs_of_call(call)).outputs;
            ++results_;
        });
        return outputs;
    }
    void optimize_and_run(const OperatorCall& call, const std::optional<NamedValues>& expected) {
        guarded(call, "optimizing", [&] {
            OptimizeOptions options;
            options.level = Level::all;
            options.limits.fold_bytes = 1 << 20;
            auto optimized =
                std::make_shared<const Model>(optimize(model_of_call(call), options).model);
            Session session = Session::compile(optimized, session_options(false));
            const NamedValues found = session.run(inputs_of_call(call)).outputs;
            if (expected && !is_random(*call.schema))
                compare_results(call, found, *expected, "the model as it was");
        });
    }
    static void compare_results(const OperatorCall& call, const NamedValues& found,
                                const NamedValues& expected, const char* with) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!expected[i].second.is_tensor()) continue;
            const Comparison c = compare(found.at(i).second, expected[i].second, {1e-2, 1e-3});
            EXPECT_TRUE(c.matches)
                << call.describe() << " against " << with << ", output " << i << ": " << c.reason;
        }
    }

    ShareOfCalls share_;
    std::size_t calls_ = 0, results_ = 0;
};

/// Nothing where the call is refused.
std::optional<NamedValues> outputs_of(const OperatorCall& call) try {
    SessionOptions options;
    options.resources.threads = 1;
    return Session::compile(std::make_shared<const Model>(model_of_call(call)), options)
        .run(inputs_of_call(call))
        .outputs;
} catch (const Error&) { return std::nullopt; }

/// Variations of `most` calls of each operator version, of which every `share`-th is checked.
void check_variations(std::size_t share, std::size_t most,
                      void (*vary)(const OperatorCall&, const TakeCall&)) {
    PropertyCheck property(share);
    for (const OperatorCall& base : chosen_calls(most)) {
        property.begin(base);
        property.check(base);
        vary(base, [&](const OperatorCall& call) { property.check(call); });
    }
    if (!only_operator()) EXPECT_GT(property.results(), 500u) << property.calls() << " calls";
}

TEST(OperatorProperties, EveryInputAtEveryRankAndMissing) { check_variations(5, 2, vary_ranks); }

TEST(OperatorProperties, EveryIntegerAttributeAtItsEnds) {
    check_variations(11, 2, vary_attributes);
}

TEST(OperatorProperties, EveryWordAndNumberOfAttributes) { check_variations(3, 3, vary_words); }

TEST(OperatorProperties, NotANumberAndInfinitiesComeOutAlikeOnEveryInstructionSet) {
    PropertyCheck property(7);
    for (const OperatorCall& base : chosen_calls(3)) {
        property.begin(base);
        vary_floats(base, [&](const OperatorCall& call) {
            for_each_isa([&](Isa isa) {
                SCOPED_TRACE(name_of(isa));
                property.check(call);
            });
        });
    }
    if (!only_operator()) EXPECT_GT(property.results(), 500u) << property.calls() << " calls";
}

TEST(OperatorProperties, EveryNumberOfSmallIntegerInputsAtItsEnds) {
    check_variations(5, 3, vary_small_integers);
}

TEST(OperatorProperties, EverySizeOfInputs) { check_variations(5, 3, vary_sizes); }

TEST(OperatorProperties, EveryTypeOfInputs) { check_variations(3, 1, vary_types); }

/// ONNX Runtime writes all of them into the files that it saves.
TEST(OperatorProperties, DefaultsMayBeWritten) {
    int written = 0;
    for (const OperatorCall& base : chosen_calls(4)) {
        if (is_random(*base.schema) ||
            (base.schema->domain.empty() && base.version < min_onnx_opset))
            continue;
        const auto plain = outputs_of(base);
        if (!plain) continue;  // the call itself is wrong
        OperatorCall call = base;
        for (const SchemaAttribute& a : base.schema->attributes) {
            const auto value = default_of(a);
            if (!value || std::ranges::find(base.attributes, a.name, &Attribute::name) !=
                              base.attributes.end())
                continue;
            call.set_attribute({a.name, *value, {}, {}});
            ++written;
        }
        const auto found = outputs_of(call);
        EXPECT_TRUE(found) << call.describe();
        for (std::size_t i = 0; found && i < plain->size(); ++i) {
            const Comparison c = compare(found->at(i).second, plain->at(i).second, {0, 0});
            EXPECT_TRUE(c.matches) << call.describe() << ", output " << i << ": " << c.reason;
        }
    }
    if (!only_operator()) EXPECT_GT(written, 500);
}

}  // namespace
}  // namespace lapidary::test
