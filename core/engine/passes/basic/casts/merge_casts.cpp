// SPDX-License-Identifier: Apache-2.0
//   before:  y = Cast(Cast(x))   the first to a type that holds every value of x's type exactly
//   after:   y = Cast(x)   or x, when y has its type
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

struct Format {
    bool is_float = false, is_signed = true;
    int digits = 0;  // bits of an exact integer
    // largest exponent of a float, which grows with the range of its small numbers; 0 of integers
    int exponent = 0;
};

Format format_of(DType dtype) {
    switch (dtype) {
    case DType::f16: return {true, true, 11, 15};
    case DType::bf16: return {true, true, 8, 127};
    case DType::f32: return {true, true, 24, 127};
    case DType::f64: return {true, true, 53, 1023};
    case DType::boolean: return {false, false, 1};
    case DType::u8: return {false, false, 8};
    case DType::u16: return {false, false, 16};
    case DType::u32: return {false, false, 32};
    case DType::u64: return {false, false, 64};
    case DType::i8: return {false, true, 7};
    case DType::i16: return {false, true, 15};
    case DType::i32: return {false, true, 31};
    case DType::i64: return {false, true, 63};
    default: return {};
    }
}

/// Every value of `from` is one of `to`, and converting back gives it again.
bool holds(DType to, DType from) {
    const Format a = format_of(from), b = format_of(to);
    if (a.digits == 0 || b.digits == 0 || to == DType::boolean) return false;
    if (a.is_float) return b.digits >= a.digits && b.exponent >= a.exponent;
    if (b.is_float) return b.digits >= a.digits;  // every float reaches beyond its exact integers
    return b.digits >= a.digits && (b.is_signed || !a.is_signed);
}

}  // namespace

PassBody merge_casts() {
    const auto plain = [](const Subject& s) {
        return format_of(s.scope.dtype(s.node->outputs[0])).digits > 0;
    };
    const auto first = op("Cast", {any("x")}).named("first");
    return {.rules = {
                {.pattern =
                     op("Cast", {first}).named("second").where(plain, "it gives no plain number"),
                 .rewrite = [](const Match& m, PassContext& context) {
                     const Scope& scope = m.scope();
                     const DType from = scope.dtype(m.value("x")),
                                 middle = scope.dtype(m.value("first")),
                                 to = scope.dtype(m.value("second"));
                     if (!holds(middle, from))
                         return declined("the first Cast, from " + std::string(name_of(from)) +
                                         " to " + std::string(name_of(middle)) +
                                         ", does not keep every value");
                     if (to == from) {
                         std::string problem = context.bypass(m.root(), m.value("x"), m.nodes());
                         return problem.empty() ? applied("two Casts lead back to the type it had")
                                                : declined(std::move(problem));
                     }
                     context.replace(m.root(), "Cast", {m.value("x")}, m.node("second").attributes,
                                     m.nodes());
                     return applied("two Casts became one");
                 }}}};
}

}  // namespace lapidary::passes
