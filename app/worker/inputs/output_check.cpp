// SPDX-License-Identifier: Apache-2.0
#include "worker/inputs/output_check.h"

#include <set>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "worker/inputs/value_archive.h"

namespace lapidary::app {
namespace {

/// References as arrays by name, as numpy stores them.
NamedValues flattened(const NamedValues& values) {
    NamedValues arrays;
    for (const auto& [name, value] : values)
        for (auto& array : flatten(name, value)) arrays.push_back(std::move(array));
    return arrays;
}

/// What a file with reference arrays can say about a value: NumPy lacks some element types.
RuntimeValue comparable(const RuntimeValue& actual, const RuntimeValue& expected) {
    if (!actual.is_tensor() || !expected.is_tensor() ||
        actual.tensor().dtype() == expected.tensor().dtype())
        return actual;
    return widen_for_numpy(actual.tensor());
}

}  // namespace

OutputCheck check_outputs(const NamedValues& outputs, const NamedValues& expected_values,
                          const Tolerance& tolerance) {
    OutputCheck result;
    std::set<std::string> used;
    const NamedValues expected = flattened(expected_values);
    for (const auto& [output, value] : outputs) {
        const NamedValues arrays = flatten(output, value);
        bool has_reference = false;
        for (const auto& [name, reference] : expected) {
            if (!belongs_to(name, output) || used.contains(name)) continue;
            // "a[0]" belongs to the output called "a[0]" before it is an item of "a"
            if (name != output && find(outputs, name)) continue;
            used.insert(name);
            has_reference = true;
            if (const RuntimeValue* actual = find(arrays, name)) {
                const RuntimeValue fair = comparable(*actual, reference);
                result.verdicts.push_back(
                    {name, actual->describe(), compare(fair, reference, tolerance)});
            } else {
                Comparison missing;
                missing.reason = "the model made " + value.describe() + ", the reference has " +
                                 reference.describe();
                result.verdicts.push_back({name, value.describe(), missing});
            }
        }
        if (!has_reference) {
            result.unchecked.push_back(output);
            continue;
        }
        for (const auto& [name, actual] : arrays) {
            if (find(expected, name)) continue;
            Comparison extra;
            extra.reason = "the model made " + actual.describe() + ", the reference has none";
            result.verdicts.push_back({name, actual.describe(), extra});
        }
    }
    for (const auto& [name, value] : expected)
        if (!used.contains(name)) {
            std::string list;
            for (const auto& output : outputs)
                list += (list.empty() ? "" : ", ") + quote(output.first);
            fail_input("reference " + quote(name) + " belongs to no output, the outputs are " +
                       list);
        }
    if (result.verdicts.empty()) fail_input("the reference holds no output of the model");
    return result;
}

}  // namespace lapidary::app
