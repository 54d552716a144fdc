// SPDX-License-Identifier: Apache-2.0
// Every plain kernel on inputs and attributes that its schema allows and that make little sense:
// each run ends with outputs or with an error, never with a crash. Finds most under
// -fsanitize=address,undefined. LAPIDARY_HOSTILE_TRIALS sets how often each kernel runs,
// LAPIDARY_HOSTILE_OP names a single operator.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <random>
#include <set>
#include <stdexcept>

#include <lapidary/base/error.h>

#include "kernels/dispatch.h"
#include "kernels/kernel.h"
#include "ops/schemas/schema.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

using AnyTypes =
    TypeList<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
             std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool, std::string>;

class Generator {
public:
    explicit Generator(std::uint32_t seed) : random_(seed) {}

    std::int64_t below(std::int64_t count) {
        return std::uniform_int_distribution<std::int64_t>(0, count - 1)(random_);
    }
    bool chance(double probability) {
        return std::uniform_real_distribution<double>(0, 1)(random_) < probability;
    }
    template <typename T>
    const T& one_of(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(values.size())))];
    }

    std::int64_t integer() {
        static const std::vector<std::int64_t> odd{INT64_MIN, INT64_MAX,  INT32_MIN, INT32_MAX,
                                                   1'000'000, -1'000'000, 255,       64};
        return chance(0.08) ? one_of(odd) : below(9) - 3;
    }
    double real() {
        constexpr double inf = std::numeric_limits<double>::infinity();
        static const std::vector<double> odd{
            0.0, -0.0, 1e30, -1e30, inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1e-40};
        return chance(0.1) ? one_of(odd) : static_cast<double>(below(2001) - 1000) / 250;
    }
    std::string text() {
        static const std::vector<std::string> words{"",
                                                    "a",
                                                    "constant",
                                                    "reflect",
                                                    "edge",
                                                    "wrap",
                                                    "linear",
                                                    "nearest",
                                                    "cubic",
                                                    "none",
                                                    "add",
                                                    "mul",
                                                    "max",
                                                    "min",
                                                    "DCR",
                                                    "CRD",
                                                    "VALID",
                                                    "SAME_UPPER",
                                                    "mean",
                                                    "sum",
                                                    "forward",
                                                    "reverse",
                                                    "LOWER",
                                                    "UPPER",
                                                    "bidirectional",
                                                    "TF",
                                                    "TFIDF",
                                                    "Relu",
                                                    "Tanh",
                                                    "asymmetric",
                                                    "align_corners",
                                                    "half_pixel",
                                                    "zeros",
                                                    "border",
                                                    "floor",
                                                    "ii->i",
                                                    "ij,jk",
                                                    "...,i->i",
                                                    "(a|b)*",
                                                    "circular",
                                                    "RGB",
                                                    "avg",
                                                    "tf_crop_and_resize",
                                                    "SOFTMAX",
                                                    "BRANCH_LEQ"};
        return one_of(words);
    }
    Shape shape() {
        Shape shape;
        if (!last_.empty() && chance(0.5)) shape = last_;
        else
            for (std::int64_t i = below(5); i > 0; --i)
                shape.push_back(chance(0.1) ? 0 : 1 + below(4));
        return last_ = shape;
    }
    Tensor tensor(DType dtype) {
        Tensor t(dtype, shape());
        if (is_packed(dtype) || bit_width(dtype) == 0) return fill_bytes(t);
        bool filled = false;
        [&]<typename... T>(TypeList<T...>) {
            ((dtype == dtype_of<T> ? (fill<T>(t), filled = true) : false), ...);
        }(AnyTypes{});
        return filled ? t : fill_bytes(t);
    }
    RuntimeValue value(const std::string& type) {
        if (type.starts_with("optional(")) return chance(0.3) ? RuntimeValue() : value(inner(type));
        if (type.starts_with("seq(")) {
            Sequence sequence;
            const std::string element = inner(type);
            const auto dtype = dtype_from_name(element);
            sequence.element_type = dtype ? Type::tensor(*dtype) : Type{};
            for (std::int64_t i = below(4); i > 0; --i) sequence.items.push_back(value(element));
            return sequence;
        }
        const auto dtype = dtype_from_name(type);
        return dtype ? RuntimeValue(tensor(*dtype)) : RuntimeValue();
    }
    Attribute attribute_of(const SchemaAttribute& a) {
        const auto list = [&](auto make) {
            std::vector<decltype(make())> values;
            for (std::int64_t i = below(6); i > 0; --i) values.push_back(make());
            return values;
        };
        if (a.kind == "i") return attribute(a.name, AttributeValue(integer()));
        if (a.kind == "f") return attribute(a.name, AttributeValue(static_cast<float>(real())));
        if (a.kind == "s")
            return attribute(
                a.name,
                AttributeValue(a.default_text.empty() || chance(0.7) ? text() : a.default_text));
        if (a.kind == "t")
            return attribute(a.name, AttributeValue(tensor(one_of(std::vector<DType>{
                                         DType::f32, DType::i64, DType::string, DType::u8}))));
        if (a.kind == "is")
            return attribute(a.name, AttributeValue(list([&] { return integer(); })));
        if (a.kind == "fs")
            return attribute(a.name,
                             AttributeValue(list([&] { return static_cast<float>(real()); })));
        if (a.kind == "ss") return attribute(a.name, AttributeValue(list([&] { return text(); })));
        return {};
    }

private:
    template <typename T>
    void fill(Tensor& t) {
        for (auto& v : t.mutable_data<T>()) {
            if constexpr (std::is_same_v<T, std::string>) v = text();
            else if constexpr (std::is_same_v<T, bool>) v = chance(0.5);
            else if constexpr (std::is_integral_v<T>) v = static_cast<T>(integer());
            else v = static_cast<T>(static_cast<float>(real()));
        }
    }
    Tensor fill_bytes(Tensor t) {
        for (std::size_t i = 0; i < t.byte_size(); ++i)
            static_cast<std::uint8_t*>(t.mutable_raw())[i] = static_cast<std::uint8_t>(below(256));
        return t;
    }
    static std::string inner(const std::string& type) {
        const std::size_t open = type.find('(');
        return type.substr(open + 1, type.size() - open - 2);
    }

    std::mt19937 random_;
    Shape last_;
};

void run_once(const OpSchema& schema, std::int64_t version, Generator& generator) {
    std::map<std::string, std::string> bound;
    const auto type_of = [&](const SchemaParameter& parameter) {
        const TypeConstraint* constraint = schema.constraint(parameter.type);
        if (constraint == nullptr) return parameter.type;
        std::string& type = bound[parameter.type];
        if (type.empty() || !parameter.is_homogeneous) type = generator.one_of(constraint->allowed);
        return type;
    };
    KernelRun run;
    run.limits.tensor_bytes = 1 << 20;
    run.limits.image_bytes = 1 << 20;
    std::vector<RuntimeValue> inputs;
    const std::size_t count = std::min<std::size_t>(
        schema.max_inputs, schema.min_inputs + static_cast<std::size_t>(generator.below(4)));
    for (std::size_t i = 0; i < count; ++i) {
        const SchemaParameter* parameter = schema.input(i);
        const bool omit = parameter == nullptr ||
                          (parameter->is_optional ? generator.chance(0.4) : generator.chance(0.01));
        inputs.push_back(omit ? RuntimeValue() : generator.value(type_of(*parameter)));
    }
    std::vector<Attribute> attributes;
    for (const SchemaAttribute& a : schema.attributes) {
        if (!generator.chance(a.is_required ? 0.95 : 0.4)) continue;
        Attribute made = generator.attribute_of(a);
        if (!made.name.empty()) attributes.push_back(std::move(made));
    }
    run.outputs = std::min<std::size_t>(
        schema.max_outputs, schema.min_outputs + static_cast<std::size_t>(generator.below(3)));
    try {
        run_kernel(schema.domain, schema.name, version, inputs, attributes, run);
    } catch (const Error& e) {
        EXPECT_NE(e.code(), ErrorCode::internal)
            << schema.domain << "::" << schema.name << ": " << e.what();
        EXPECT_FALSE(e.message().empty());
    } catch (const std::bad_alloc&) {  // the executor reports both as a passed limit
    } catch (const std::length_error&) {}
}

TEST(KernelsOnHostileInputs, EndWithOutputsOrAnError) {
    const char* trials_text = std::getenv("LAPIDARY_HOSTILE_TRIALS");
    const char* only = std::getenv("LAPIDARY_HOSTILE_OP");
    const int trials = trials_text ? std::atoi(trials_text) : 60;
    std::size_t operators = 0;
    std::uint32_t seed = 0;
    for (const OpSchema* schema : all_schemas()) {
        ++seed;
        if (only && schema->name != only) continue;
        const std::int64_t version = schema->domain.empty()
                                         ? std::max(schema->since_version, min_onnx_opset)
                                         : schema->since_version;
        if (find_schema(schema->domain, schema->name, version) != schema ||
            !has_kernel(schema->domain, schema->name, version))
            continue;
        ++operators;
        if (only || trials_text)
            std::fprintf(stderr, "%s::%s %d\n", schema->domain.c_str(), schema->name.c_str(),
                         static_cast<int>(version));
        Generator generator(seed);
        for (int i = 0; i < trials; ++i) run_once(*schema, version, generator);
    }
    EXPECT_GT(operators, only ? 0u : 100u);
}

}  // namespace
}  // namespace lapidary::test
