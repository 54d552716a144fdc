// SPDX-License-Identifier: Apache-2.0
#include "exec/run/input_check.h"

#include <algorithm>
#include <map>
#include <set>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

void check_tensor(const std::string& name, const Type& declared, const Tensor& tensor,
                  std::map<std::string, std::pair<std::int64_t, std::string>>& symbols) {
    const auto found = [&] {
        return std::string(name_of(tensor.dtype())) + to_string(tensor.shape());
    };
    const auto mismatch = [&](const std::string& why) {
        fail_input("input " + quote(name) + ": expected " + to_string(declared) + ", found " +
                   found() + why);
    };
    if (declared.dtype != DType::undefined && declared.dtype != tensor.dtype()) mismatch("");
    if (!declared.shape) return;
    if (declared.shape->size() != tensor.shape().size()) mismatch("");
    for (std::size_t i = 0; i < tensor.shape().size(); ++i) {
        const Dim& d = (*declared.shape)[i];
        if (d.is_known() && d.value() != tensor.shape()[i]) mismatch("");
        if (!d.is_symbolic()) continue;
        const auto [it, fresh] = symbols.try_emplace(d.symbol(), tensor.shape()[i], name);
        if (!fresh && it->second.first != tensor.shape()[i])
            mismatch(": dimension " + quote(d.symbol()) + " is " +
                     std::to_string(it->second.first) + " in input " + quote(it->second.second));
    }
}

bool is_same(const InputSignature::Entry& a, const InputSignature::Entry& b) {
    return a.id == b.id && a.is_tensor == b.is_tensor && a.is_sequence == b.is_sequence &&
           a.is_empty == b.is_empty && a.dtype == b.dtype && a.shape == b.shape;
}

}  // namespace

void InputSignature::add(std::string name, ValueId id, const RuntimeValue& value) {
    Entry& e = entries_.emplace_back();
    e.name = std::move(name);
    e.id = id;
    e.is_tensor = value.is_tensor();
    e.is_sequence = value.is_sequence();
    e.is_empty = value.is_empty();
    if (!e.is_tensor) return;
    e.dtype = value.tensor().dtype();
    e.shape = value.tensor().shape();
}

bool InputSignature::matches(const NamedValues& inputs) const {
    return std::ranges::equal(inputs, entries_, [](const auto& input, const Entry& e) {
        const auto& [name, value] = input;
        return value.is_tensor() == e.is_tensor && value.is_sequence() == e.is_sequence &&
               value.is_empty() == e.is_empty && name == e.name &&
               (!e.is_tensor ||
                (value.tensor().dtype() == e.dtype && value.tensor().shape() == e.shape));
    });
}

bool InputSignature::is_same_set(const InputSignature& other) const {
    return entries_.size() == other.entries_.size() &&
           std::ranges::all_of(entries_, [&](const Entry& e) {
               return std::ranges::any_of(other.entries_,
                                          [&](const Entry& o) { return is_same(e, o); });
           });
}

namespace {

/// The same input, whatever sizes it has.
bool is_same_but_for_sizes(const InputSignature::Entry& a, const InputSignature::Entry& b) {
    return a.id == b.id && a.is_tensor == b.is_tensor && a.is_sequence == b.is_sequence &&
           a.is_empty == b.is_empty && a.dtype == b.dtype && a.shape.size() == b.shape.size();
}

}  // namespace

std::optional<InputRoom> InputRoom::between(const InputSignature& before,
                                            const InputSignature& now) {
    if (before.entries().size() != now.entries().size()) return std::nullopt;
    InputRoom room;
    bool grows = false;
    for (std::size_t i = 0; i < now.entries().size(); ++i) {
        const InputSignature::Entry &a = before.entries()[i], &b = now.entries()[i];
        if (!is_same_but_for_sizes(a, b)) return std::nullopt;
        Entry& entry = room.entries_.emplace_back(Entry{b, b.shape});
        for (std::size_t d = 0; d < b.shape.size(); ++d) {
            const std::int64_t growth = b.shape[d] - a.shape[d];
            if (growth < 0 || growth > most_growth) return std::nullopt;
            entry.most[d] += growth * runs;
            grows |= growth > 0;
        }
    }
    return grows ? std::optional(std::move(room)) : std::nullopt;
}

bool InputRoom::takes(const InputSignature& inputs) const {
    return std::ranges::equal(
        inputs.entries(), entries_, [](const InputSignature::Entry& given, const Entry& known) {
            if (!is_same_but_for_sizes(given, known.now)) return false;
            for (std::size_t d = 0; d < given.shape.size(); ++d) {
                const bool grows = known.most[d] != known.now.shape[d];
                if (grows ? given.shape[d] > known.most[d] : given.shape[d] != known.most[d])
                    return false;
            }
            return true;
        });
}

namespace {

std::string known_inputs(const Graph& graph) {
    std::string known;
    for (ValueId v : graph.inputs())
        if (known.size() < 400) known += (known.empty() ? "" : ", ") + quote(graph.value(v).name);
    return known.empty() ? "none" : known;
}

/// Inputs that need a value and have none, with their types.
std::string missing_inputs(const Graph& graph, const std::set<ValueId>& given) {
    std::string missing;
    for (ValueId id : graph.inputs()) {
        const Value& v = graph.value(id);
        if (v.constant || given.contains(id) || v.type.kind == Type::Kind::optional) continue;
        missing += (missing.empty() ? "" : ", ") + quote(v.name) + " " + to_string(v.type);
    }
    return missing;
}

}  // namespace

InputSignature check_inputs(const Graph& graph, const NamedValues& inputs) {
    std::map<std::string, std::pair<std::int64_t, std::string>> symbols;
    std::set<ValueId> given;
    InputSignature signature;
    for (const auto& [name, value] : inputs) {
        const ValueId id = graph.find_value(name);
        if (!id || graph.value(id).kind != ValueKind::input)
            fail_input("the model has no input " + quote(name) + "; its inputs are " +
                       known_inputs(graph));
        if (!given.insert(id).second) fail_input("input " + quote(name) + " is given twice");
        const Type& declared = graph.value(id).type;
        if (value.is_tensor() &&
            (declared.kind == Type::Kind::tensor || declared.kind == Type::Kind::unknown))
            check_tensor(name, declared, value.tensor(), symbols);
        else if ((declared.kind == Type::Kind::tensor && !value.is_tensor()) ||
                 (declared.kind == Type::Kind::sequence && !value.is_sequence()))
            fail_input("input " + quote(name) + ": expected " + to_string(declared) + ", found " +
                       value.describe());
        signature.add(name, id, value);
    }
    if (const std::string missing = missing_inputs(graph, given); !missing.empty())
        fail_input("no value given for input " + missing);
    return signature;
}

}  // namespace lapidary
