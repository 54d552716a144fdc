// SPDX-License-Identifier: Apache-2.0
#include "support/call_variations.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

namespace lapidary::test {
namespace {

constexpr std::int64_t hostile_numbers[] = {
    0, 1, -1, INT32_MAX, std::int64_t{INT32_MAX} + 1, std::int64_t{1} << 62, INT64_MAX, INT64_MIN};

/// With another rank: axes of 2 in front, or none.
Tensor of_rank(const Tensor& like, std::size_t rank) {
    Shape shape(rank, 2);
    const std::size_t least = std::min(rank, like.shape().size());
    for (std::size_t i = 0; i < least; ++i)
        shape[rank - 1 - i] = like.shape()[like.shape().size() - 1 - i];
    return element_count(shape) == like.size() ? like.reshaped(shape)
                                               : ordinary_tensor(like.dtype(), shape);
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

void vary_list(OperatorCall& call, const std::string& name, const std::vector<std::int64_t>& values,
               const TakeCall& take) {
    const auto with = [&](std::vector<std::int64_t> list) {
        call.set_attribute({name, std::move(list), {}, {}});
        take(call);
    };
    with(values);
    for (const std::int64_t number : hostile_numbers) {
        for (std::size_t place = 0; place < values.size(); ++place) {
            auto varied = values;
            varied[place] = number;
            with(std::move(varied));
        }
        with(std::vector<std::int64_t>(values.size(), number));
    }
}

/// NaN and infinities in every float input that is no constant, at places that shift with `turn`;
/// false: there is none.
bool sprinkle(OperatorCall& call, int turn) {
    constexpr float inf = std::numeric_limits<float>::infinity(),
                    nan = std::numeric_limits<float>::quiet_NaN();
    const float odd[] = {nan, inf, -inf, nan, nan, -inf, -inf};
    bool found = false;
    // Weights over padding, and values of keys out of sight, are terms of factor 0 too.
    const bool is_attention = call.schema->name.find("Attention") != std::string::npos;
    for (std::size_t i = 0;
         i < (is_attention ? std::min<std::size_t>(2, call.inputs.size()) : call.inputs.size());
         ++i) {
        if (i > 0 && call.schema->input(i)->name == "W") continue;
        if (!call.inputs[i] || call.constants.contains(i) || call.inputs[i]->dtype() != DType::f32)
            continue;
        Tensor varied = call.inputs[i]->clone();
        const auto values = varied.mutable_data<float>();
        const std::size_t step = turn % 3 == 0 ? 5 : turn % 3 == 1 ? 17 : 1 + values.size();
        for (std::size_t
                 k = static_cast<std::size_t>(turn) % std::max<std::size_t>(values.size(), 1),
                 n = i;
             k < values.size(); k += step)
            values[k] = odd[n++ % std::size(odd)];
        call.inputs[i] = std::move(varied);
        found = true;
    }
    return found;
}

/// What attributes of the operator's calls say.
const std::set<std::string>& words_of(const OpSchema& schema) {
    static const auto all = [] {
        std::map<std::string, std::set<std::string>> words;
        for (const OperatorCall& call : operator_calls())
            for (const Attribute& a : call.attributes)
                if (const auto* word = std::get_if<std::string>(&a.value))
                    words[call.schema->domain + "::" + call.schema->name].insert(*word);
        return words;
    }();
    static const std::set<std::string> none;
    const auto found = all.find(schema.domain + "::" + schema.name);
    return found == all.end() ? none : found->second;
}

/// Integers of few elements may be sizes or axes, which stay.
bool is_data(const Tensor& t) { return !is_integer(t.dtype()) || t.size() > 8; }

}  // namespace

void vary_ranks(const OperatorCall& base, const TakeCall& take) {
    for (std::size_t i = 0; i < base.inputs.size(); ++i) {
        OperatorCall call = base;
        call.inputs[i].reset();
        call.constants.erase(i);
        take(call);
        const Tensor like =
            base.inputs[i]
                ? *base.inputs[i]
                : ordinary_tensor(base.inputs[0] ? base.inputs[0]->dtype() : DType::f32, {2, 2});
        for (std::size_t rank = 0; rank <= 5; ++rank) {
            call = base;
            call.inputs[i] = of_rank(like, rank);
            take(call);
        }
    }
}

void vary_attributes(const OperatorCall& base, const TakeCall& take) {
    for (const SchemaAttribute& a : base.schema->attributes) {
        OperatorCall call = base;
        if (a.kind == "i") {
            for (const std::int64_t number : hostile_numbers) {
                call.set_attribute({a.name, number, {}, {}});
                take(call);
            }
        }
        if (a.kind != "is") continue;
        const auto given = std::ranges::find(base.attributes, a.name, &Attribute::name);
        const auto* list = given == base.attributes.end()
                               ? nullptr
                               : std::get_if<std::vector<std::int64_t>>(&given->value);
        for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{2},
                                         std::size_t{4}, list ? list->size() : 3})
            vary_list(call, a.name,
                      list && list->size() == length ? *list : std::vector<std::int64_t>(length, 1),
                      take);
    }
}

void vary_words(const OperatorCall& base, const TakeCall& take) {
    const std::set<std::string>* words = nullptr;
    for (const SchemaAttribute& a : base.schema->attributes) {
        OperatorCall call = base;
        const auto with = [&](AttributeValue value) {
            call.set_attribute({a.name, std::move(value), {}, {}});
            take(call);
        };
        if (a.kind == "f")
            for (const float number : {0.0f, 0.5f, 1.0f, 2.0f, -1.0f}) with(number);
        if (a.kind != "s") continue;
        if (!words) words = &words_of(*base.schema);
        for (const std::string& word : *words) with(word);
        with(std::string("unheard-of"));
    }
}

void vary_small_integers(const OperatorCall& base, const TakeCall& take) {
    for (std::size_t i = 0; i < base.inputs.size(); ++i) {
        const auto& input = base.inputs[i];
        if (!input || input->size() > 8 ||
            (input->dtype() != DType::i64 && input->dtype() != DType::i32))
            continue;
        for (const std::int64_t number : hostile_numbers) {
            for (std::size_t place = 0; place <= static_cast<std::size_t>(input->size()); ++place) {
                for (const bool constant : {false, true}) {
                    OperatorCall call = base;
                    call.inputs[i] = with_element(*input, place, number);
                    constant ? (void)call.constants.insert(i) : (void)call.constants.erase(i);
                    take(call);
                }
            }
        }
    }
}

void vary_floats(const OperatorCall& base, const TakeCall& take) {
    for (int turn = 0; turn < 6; ++turn) {
        OperatorCall call = base;
        if (!sprinkle(call, turn)) return;
        take(call);
    }
}

void vary_sizes(const OperatorCall& base, const TakeCall& take) {
    std::set<std::int64_t> sizes;
    for (const auto& input : base.inputs)
        if (input && is_data(*input)) sizes.insert(input->shape().begin(), input->shape().end());
    for (const std::int64_t size : sizes) {
        for (const std::int64_t other : {0, 1, 7, 33}) {
            OperatorCall call = base;
            std::int64_t most = 0;
            for (auto& input : call.inputs) {
                if (!input || !is_data(*input)) continue;
                Shape shape = input->shape();
                std::ranges::replace(shape, size, other);
                if (shape != input->shape()) input = ordinary_tensor(input->dtype(), shape);
                most = std::max(most, input->size());
            }
            if (other != size && most < (1 << 16)) take(call);
        }
    }
}

void vary_types(const OperatorCall& base, const TakeCall& take) {
    for (const TypeConstraint& constraint : base.schema->constraints) {
        for (const std::string& name : constraint.allowed) {
            const auto dtype = dtype_from_name(name);
            if (!dtype) continue;
            OperatorCall call = base;
            bool varied = false;
            for (std::size_t i = 0; i < call.inputs.size(); ++i) {
                auto& input = call.inputs[i];
                if (!input || call.schema->input(i)->type != constraint.variable ||
                    input->dtype() == *dtype)
                    continue;
                input = ordinary_tensor(*dtype, input->shape());
                varied = true;
            }
            if (varied) take(call);
        }
    }
}

std::vector<OperatorCall> chosen_calls(std::size_t most) {
    const char* only = std::getenv("LAPIDARY_PROPERTY_OP");
    std::vector<OperatorCall> chosen;
    std::map<const OpSchema*, std::size_t> count;
    for (OperatorCall& call : operator_calls(only ? only : ""))
        if (std::getenv("LAPIDARY_PROPERTY_ALL") || ++count[call.schema] <= most)
            chosen.push_back(std::move(call));
    return chosen;
}

void ShareOfCalls::begin(const OperatorCall& base) {
    number_ = 14695981039346656037u;  // FNV-1a
    for (const unsigned char c : base.describe()) number_ = (number_ ^ c) * 1099511628211u;
}

bool is_random(const OpSchema& schema) {
    return schema.name.starts_with("Random") || schema.name == "Multinomial" ||
           schema.name == "Bernoulli" || schema.name.find("Dropout") != std::string::npos ||
           schema.name == "Sampling";
}

}  // namespace lapidary::test
