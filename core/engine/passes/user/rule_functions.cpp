// SPDX-License-Identifier: Apache-2.0
#include "passes/user/rule_functions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "ops/dimensions/dim_algebra.h"
#include "ops/schemas/schema.h"

namespace lapidary::user {
namespace {

[[noreturn]] void not_known(const std::string& reason) { fail(ErrorCode::not_supported, reason); }

constexpr std::int64_t most_elements = 1 << 16;  // of a constant that a rule reads as a list

ValueId tensor_id(const FunctionCall& call, std::size_t i) {
    if (const auto* id = call[i].as<ValueId>()) return *id;
    not_known(call.sources[i] + " is " + text_of(call[i]) + ", expected a tensor of the graph");
}

const Tensor& constant_at(const FunctionCall& call, std::size_t i) {
    if (const auto* t = call[i].as<Tensor>()) return *t;
    const Tensor* t = call.scope.constant(tensor_id(call, i));
    if (!t) not_known(call.sources[i] + " is no constant");
    return *t;
}

SymbolicShape shape_at(const FunctionCall& call, std::size_t i) {
    SymbolicShape shape;
    if (const auto* t = call[i].as<Tensor>()) {
        for (std::int64_t n : t->shape()) shape.push_back(Dim(n));
        return shape;
    }
    const Type& type = call.scope.type(tensor_id(call, i));
    if (!type.is_tensor() || !type.shape)
        not_known("the rank of " + call.sources[i] + " is not known");
    return *type.shape;
}

Datum list_of_numbers(const std::vector<std::int64_t>& numbers) {
    DatumList list;
    for (std::int64_t n : numbers) list.push_back({n});
    return {std::move(list)};
}
Datum whole(std::size_t n) { return {static_cast<std::int64_t>(n)}; }

std::vector<std::int64_t> numbers_at(const FunctionCall& call, std::size_t i) {
    std::vector<std::int64_t> out;
    for (const Datum& d : list_of(call[i], call.sources[i]))
        out.push_back(whole_of(d, "an element of " + call.sources[i]));
    return out;
}

// ---- of tensors
Datum rank(const FunctionCall& c) { return whole(shape_at(c, 0).size()); }
Datum shape(const FunctionCall& c) {
    DatumList list;
    for (const Dim& d : shape_at(c, 0)) list.push_back(from_dim(d));
    return {std::move(list)};
}
Datum dim(const FunctionCall& c) {
    const SymbolicShape shape = shape_at(c, 0);
    const auto size = static_cast<std::int64_t>(shape.size());
    std::int64_t axis = whole_of(c[1], c.sources[1]);
    if (axis < 0) axis += size;
    if (axis < 0 || axis >= size)
        not_known(c.sources[0] + " has no dimension " + text_of(c[1]) + ", its rank is " +
                  std::to_string(size));
    return from_dim(shape[static_cast<std::size_t>(axis)]);
}
Datum dtype(const FunctionCall& c) {
    if (const auto* t = c[0].as<Tensor>()) return {t->dtype()};
    const DType type = c.scope.dtype(tensor_id(c, 0));
    if (type == DType::undefined) not_known("the type of " + c.sources[0] + " is not known");
    return {type};
}
Datum size(const FunctionCall& c) {
    const SymbolicShape shape = shape_at(c, 0);
    const Dim n = product(shape);
    if (n.is_unknown()) not_known("the number of elements of " + c.sources[0] + " is not known");
    return from_dim(n);
}
Datum value(const FunctionCall& c) {
    const Tensor& t = constant_at(c, 0);
    if (t.dtype() == DType::string || t.size() > most_elements)
        not_known(c.sources[0] + " is no constant of at most " + std::to_string(most_elements) +
                  " numbers");
    if (is_integer(t.dtype()) && !is_packed(t.dtype())) return list_of_numbers(to_int64s(t));
    DatumList list;
    for (double v : to_doubles(t)) list.push_back({v});
    return {std::move(list)};
}
Datum scalar(const FunctionCall& c) {
    if (constant_at(c, 0).size() != 1) not_known(c.sources[0] + " has not one element");
    return value(c).as<DatumList>()->front();
}
Datum is_const(const FunctionCall& c) {
    return {c[0].as<Tensor>() != nullptr || c.scope.constant(tensor_id(c, 0)) != nullptr};
}
Datum uses(const FunctionCall& c) {
    const Value& v = c.scope.value(tensor_id(c, 0));
    return whole(v.uses.size() + v.captured_by.size() + v.output_uses);
}
Datum single_use(const FunctionCall& c) { return {c.scope.value(tensor_id(c, 0)).read_once()}; }
Datum is_output(const FunctionCall& c) { return {c.scope.value(tensor_id(c, 0)).output_uses > 0}; }
Datum has(const FunctionCall& c) { return {!c[0].is_nothing()}; }
Datum attr(const FunctionCall& c) {
    const Node* node = c.scope.producer(tensor_id(c, 0));
    if (!node || !c[1].as<std::string>())
        not_known("expected the result of a node and the name of an attribute in attr(...)");
    return attribute_of(*node, *c[1].as<std::string>());
}
Datum opset(const FunctionCall& c) {
    if (c.arguments.empty()) return {c.scope.opset()};
    const auto* domain = c[0].as<std::string>();
    if (!domain) not_known("expected a domain in quotes in opset(...)");
    return {c.scope.opset(*domain)};
}
Datum same_shape(const FunctionCall& c) {
    const SymbolicShape a = shape_at(c, 0), b = shape_at(c, 1);
    if (a.size() != b.size()) return {false};
    for (std::size_t i = 0; i < a.size(); ++i) {
        const DimRelation relation = relate(a[i], b[i]);
        if (relation == DimRelation::different) return {false};
        if (relation == DimRelation::undecided)
            not_known("whether " + c.sources[0] + " and " + c.sources[1] +
                      " have the same shape is not known (" + to_string(a) + " and " +
                      to_string(b) + ")");
    }
    return {true};
}

// ---- of types
/// Bits of the significand and of the exponent of a type; integers have no exponent.
std::pair<int, int> bits_of(DType t) {
    switch (t) {
    case DType::f64: return {53, 11};
    case DType::f32: return {24, 8};
    case DType::f16: return {11, 5};
    case DType::bf16: return {8, 8};
    case DType::boolean: return {1, 0};
    default: break;
    }
    if (!is_integer(t)) return {0, 0};
    return {static_cast<int>(bit_width(t)) - (is_signed_integer(t) ? 1 : 0), 0};
}
Datum lossless(const FunctionCall& c) {
    const DType from = type_of(c[0], c.sources[0]), to = type_of(c[1], c.sources[1]);
    if (from == to) return {true};
    const auto [digits, exponent] = bits_of(from);
    const auto [room, range] = bits_of(to);
    if (digits == 0 || room < digits) return {false};
    if (exponent > 0) return {range >= exponent};
    if (range > 0) return {digits < (1 << (range - 1))};
    return {!is_signed_integer(from) || is_signed_integer(to)};
}
Datum is_float_type(const FunctionCall& c) { return {is_float(type_of(c[0], c.sources[0]))}; }
Datum is_integer_type(const FunctionCall& c) { return {is_integer(type_of(c[0], c.sources[0]))}; }

// ---- of lists and numbers
Datum length(const FunctionCall& c) { return whole(list_of(c[0], c.sources[0]).size()); }
Datum least(const FunctionCall& c) {
    const DatumList& list = list_of(c[0], c.sources[0]);
    if (list.empty()) not_known(c.sources[0] + " is empty");
    return *std::ranges::min_element(list, less);
}
Datum greatest(const FunctionCall& c) {
    const DatumList& list = list_of(c[0], c.sources[0]);
    if (list.empty()) not_known(c.sources[0] + " is empty");
    return *std::ranges::max_element(list, less);
}
Datum folded(const FunctionCall& c, std::string_view sign, std::int64_t first) {
    Datum out{first};
    for (const Datum& d : list_of(c[0], c.sources[0])) out = computed(sign, out, d);
    return out;
}
Datum sum(const FunctionCall& c) { return folded(c, "+", 0); }
Datum times(const FunctionCall& c) { return folded(c, "*", 1); }
Datum range(const FunctionCall& c) {
    const std::int64_t n = whole_of(c[0], c.sources[0]);
    if (n < 0 || n > most_elements) not_known("range(" + std::to_string(n) + ") is no list");
    DatumList list;
    for (std::int64_t i = 0; i < n; ++i) list.push_back({i});
    return {std::move(list)};
}
Datum repeat(const FunctionCall& c) {
    const std::int64_t n = whole_of(c[1], c.sources[1]);
    if (n < 0 || n > most_elements) not_known("a list of " + std::to_string(n) + " elements");
    return {DatumList(static_cast<std::size_t>(n), c[0])};
}
Datum reversed(const FunctionCall& c) {
    DatumList list = list_of(c[0], c.sources[0]);
    std::ranges::reverse(list);
    return {std::move(list)};
}
Datum sorted(const FunctionCall& c) {
    DatumList list = list_of(c[0], c.sources[0]);
    std::ranges::sort(list, less);
    return {std::move(list)};
}
Datum concat(const FunctionCall& c) {
    DatumList list;
    for (std::size_t i = 0; i < c.arguments.size(); ++i) {
        const DatumList& part = list_of(c[i], c.sources[i]);
        list.insert(list.end(), part.begin(), part.end());
    }
    return {std::move(list)};
}
Datum slice(const FunctionCall& c) {
    const DatumList& list = list_of(c[0], c.sources[0]);
    const auto n = static_cast<std::int64_t>(list.size());
    const auto clamped = [&](std::size_t i) {
        const std::int64_t at = whole_of(c[i], c.sources[i]);
        return std::clamp<std::int64_t>(at < 0 ? at + n : at, 0, n);
    };
    const std::int64_t begin = clamped(1), end = c.arguments.size() > 2 ? clamped(2) : n;
    if (begin >= end) return {DatumList{}};
    return {DatumList(list.begin() + begin, list.begin() + end)};
}
/// [list[p] for p in order]
Datum permute(const FunctionCall& c) {
    const DatumList& list = list_of(c[0], c.sources[0]);
    DatumList out;
    for (std::int64_t p : numbers_at(c, 1)) {
        if (p < 0 || p >= static_cast<std::int64_t>(list.size()))
            not_known(c.sources[0] + " has no element " + std::to_string(p));
        out.push_back(list[static_cast<std::size_t>(p)]);
    }
    return {std::move(out)};
}
/// Axes counted from the front, of a tensor of that rank.
Datum normalized(const FunctionCall& c) {
    const std::int64_t rank = whole_of(c[1], c.sources[1]);
    const auto one = [&](std::int64_t axis) { return axis < 0 ? axis + rank : axis; };
    if (const auto* n = c[0].as<std::int64_t>()) return {one(*n)};
    std::vector<std::int64_t> axes = numbers_at(c, 0);
    for (std::int64_t& axis : axes) axis = one(axis);
    return list_of_numbers(axes);
}
Datum all_equal(const FunctionCall& c) {
    return {std::ranges::all_of(list_of(c[0], c.sources[0]),
                                [&](const Datum& d) { return equal(d, c[1]); })};
}
Datum count(const FunctionCall& c) {
    return {static_cast<std::int64_t>(std::ranges::count_if(
        list_of(c[0], c.sources[0]), [&](const Datum& d) { return equal(d, c[1]); }))};
}
Datum absolute(const FunctionCall& c) {
    if (const auto* n = c[0].as<std::int64_t>()) return {*n < 0 ? -*n : *n};
    return {std::abs(decimal_of(c[0], c.sources[0]))};
}
Datum root(const FunctionCall& c) { return {std::sqrt(decimal_of(c[0], c.sources[0]))}; }

struct FunctionEntry {
    std::size_t least, most;
    Datum (*call)(const FunctionCall&);
};

const std::map<std::string, FunctionEntry>& functions() {
    static const std::map<std::string, FunctionEntry> table{
        {"rank", {1, 1, rank}},
        {"shape", {1, 1, shape}},
        {"dim", {2, 2, dim}},
        {"dtype", {1, 1, dtype}},
        {"size", {1, 1, size}},
        {"value", {1, 1, value}},
        {"scalar", {1, 1, scalar}},
        {"is_const", {1, 1, is_const}},
        {"uses", {1, 1, uses}},
        {"single_use", {1, 1, single_use}},
        {"is_output", {1, 1, is_output}},
        {"has", {1, 1, has}},
        {"attr", {2, 2, attr}},
        {"opset", {0, 1, opset}},
        {"same_shape", {2, 2, same_shape}},
        {"lossless", {2, 2, lossless}},
        {"is_float", {1, 1, is_float_type}},
        {"is_integer", {1, 1, is_integer_type}},
        {"length", {1, 1, length}},
        {"min", {1, 1, least}},
        {"max", {1, 1, greatest}},
        {"sum", {1, 1, sum}},
        {"product", {1, 1, times}},
        {"range", {1, 1, range}},
        {"repeat", {2, 2, repeat}},
        {"reversed", {1, 1, reversed}},
        {"sorted", {1, 1, sorted}},
        {"concat", {1, 8, concat}},
        {"slice", {2, 3, slice}},
        {"permute", {2, 2, permute}},
        {"normalized", {2, 2, normalized}},
        {"all_equal", {2, 2, all_equal}},
        {"count", {2, 2, count}},
        {"abs", {1, 1, absolute}},
        {"sqrt", {1, 1, root}},
    };
    return table;
}

}  // namespace

std::string function_problem(const std::string& name, std::size_t arguments) {
    const auto found = functions().find(name);
    if (found == functions().end()) {
        std::vector<std::string> known;
        for (const auto& [other, entry] : functions()) known.push_back(other);
        return "there is no function " + quote(name) + did_you_mean(name, known);
    }
    const auto [least, most, call] = found->second;
    if (arguments >= least && arguments <= most) return {};
    return "expected " + std::to_string(least) +
           (most > least ? " to " + std::to_string(most) : "") +
           (most == 1 ? " argument" : " arguments") + " of " + name + ", found " +
           std::to_string(arguments);
}

Datum call_function(const std::string& name, const FunctionCall& call) {
    return functions().at(name).call(call);
}

Datum attribute_of(const Node& node, const std::string& name) {
    if (const Attribute* a = node.attribute(name)) return from_attribute(a->value);
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    const SchemaAttribute* known = schema ? schema->attribute(name) : nullptr;
    return known ? from_default(known->kind, known->default_text) : Datum{};
}

}  // namespace lapidary::user
