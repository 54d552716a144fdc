// SPDX-License-Identifier: Apache-2.0
// What holds for every operator of the tables, whatever it is asked: inference, the choice of kernels, a run and all
// optimization levels end in a result or in an error that is the model's fault, soon and in little memory, and the
// kernels chosen give what the reference kernels give. Most telling under -fsanitize=address,undefined.
//   LAPIDARY_PROPERTY_OP    one operator, each case told on stderr before it runs
//   LAPIDARY_PROPERTY_ALL   every case of every call of the fixtures; else every few of a few calls per operator
//   version
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>

#include <lapidary/compare.h>
#include <lapidary/error.h>
#include <lapidary/optimize.h>
#include <lapidary/session.h>

#include "support/kernel_harness.h"
#include "support/operator_call.h"
#include "support/time_budget.h"

namespace lapidary::test {
namespace {

const char* only_operator() { return std::getenv("LAPIDARY_PROPERTY_OP"); }

constexpr std::int64_t hostile_numbers[] = {
    0, 1, -1, INT32_MAX, std::int64_t{INT32_MAX} + 1, std::int64_t{1} << 62, INT64_MAX, INT64_MIN};

/// Operators whose results are not a function of their inputs.
bool is_random(const OpSchema& schema) {
    return schema.name.starts_with("Random") || schema.name == "Multinomial" || schema.name == "Bernoulli" ||
           schema.name.find("Dropout") != std::string::npos || schema.name == "Sampling";
}

class PropertyCheck {
public:
    /// Every `share`-th case is checked, all of them where all or one operator is asked for.
    explicit PropertyCheck(std::size_t share)
        : share_(only_operator() || std::getenv("LAPIDARY_PROPERTY_ALL") ? 1 : share) {}

    /// Everything that is done with a model, on one call; fails the test where it ends otherwise than promised.
    void check(const OperatorCall& call) {
        if (calls_++ % share_ != 0) return;
        if (only_operator()) std::fprintf(stderr, "%s\n", call.describe().c_str());
        const auto start = std::chrono::steady_clock::now();
        for (const bool static_shapes : {true, false}) {
            const auto fast = run(call, static_shapes, false), reference = run(call, static_shapes, true);
            if (fast && reference && !is_random(*call.schema))
                compare_results(call, *fast, *reference, "the reference kernels");
            if (static_shapes) optimize_and_run(call, fast);
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        EXPECT_LT(seconds, 4 * wall_factor) << call.describe();
        if (only_operator() && seconds > 0.5)
            std::fprintf(stderr, "SLOW %.1f s: %s\n", seconds, call.describe().c_str());
    }
    std::size_t calls() const { return calls_; }
    std::size_t results() const { return results_; }

private:
    static SessionOptions session_options(bool reference) {
        SessionOptions options;
        options.intra_threads = 1;
        options.reference_kernels = reference;
        options.limits.tensor_bytes = 1 << 22;
        options.limits.run_bytes = 1 << 24;
        options.enable_cpu_mem_arena = false;  // each value apart, so that who reads beyond one is found out
        options.enable_mem_pattern = false;
        options.limits.image_bytes = 1 << 22;
        return options;
    }
    template <typename Body>
    void guarded(const OperatorCall& call, const char* doing, Body body) {
        try {
            body();
        } catch (const Error& e) {
            EXPECT_NE(e.code(), ErrorCode::internal) << doing << " " << call.describe() << ": " << e.what();
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
            auto optimized = std::make_shared<const Model>(optimize(model_of_call(call), options).model);
            Session session = Session::compile(optimized, session_options(false));
            const NamedValues found = session.run(inputs_of_call(call)).outputs;
            if (expected && !is_random(*call.schema)) compare_results(call, found, *expected, "the model as it was");
        });
    }
    static void compare_results(const OperatorCall& call, const NamedValues& found, const NamedValues& expected,
                                const char* with) {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!expected[i].second.is_tensor()) continue;
            const Comparison c = compare(found.at(i).second, expected[i].second, {1e-2, 1e-3});
            EXPECT_TRUE(c.matches) << call.describe() << " against " << with << ", output " << i << ": " << c.reason;
        }
    }

    const std::size_t share_;
    std::size_t calls_ = 0, results_ = 0;
};

/// `shape` with another rank: axes of 2 in front, or none.
Shape with_rank(const Shape& shape, std::size_t rank) {
    Shape result(rank, 2);
    for (std::size_t i = 0; i < rank && i < shape.size(); ++i) result[rank - 1 - i] = shape[shape.size() - 1 - i];
    return result;
}

Tensor of_rank(const Tensor& like, std::size_t rank) {
    const Shape shape = with_rank(like.shape(), rank);
    return element_count(shape) == like.size() ? like.reshaped(shape) : ordinary_tensor(like.dtype(), shape);
}

/// The calls of every operator version, `most` of each.
std::vector<OperatorCall> chosen_calls(std::size_t most) {
    std::vector<OperatorCall> chosen;
    std::map<const OpSchema*, std::size_t> count;
    for (OperatorCall& call : operator_calls(only_operator() ? only_operator() : ""))
        if (std::getenv("LAPIDARY_PROPERTY_ALL") || ++count[call.schema] <= most) chosen.push_back(std::move(call));
    return chosen;
}

TEST(OperatorProperties, EveryInputAtEveryRankAndMissing) {
    PropertyCheck property(5);
    for (const OperatorCall& base : chosen_calls(2)) {
        property.check(base);
        for (std::size_t i = 0; i < base.inputs.size(); ++i) {
            OperatorCall call = base;
            call.inputs[i].reset();
            call.constants.erase(i);
            property.check(call);
            const Tensor like = base.inputs[i]
                                    ? *base.inputs[i]
                                    : ordinary_tensor(base.inputs[0] ? base.inputs[0]->dtype() : DType::f32, {2, 2});
            for (std::size_t rank = 0; rank <= 5; ++rank) {
                call = base;
                call.inputs[i] = of_rank(like, rank);
                property.check(call);
            }
        }
    }
    if (!only_operator()) EXPECT_GT(property.results(), 500u) << property.calls() << " calls";
}

TEST(OperatorProperties, EveryIntegerAttributeAtItsEnds) {
    PropertyCheck property(11);
    for (const OperatorCall& base : chosen_calls(2)) {
        for (const SchemaAttribute& a : base.schema->attributes) {
            OperatorCall call = base;
            if (a.kind == "i") {
                for (const std::int64_t number : hostile_numbers) {
                    call.set_attribute({a.name, number, {}, {}});
                    property.check(call);
                }
            }
            if (a.kind != "is") continue;
            const auto given = std::ranges::find(base.attributes, a.name, &Attribute::name);
            const auto* list =
                given == base.attributes.end() ? nullptr : std::get_if<std::vector<std::int64_t>>(&given->value);
            for (const std::size_t length :
                 {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{4}, list ? list->size() : 3}) {
                std::vector<std::int64_t> values =
                    list && list->size() == length ? *list : std::vector<std::int64_t>(length, 1);
                call.set_attribute({a.name, values, {}, {}});
                property.check(call);
                for (const std::int64_t number : hostile_numbers) {
                    for (std::size_t place = 0; place < length; ++place) {
                        auto bent = values;
                        bent[place] = number;
                        call.set_attribute({a.name, bent, {}, {}});
                        property.check(call);
                    }
                    call.set_attribute({a.name, std::vector<std::int64_t>(length, number), {}, {}});
                    property.check(call);
                }
            }
        }
    }
    if (!only_operator()) EXPECT_GT(property.results(), 500u) << property.calls() << " calls";
}

/// Every float among the inputs that is no constant gets NaN and infinities at places that shift with `turn`.
bool sprinkle(OperatorCall& call, int turn) {
    constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const float odd[] = {nan, inf, -inf, nan, nan, -inf, -inf};
    bool found = false;
    // Weights over padding, and values of keys out of sight, are terms of factor 0 too.
    const bool is_attention = call.schema->name.find("Attention") != std::string::npos;
    for (std::size_t i = 0; i < (is_attention ? std::min<std::size_t>(2, call.inputs.size()) : call.inputs.size());
         ++i) {
        if (i > 0 && call.schema->input(i)->name == "W") continue;
        if (!call.inputs[i] || call.constants.contains(i) || call.inputs[i]->dtype() != DType::f32) continue;
        Tensor bent = call.inputs[i]->clone();
        const auto values = bent.mutable_data<float>();
        const std::size_t step = turn % 3 == 0 ? 5 : turn % 3 == 1 ? 17 : 1 + values.size();
        for (std::size_t k = static_cast<std::size_t>(turn) % std::max<std::size_t>(values.size(), 1), n = i;
             k < values.size(); k += step)
            values[k] = odd[n++ % std::size(odd)];
        call.inputs[i] = std::move(bent);
        found = true;
    }
    return found;
}

TEST(OperatorProperties, NotANumberAndInfinitiesComeOutAlikeOnEveryInstructionSet) {
    PropertyCheck property(7);
    for (const OperatorCall& base : chosen_calls(3)) {
        for (int turn = 0; turn < 6; ++turn) {
            OperatorCall call = base;
            if (!sprinkle(call, turn)) break;
            for_each_isa([&](Isa isa) {
                SCOPED_TRACE(name_of(isa));
                property.check(call);
            });
        }
    }
    if (!only_operator()) EXPECT_GT(property.results(), 500u) << property.calls() << " calls";
}

/// A small integer tensor with one element (or all, for `place` beyond the end) replaced.
Tensor with_element(const Tensor& t, std::size_t place, std::int64_t number) {
    Tensor result = t.clone();
    const auto set = [&](auto values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i == place || place >= values.size())
                values[i] = static_cast<std::remove_reference_t<decltype(values[0])>>(number);
    };
    if (t.dtype() == DType::i64) set(result.mutable_data<std::int64_t>());
    else if (t.dtype() == DType::i32) set(result.mutable_data<std::int32_t>());
    return result;
}

TEST(OperatorProperties, EveryNumberOfSmallIntegerInputsAtItsEnds) {
    PropertyCheck property(5);
    for (const OperatorCall& base : chosen_calls(3)) {
        for (std::size_t i = 0; i < base.inputs.size(); ++i) {
            const auto& input = base.inputs[i];
            if (!input || input->size() > 8 || (input->dtype() != DType::i64 && input->dtype() != DType::i32)) continue;
            for (const std::int64_t number : hostile_numbers) {
                for (std::size_t place = 0; place <= static_cast<std::size_t>(input->size()); ++place) {
                    for (const bool constant : {false, true}) {
                        OperatorCall call = base;
                        call.inputs[i] = with_element(*input, place, number);
                        constant ? (void)call.constants.insert(i) : (void)call.constants.erase(i);
                        property.check(call);
                    }
                }
            }
        }
    }
    if (!only_operator()) EXPECT_GT(property.results(), 500u) << property.calls() << " calls";
}

}  // namespace
}  // namespace lapidary::test
