// SPDX-License-Identifier: Apache-2.0
#include "exec/input_check.h"

#include <map>
#include <set>

#include <lapidary/error.h>

namespace lapidary {
namespace {

void check_tensor(const std::string& name, const Type& declared, const Tensor& tensor,
                  std::map<std::string, std::pair<std::int64_t, std::string>>& symbols) {
    const auto found = [&] { return std::string(name_of(tensor.dtype())) + to_string(tensor.shape()); };
    const auto mismatch = [&](const std::string& why) {
        fail_input("input " + quote(name) + ": expected " + to_string(declared) + ", found " + found() + why);
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
            mismatch(": dimension " + quote(d.symbol()) + " is " + std::to_string(it->second.first) + " in input " + quote(it->second.second));
    }
}

}  // namespace

std::string check_inputs(const Graph& graph, const NamedValues& inputs) {
    std::map<std::string, std::pair<std::int64_t, std::string>> symbols;
    std::set<ValueId> given;
    std::string key;
    for (const auto& [name, value] : inputs) {
        const ValueId id = graph.find_value(name);
        if (!id || graph.value(id).kind != ValueKind::input) {
            std::string known;
            for (ValueId v : graph.inputs())
                if (known.size() < 400) known += (known.empty() ? "" : ", ") + quote(graph.value(v).name);
            fail_input("the model has no input " + quote(name) + "; its inputs are " + (known.empty() ? "none" : known));
        }
        if (!given.insert(id).second) fail_input("input " + quote(name) + " is given twice");
        const Type& declared = graph.value(id).type;
        if (value.is_tensor() && (declared.kind == Type::Kind::tensor || declared.kind == Type::Kind::unknown))
            check_tensor(name, declared, value.tensor(), symbols);
        else if ((declared.kind == Type::Kind::tensor && !value.is_tensor()) || (declared.kind == Type::Kind::sequence && !value.is_sequence()))
            fail_input("input " + quote(name) + ": expected " + to_string(declared) + ", found " + value.describe());
        if (value.is_tensor()) key += std::to_string(id.index) + to_string(value.tensor().shape());
    }
    std::string missing;
    for (ValueId v : graph.inputs())
        if (!graph.value(v).constant && !given.contains(v) && graph.value(v).type.kind != Type::Kind::optional)
            missing += (missing.empty() ? "" : ", ") + quote(graph.value(v).name) + " " + to_string(graph.value(v).type);
    if (!missing.empty()) fail_input("no value given for input " + missing);
    return key;
}

}  // namespace lapidary
