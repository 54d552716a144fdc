// SPDX-License-Identifier: Apache-2.0
#include "worker/inputs/given_inputs.h"

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/inputs/text_samples.h>

#include "worker/inputs/input_files.h"

namespace lapidary::app {

std::filesystem::path path_of_utf8(const std::string& utf8) {
    return std::filesystem::path(std::u8string(utf8.begin(), utf8.end()));
}

const Value* input_called(const Model& model, const std::string& name) {
    for (const ValueId id : model.graph.inputs())
        if (model.graph.value(id).name == name) return &model.graph.value(id);
    return nullptr;
}

NamedValues text_values(const Model& model, const GivenInputs& given) {
    const ScratchFolder scratch;
    const std::filesystem::path file = scratch.path() / "text.txt";
    save_text(file, given.text + "\n");
    TextOptions options;
    options.vocabulary = path_of_utf8(given.vocabulary);
    return text_samples(model, file, options)->at(0);
}

NamedValues given_values(const Model& model, const GivenInputs& given,
                         const DimensionSizes& dimensions, const CancelToken& cancel) {
    NamedValues values;
    for (const auto& [name, file] : given.files) {
        const Value* input = input_called(model, name);
        if (!input)
            fail_input("the model has no input " + quote(name) + ", its inputs are " +
                       list_of_inputs(model.graph));
        values.emplace_back(
            name,
            read_input_file(path_of_utf8(file), *input, {dimensions, {}, false, cancel}).value);
    }
    if (given.isText())
        for (auto& [name, value] : text_values(model, given))
            if (!find(values, name)) values.emplace_back(name, std::move(value));
    return values;
}

NamedValues expected_values(const Model& model, const GivenInputs& given,
                            const CancelToken& cancel) {
    if (given.expected.empty()) return {};
    const std::filesystem::path path = path_of_utf8(given.expected);
    std::error_code status;
    return std::filesystem::is_directory(path, status) ? load_test_case(model, path).expected
                                                       : load_npz(path, {{}, cancel, {}});
}

NamedValues inputs_of(const Model& model, const GivenInputs& given,
                      const GenerateOptions& options) {
    NamedValues values = given_values(model, given, options.dimensions, options.cancel);
    for (auto& input : generate_inputs(model, values, options)) values.push_back(std::move(input));
    return values;
}

}  // namespace lapidary::app
