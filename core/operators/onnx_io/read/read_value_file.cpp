// SPDX-License-Identifier: Apache-2.0
// The value files of ONNX test data (input_0.pb): one TensorProto, SequenceProto, MapProto or
// OptionalProto.
#include <cstring>

#include <lapidary/onnx_io/model_io.h>

#include "base/files/mapped_file.h"
#include "onnx_io/read/load_context.h"
#include "onnx_io/onnx.pb.h"
#include "onnx_io/read/read_tensor.h"
#include "onnx_io/wire/wire_reader.h"

namespace lapidary {
namespace {

using namespace onnx_io;

using Named = std::pair<std::string, RuntimeValue>;

class ValueReader {
public:
    explicit ValueReader(LoadContext& context) : context_(context) {}

    Named tensor(WireReader reader) {
        ReadTensor read = read_tensor(reader, context_, "tensor");
        return {std::move(read.name), std::move(read.tensor)};
    }

    Named sequence(WireReader reader, const Type* element_type, int depth) {
        check_depth(depth);
        Named out;
        Sequence sequence;
        if (element_type != nullptr) sequence.element_type = *element_type;
        const Type* inner = element_type != nullptr && element_type->element
                                ? element_type->element.get()
                                : nullptr;
        for (WireField field; reader.next(field);) {
            switch (field.number) {
            case 1: out.first = name(field, "SequenceProto"); break;
            case 3:
                sequence.items.push_back(tensor(WireReader(field, "TensorProto")).second);
                break;
            case 4: fail_unsupported("sequences of sparse tensors are not supported");
            case 5:
                sequence.items.push_back(
                    this->sequence(WireReader(field, "SequenceProto"), inner, depth + 1).second);
                break;
            case 6:
                sequence.items.push_back(map(WireReader(field, "MapProto"), depth + 1).second);
                break;
            case 7:
                sequence.items.push_back(
                    optional(WireReader(field, "OptionalProto"), inner, depth + 1).second);
                break;
            default: break;
            }
        }
        if (sequence.element_type.kind == Type::Kind::unknown && !sequence.items.empty() &&
            sequence.items.front().is_tensor())
            sequence.element_type = Type::tensor(sequence.items.front().tensor().dtype());
        out.second = RuntimeValue(std::move(sequence));
        return out;
    }

    Named map(WireReader reader, int depth) {
        check_depth(depth);
        Named out;
        Map map;
        std::vector<RuntimeValue> values;
        for (WireField field; reader.next(field);) {
            switch (field.number) {
            case 1: out.first = name(field, "MapProto"); break;
            case 3:
                append_varints(field, "MapProto.keys", context_.limits.list_elements, map.int_keys);
                break;
            case 4:
                require_bytes(field, "MapProto", "string_keys");
                map.string_keys.emplace_back(field.text());
                break;
            case 5:
                values = sequence(WireReader(field, "SequenceProto"), nullptr, depth + 1)
                             .second.sequence()
                             .items;
                break;
            default: break;
            }
        }
        map.values = joined(values);
        const std::size_t keys =
            map.int_keys.empty() ? map.string_keys.size() : map.int_keys.size();
        if (keys != static_cast<std::size_t>(map.values.size()))
            fail_model("the map has " + std::to_string(keys) + " keys and " +
                       std::to_string(map.values.size()) + " values");
        out.second = RuntimeValue(std::move(map));
        return out;
    }

    Named optional(WireReader reader, const Type* element_type, int depth) {
        check_depth(depth);
        Named out;
        for (WireField field; reader.next(field);) {
            const Type* inner = element_type != nullptr && element_type->element
                                    ? element_type->element.get()
                                    : nullptr;
            switch (field.number) {
            case 1: out.first = name(field, "OptionalProto"); break;
            case 3: out.second = tensor(WireReader(field, "TensorProto")).second; break;
            case 4: fail_unsupported("optional sparse tensors are not supported");
            case 5:
                out.second = sequence(WireReader(field, "SequenceProto"), inner, depth + 1).second;
                break;
            case 6: out.second = map(WireReader(field, "MapProto"), depth + 1).second; break;
            case 7:
                out.second = optional(WireReader(field, "OptionalProto"), inner, depth + 1).second;
                break;
            default: break;
            }
        }
        return out;
    }

private:
    void check_depth(int depth) const {
        if (depth > context_.limits.nesting)
            fail_limit("values nest deeper than the limit of " +
                       std::to_string(context_.limits.nesting) + " levels");
    }
    static std::string name(const WireField& field, const char* message) {
        require_bytes(field, message, "name");
        return std::string(field.text());
    }
    /// Joins scalars to one 1-D tensor, or returns the only tensor.
    static Tensor joined(const std::vector<RuntimeValue>& values) {
        if (values.empty()) return Tensor(DType::f32, {0});
        const Tensor& first = values.front().tensor();
        if (values.size() == 1) return first.reshaped({first.size()});
        Tensor out(first.dtype(), {static_cast<std::int64_t>(values.size())});
        const bool is_string = first.dtype() == DType::string;
        if (is_packed(first.dtype()))
            fail_unsupported("maps of values that share bytes are not supported");
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Tensor& value = values[i].tensor();
            if (value.dtype() != first.dtype() || value.size() != 1)
                fail_model("value " + std::to_string(i) + " of the map is " + values[i].describe() +
                           ", expected one " + std::string(name_of(first.dtype())));
            if (is_string) out.mutable_data<std::string>()[i] = value.data<std::string>()[0];
            else
                std::memcpy(static_cast<std::byte*>(out.mutable_raw()) + i * value.byte_size(),
                            value.raw(), value.byte_size());
        }
        return out;
    }

    LoadContext& context_;
};

}  // namespace

std::pair<std::string, RuntimeValue> load_value_proto(const std::filesystem::path& path,
                                                      const Type& type, const Limits& limits) {
    try {
        const auto file = MappedFile::open(path);
        WarningList warnings;
        ExternalData external({}, nullptr, limits, warnings);
        const Progress progress;
        LoadContext context{limits, progress, external, warnings, file};
        ValueReader reader(context);
        const Type* element = type.element ? type.element.get() : nullptr;
        switch (type.kind) {
        case Type::Kind::sequence:
            return reader.sequence(WireReader(file->bytes(), 0, "SequenceProto"), element, 0);
        case Type::Kind::optional:
            return reader.optional(WireReader(file->bytes(), 0, "OptionalProto"), element, 0);
        case Type::Kind::map: return reader.map(WireReader(file->bytes(), 0, "MapProto"), 0);
        default: return reader.tensor(WireReader(file->bytes(), 0, "TensorProto"));
        }
    } catch (Error& e) {
        Error error(e.code() == ErrorCode::invalid_model ? ErrorCode::invalid_input : e.code(),
                    e.message());
        for (auto it = e.where().rbegin(); it != e.where().rend(); ++it) error.at(*it);
        throw error.at(path.string());
    }
}

}  // namespace lapidary
