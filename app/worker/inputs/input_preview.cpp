// SPDX-License-Identifier: Apache-2.0
#include "worker/inputs/input_preview.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>

#include "worker/inputs/input_files.h"
#include "worker/inputs/value_archive.h"

namespace lapidary::app {
namespace {

constexpr std::uint64_t most_text_bytes = 1 << 20;

/// What a dropped file turns out to be.
class Assignment {
public:
    Assignment(const Model& model, InputPreview& preview, const InputFileOptions& options)
        : model_(model), preview_(preview), options_(options) {}

    void take(const std::string& dropped) {
        const std::filesystem::path path = path_of_utf8(dropped);
        try {
            std::error_code status;
            if (std::filesystem::is_directory(path, status)) return take_folder(dropped, path);
            const std::string extension = extension_of(path);
            if (extension == ".txt") return take_text(dropped, path);
            if (path.filename() == "tokenizer.json") {
                preview_.given.vocabulary = dropped;
                return;
            }
            if (extension == ".npz") return take_archive(dropped, path);
            take_array(dropped, path);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            const std::string what = error.what(), file = path.string();
            preview_.refused.push_back(what.find(file) == std::string::npos ? file + ": " + what
                                                                            : what);
        }
    }

private:
    void take_folder(const std::string& dropped, const std::filesystem::path& path) {
        bool any = false;
        const auto inputs = model_.graph.inputs();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::filesystem::path file = path / ("input_" + std::to_string(i) + ".pb");
            std::error_code status;
            if (!std::filesystem::exists(file, status)) continue;
            preview_.given.files[model_.graph.value(inputs[i]).name] =
                dropped + "/" + file.filename().string();
            any = true;
        }
        std::error_code status;
        if (std::filesystem::exists(path / "output_0.pb", status)) {
            preview_.given.expected = dropped;
            any = true;
        }
        if (!any) fail_input(path.string() + ": the folder holds no input_K.pb and no output_K.pb");
    }

    void take_text(const std::string& dropped, const std::filesystem::path& path) {
        if (path.filename().string().find("vocab") != std::string::npos) {
            preview_.given.vocabulary = dropped;
            return;
        }
        const std::string text = load_text(path, most_text_bytes);
        const std::size_t begin = text.find_first_not_of("\r\n");
        if (begin == std::string::npos)
            fail_input(path.string() + ": the file holds no line of text");
        preview_.given.text = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
    }

    void take_archive(const std::string& dropped, const std::filesystem::path& path) {
        const std::vector<ArrayHeader> arrays = npz_headers(path, {{}, options_.cancel, {}});
        bool any = false;
        const auto holds = [&](const std::string& name) {
            return std::ranges::any_of(
                arrays, [&](const ArrayHeader& array) { return belongs_to(array.name, name); });
        };
        for (const ValueId id : model_.graph.inputs()) {
            const std::string& name = model_.graph.value(id).name;
            if (!holds(name)) continue;
            preview_.given.files[name] = dropped;
            any = true;
        }
        for (const ValueId id : model_.graph.outputs())
            if (!any && holds(model_.graph.value(id).name)) {
                preview_.given.expected = dropped;
                return;
            }
        if (any) return;
        if (arrays.size() == 1) return take_array(dropped, path);
        fail_input(path.string() + ": none of its arrays is called like an input, the inputs are " +
                   list_of_inputs(model_.graph));
    }

    /// The input of the file's name, else the first that it fits and that has no file yet, else one
    /// that has.
    void take_array(const std::string& dropped, const std::filesystem::path& path) {
        if (const Value* named = input_called(model_, path.stem().string())) {
            read_input_file(path, *named, options_);
            preview_.given.files[named->name] = dropped;
            return;
        }
        std::string why;
        for (const bool taken : {false, true})
            for (const ValueId id : model_.graph.inputs()) {
                const Value& input = model_.graph.value(id);
                if (input.constant || preview_.given.files.contains(input.name) != taken) continue;
                try {
                    read_input_file(path, input, options_);
                    preview_.given.files[input.name] = dropped;
                    return;
                } catch (const Error& error) {
                    if (error.code() == ErrorCode::cancelled) throw;
                    if (why.empty()) why = error.what();
                }
            }
        fail_input(why.empty() ? path.string() + ": the model has no inputs" : why);
    }

    const Model& model_;
    InputPreview& preview_;
    const InputFileOptions options_;
};

void preview_value(const RuntimeValue& value, PreviewedInput& input) {
    if (!value.is_tensor()) {
        input.type = value.describe();
        return;
    }
    const Shape& shape = value.tensor().shape();
    input.shape.assign(shape.begin(), shape.end());
    const SamplePreview preview = preview_samples(given_samples({{{input.name, value}}}), false, 1);
    if (preview.samples.empty() || preview.samples.front().inputs.empty()) return;
    const SampleInput& seen = preview.samples.front().inputs.front();
    input.type = seen.type;
    input.low = seen.low;
    input.high = seen.high;
    input.mean = seen.mean;
    input.picture = preview.samples.front().picture;
}

void bind_sizes(const Value& declared, const PreviewedInput& input, DimensionSizes& sizes) {
    if (!declared.type.shape) return;
    for (std::size_t axis = 0; axis < std::min(declared.type.shape->size(), input.shape.size());
         ++axis) {
        const Dim& dim = (*declared.type.shape)[axis];
        if (dim.is_symbolic() && dim.symbol().find_first_of("+-*/() ") == std::string::npos)
            sizes.emplace(dim.symbol(), input.shape[axis]);
    }
}

/// Removes the sizes that follow from the given inputs.
DimensionSizes without(DimensionSizes dimensions, const DimensionSizes& sizes) {
    for (const auto& [name, size] : sizes) dimensions.erase(name);
    return dimensions;
}

/// An input that cannot be read is reported in the result; a cancel is thrown.
template <typename Act>
void attempt(std::string& failure, Act act) {
    try {
        act();
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        failure = error.what();
    }
}

/// Reads what is given of each input; returns the values.
NamedValues preview_given(const Model& model, const NamedValues& text,
                          const InputFileOptions& options, InputPreview& preview) {
    NamedValues values;
    for (const ValueId id : model.graph.inputs()) {
        const Value& declared = model.graph.value(id);
        if (declared.constant) continue;
        PreviewedInput input;
        input.name = declared.name;
        input.type = to_string(declared.type);
        attempt(input.failure, [&] {
            if (const auto file = preview.given.files.find(declared.name);
                file != preview.given.files.end()) {
                input.source = file->second;
                ReadInput read = read_input_file(path_of_utf8(file->second), declared, options);
                input.source = std::move(read.source);
                preview_value(read.value, input);
                values.emplace_back(declared.name, std::move(read.value));
            } else if (const RuntimeValue* tokens = find(text, declared.name)) {
                input.source = given_text_source;
                preview_value(*tokens, input);
                values.emplace_back(declared.name, *tokens);
            }
            bind_sizes(declared, input, preview.sizes);
        });
        preview.inputs.push_back(std::move(input));
    }
    return values;
}

}  // namespace

InputPreview preview_inputs(const Model& model, GivenInputs given,
                            const std::vector<std::string>& dropped,
                            const GenerateOptions& options) {
    InputPreview preview;
    preview.given = std::move(given);
    Assignment assignment(model, preview, {options.dimensions, {}, false, options.cancel});
    for (const std::string& path : dropped) {
        options.cancel.throw_if_cancelled();
        assignment.take(path);
    }
    std::string failure;
    NamedValues text;
    attempt(failure, [&] {
        if (preview.given.isText()) text = text_values(model, preview.given);
    });
    if (!failure.empty()) preview.refused.push_back(std::exchange(failure, {}));
    const NamedValues values =
        preview_given(model, text, {options.dimensions, {}, false, options.cancel}, preview);
    attempt(failure, [&] {  // what the others are made of
        GenerateOptions rest = options;
        rest.dimensions = without(options.dimensions, preview.sizes);
        for (const auto& [name, value] : generate_inputs(model, values, rest)) {
            const auto at = std::ranges::find(preview.inputs, name, &PreviewedInput::name);
            if (at != preview.inputs.end() && at->failure.empty()) preview_value(value, *at);
        }
    });
    if (!failure.empty()) preview.refused.push_back(std::exchange(failure, {}));
    attempt(failure, [&] {
        for (const auto& [name, value] : expected_values(model, preview.given, options.cancel))
            preview.recorded.push_back(name);
    });
    if (!failure.empty()) {
        preview.refused.push_back(failure);
        preview.given.expected.clear();
    }
    return preview;
}

}  // namespace lapidary::app
