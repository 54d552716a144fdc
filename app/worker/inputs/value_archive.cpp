// SPDX-License-Identifier: Apache-2.0
#include "worker/inputs/value_archive.h"

#include <algorithm>

#include <lapidary/base/error.h>

namespace lapidary::app {

NamedValues flatten(const std::string& name, const RuntimeValue& value) {
    NamedValues arrays;
    if (value.is_tensor()) {
        arrays.emplace_back(name, value);
    } else if (value.is_sequence()) {
        const auto& items = value.sequence().items;
        for (std::size_t i = 0; i < items.size(); ++i)
            for (auto& array : flatten(name + "[" + std::to_string(i) + "]", items[i]))
                arrays.push_back(std::move(array));
    } else if (value.is_map()) {
        const Map& map = value.map();
        const auto count =
            static_cast<std::int64_t>(std::max(map.int_keys.size(), map.string_keys.size()));
        arrays.emplace_back(name + ".keys", map.int_keys.empty()
                                                ? Tensor::of<std::string>({count}, map.string_keys)
                                                : Tensor::of<std::int64_t>({count}, map.int_keys));
        arrays.emplace_back(name + ".values", map.values);
    }
    return arrays;
}

RuntimeValue assemble(const std::string& name, const Type& type, const NamedValues& arrays) {
    if (const RuntimeValue* whole = find(arrays, name)) return *whole;
    if (type.kind == Type::Kind::optional && type.element)
        return assemble(name, *type.element, arrays);
    if (type.kind == Type::Kind::sequence && type.element) {
        Sequence sequence{*type.element, {}};
        for (;;) {
            RuntimeValue item = assemble(name + "[" + std::to_string(sequence.items.size()) + "]",
                                         *type.element, arrays);
            if (item.is_empty()) break;
            sequence.items.push_back(std::move(item));
        }
        if (sequence.items.empty()) return {};
        return sequence;
    }
    if (type.kind == Type::Kind::map) {
        const RuntimeValue* keys = find(arrays, name + ".keys");
        const RuntimeValue* values = find(arrays, name + ".values");
        if (!keys || !values) return {};
        Map map;
        if (keys->tensor().dtype() == DType::string) {
            const auto texts = keys->tensor().data<std::string>();
            map.string_keys.assign(texts.begin(), texts.end());
        } else {
            map.int_keys = to_int64s(keys->tensor());
        }
        map.values = values->tensor();
        if (map.values.rank() != 1 || map.values.size() != keys->tensor().size())
            fail_input("map " + quote(name) + " has " + std::to_string(keys->tensor().size()) +
                       " keys and values of shape " + to_string(map.values.shape()));
        return map;
    }
    return {};
}

bool belongs_to(const std::string& array, const std::string& name) {
    if (!array.starts_with(name)) return false;
    return array.size() == name.size() || array[name.size()] == '[' ||
           array.substr(name.size()) == ".keys" || array.substr(name.size()) == ".values";
}

}  // namespace lapidary::app
