// SPDX-License-Identifier: Apache-2.0
#include "worker/inputs/input_files.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

#include "worker/inputs/value_archive.h"

namespace lapidary::app {
namespace {

using Narrow = std::uint8_t (*)(float);

/// From f32 to floats of 8 and 4 bits, and from bytes to integers that share one; null: there is no
/// such narrowing.
Narrow narrowing(DType from, DType wanted) {
    static constexpr std::pair<DType, Narrow> floats[] = {
        {DType::f8e4m3fn, [](float v) { return float_to_f8e4m3fn(v); }},
        {DType::f8e4m3fnuz, [](float v) { return float_to_f8e4m3fnuz(v); }},
        {DType::f8e5m2, [](float v) { return float_to_f8e5m2(v); }},
        {DType::f8e5m2fnuz, [](float v) { return float_to_f8e5m2fnuz(v); }},
        {DType::f8e8m0, [](float v) { return float_to_f8e8m0(v); }},
        {DType::f4e2m1, [](float v) { return float_to_f4e2m1(v); }},
    };
    for (const auto& [dtype, narrow] : floats)
        if (dtype == wanted) return from == DType::f32 ? narrow : nullptr;
    const bool is_narrow_integer = is_integer(wanted) && is_packed(wanted);
    if (!is_narrow_integer || from != (is_signed_integer(wanted) ? DType::i8 : DType::u8))
        return nullptr;
    return [](float v) { return static_cast<std::uint8_t>(static_cast<int>(v)); };
}

/// Brings an array to an element type that .npy files lack, when its values survive that exactly.
Tensor narrowed(const Tensor& tensor, DType wanted) {
    if (wanted == DType::bf16 && tensor.dtype() == DType::f32) {
        Tensor result(wanted, tensor.shape());
        auto out = result.mutable_data<BFloat16>();
        const auto in = tensor.data<float>();
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = BFloat16(in[i]);
        return same_contents(widen_for_numpy(result), tensor) ? result : tensor;
    }
    const auto narrow = narrowing(tensor.dtype(), wanted);
    if (!narrow) return tensor;
    Tensor result(wanted, tensor.shape());
    auto* out = static_cast<std::uint8_t*>(result.mutable_raw());
    std::fill(out, out + result.byte_size(), std::uint8_t{0});
    const std::vector<double> values = to_doubles(tensor);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint8_t bits = narrow(static_cast<float>(values[i]));
        constexpr std::size_t byte = 8;
        const std::size_t width = bit_width(wanted), each = byte / width;
        out[i / each] |=
            static_cast<std::uint8_t>((bits & ((1u << width) - 1)) << (i % each * width));
    }
    return same_contents(widen_for_numpy(result), tensor) ? result : tensor;
}

bool may_be_narrowed(DType from, DType wanted) {
    return (wanted == DType::bf16 && from == DType::f32) || narrowing(from, wanted) != nullptr;
}

/// Throws invalid_input unless the declaration takes that element type, rank and those fixed
/// dimensions.
void require_fit(const Type& type, DType dtype, const Shape& shape) {
    bool fits = type.dtype == DType::undefined || dtype == type.dtype;
    if (type.shape) {
        fits = fits && type.shape->size() == shape.size();
        for (std::size_t i = 0; fits && i < type.shape->size(); ++i)
            fits = !(*type.shape)[i].is_known() || (*type.shape)[i].value() == shape[i];
    }
    if (!fits)
        fail_input("expected " + to_string(type) + ", found " + std::string(name_of(dtype)) +
                   to_string(shape));
}

/// A file's tensor as the declaration wants it.
Tensor fitted(const Tensor& tensor, const Type& type) {
    if (!type.is_tensor()) return tensor;
    const Tensor result = narrowed(tensor, type.dtype);
    require_fit(type, result.dtype(), result.shape());
    return result;
}

/// Before an array is read: its header against what an input of that type takes arrays of.
void require_header(const ArrayHeader& header, const Type& declared) {
    const Type* type = &declared;
    while (!type->is_tensor() && type->kind != Type::Kind::map && type->element)
        type = type->element.get();
    if (!type->is_tensor()) return;
    require_fit(*type, may_be_narrowed(header.dtype, type->dtype) ? type->dtype : header.dtype,
                header.shape);
}

/// The input that an array of an archive is of, whole or in part (see value_archive.h); null: none.
const Value* input_of(const std::string& array, const std::map<std::string, const Value*>& inputs) {
    const auto called = [&](const std::string& name) {
        const auto at = inputs.find(name);
        return at == inputs.end() ? nullptr : at->second;
    };
    if (const Value* whole = called(array)) return whole;
    for (const std::string_view suffix : {".keys", ".values"})
        if (array.ends_with(suffix))
            if (const Value* map = called(array.substr(0, array.size() - suffix.size())))
                return map;
    for (std::size_t at = array.find('['); at != std::string::npos; at = array.find('[', at + 1))
        if (const Value* sequence = called(array.substr(0, at))) return sequence;
    return nullptr;
}

RuntimeValue fitted_value(const RuntimeValue& value, const Type& type) {
    return value.is_tensor() ? RuntimeValue(fitted(value.tensor(), type)) : value;
}

ReadInput read_image(const std::filesystem::path& path, const Value& input,
                     const InputFileOptions& options) {
    const Type& type = input.type;
    if (!type.is_tensor() || (type.shape && type.shape->size() != 4))
        fail(ErrorCode::invalid_input,
             path.string() + ": an image needs an input of 4 dimensions, the model declares " +
                 to_string(type));
    Shape shape(4, -1);
    for (std::size_t i = 0; type.shape && i < 4; ++i) {
        const Dim& dim = (*type.shape)[i];
        const auto given = options.dimensions.find(dim.symbol());
        shape[i] = dim.is_known()                      ? dim.value()
                   : given != options.dimensions.end() ? given->second
                                                       : -1;
    }
    ImageOptions image = options.image;
    const auto is_colour = [](std::int64_t channels) { return channels == 1 || channels == 3; };
    if (!options.has_image_layout && !is_colour(shape[1]) && is_colour(shape[3]))
        image.layout = ImageOptions::Layout::nhwc;
    ImageSize original;
    Tensor tensor = load_image(path, shape, type.dtype, image, {}, &original, options.cancel);
    const bool is_nchw = image.layout == ImageOptions::Layout::nchw;
    const std::int64_t height = tensor.dim(is_nchw ? 2 : 1), width = tensor.dim(is_nchw ? 3 : 2);
    std::string source = path.string();
    if (height != original.height || width != original.width) {
        source +=
            fmt::format(", {}x{} resized to {}x{}", original.width, original.height, width, height);
        if (height * original.width != width * original.height) source += " (stretched)";
    }
    return {std::move(tensor), std::move(source)};
}

ReadInput read_input(const std::filesystem::path& path, const Value& input,
                     const InputFileOptions& options) {
    const std::string extension = extension_of(path);
    ArrayReading reading{{}, options.cancel, [&](const ArrayHeader& header) {
                             require_header(header, input.type);
                             return true;
                         }};
    if (extension == ".npy") return {load_npy(path, reading), path.string()};
    if (extension == ".pb") return {load_value_proto(path, input.type).second, path.string()};
    if (extension == ".png" || extension == ".jpg" || extension == ".jpeg")
        return read_image(path, input, options);
    if (extension == ".npz") {
        const std::size_t count = npz_headers(path, {{}, options.cancel, {}}).size();
        reading.wants = [&](const ArrayHeader& header) {
            if (count > 1 && !belongs_to(header.name, input.name)) return false;
            require_header(header, input.type);
            return true;
        };
        const NamedValues arrays = load_npz(path, reading);
        if (count == 1) return {arrays[0].second, path.string()};
        RuntimeValue value = assemble(input.name, input.type, arrays);
        if (value.is_empty())
            fail_input(path.string() + ": the archive holds no array " + quote(input.name));
        return {std::move(value), path.string()};
    }
    fail_input(path.string() + ": expected a file ending in .npy, .npz, .pb, .png, .jpg or .jpeg");
}

template <typename F>
auto naming_input(const std::string& name, F&& f) {
    try {
        return f();
    } catch (Error& error) {
        error.at("input " + quote(name));
        throw;
    }
}

/// input_3.pb -> 3 for prefix "input_"; -1 when the name is another.
std::int64_t file_index(const std::filesystem::path& path, std::string_view prefix) {
    const std::string name = path.filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(".pb")) return -1;
    std::int64_t index = -1;
    const char* begin = name.data() + prefix.size();
    const char* end = name.data() + name.size() - 3;
    const auto [stop, status] = std::from_chars(begin, end, index);
    return status == std::errc() && stop == end ? index : -1;
}

NamedValues load_protos(const Graph& graph, std::span<const ValueId> ports,
                        const std::filesystem::path& folder, std::string_view prefix) {
    std::map<std::int64_t, std::filesystem::path> files;
    std::error_code status;
    for (std::filesystem::directory_iterator entries(folder, status), end;
         !status && entries != end; entries.increment(status))
        if (const std::int64_t index = file_index(entries->path(), prefix); index >= 0)
            files[index] = entries->path();
    if (status) fail(ErrorCode::io_failure, folder.string() + ": " + status.message());
    NamedValues values;
    for (const auto& [index, path] : files) {
        if (index >= static_cast<std::int64_t>(ports.size()))
            fail_input(path.string() + ": the model has only " + std::to_string(ports.size()) +
                       " " + std::string(prefix.substr(0, prefix.size() - 1)) + "s");
        const Value& port = graph.value(ports[static_cast<std::size_t>(index)]);
        values.emplace_back(port.name, load_value_proto(path, port.type).second);
    }
    return values;
}

}  // namespace

std::string list_of_inputs(const Graph& graph) {
    std::string list;
    for (const ValueId id : graph.inputs()) {
        if (graph.value(id).constant) continue;
        if (list.size() > 300) return list + ", ...";
        list += (list.empty() ? "" : ", ") + quote(graph.value(id).name);
    }
    return list.empty() ? "none" : list;
}

std::string extension_of(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

ReadInput read_input_file(const std::filesystem::path& path, const Value& input,
                          const InputFileOptions& options) {
    return naming_input(input.name, [&] {
        ReadInput found = read_input(path, input, options);
        found.value = fitted_value(found.value, input.type);
        return found;
    });
}

NamedValues load_input_archive(const Model& model, const std::filesystem::path& path,
                               const CancelToken& cancel) {
    std::map<std::string, const Value*> inputs;
    for (const ValueId id : model.graph.inputs())
        inputs[model.graph.value(id).name] = &model.graph.value(id);
    const auto refuse = [&](const std::string& array) {
        fail_input("array " + quote(array) + " belongs to no input, the inputs are " +
                   list_of_inputs(model.graph));
    };
    const NamedValues arrays =
        load_npz(path, {{}, cancel, [&](const ArrayHeader& header) {
                            const Value* input = input_of(header.name, inputs);
                            if (!input) refuse(header.name);
                            naming_input(input->name, [&] { require_header(header, input->type); });
                            return true;
                        }});
    NamedValues values;
    std::set<std::string> used;
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        RuntimeValue value = assemble(input.name, input.type, arrays);
        if (value.is_empty()) continue;
        for (const auto& array : flatten(input.name, value)) used.insert(array.first);
        try {
            values.emplace_back(input.name, naming_input(input.name, [&] {
                                    return fitted_value(value, input.type);
                                }));
        } catch (Error& error) { throw error.at(path.string()); }
    }
    for (const auto& [name, value] : arrays)
        if (!used.contains(name))
            fail_input(path.string() + ": array " + quote(name) +
                       " belongs to no input, the inputs are " + list_of_inputs(model.graph));
    return values;
}

TestCase load_test_case(const Model& model, const std::filesystem::path& folder) {
    TestCase test;
    test.inputs = load_protos(model.graph, model.graph.inputs(), folder, "input_");
    test.expected = load_protos(model.graph, model.graph.outputs(), folder, "output_");
    if (test.expected.empty()) fail_input(folder.string() + ": the folder holds no output_K.pb");
    return test;
}

}  // namespace lapidary::app
