// SPDX-License-Identifier: Apache-2.0
#include "bench/onnxruntime/onnxruntime_values.h"

#include <cstring>

#include <lapidary/base/error.h>

namespace lapidary {

int onnxruntime_level(Level level) {
    switch (level) {
    case Level::disabled: return 0;
    case Level::basic: return 1;
    case Level::extended: return 2;
    case Level::all:
    case Level::session:
    case Level::user: break;
    }
    return 99;
}

OrtInputs::OrtInputs(std::shared_ptr<const OnnxRuntimeLibrary> library, const NamedValues& values)
    : library_(std::move(library)), memory_(library_->table(), ort::release_memory_info) {
    const ort::Table& table = library_->table();
    library_->check(table(ort::create_cpu_memory_info, 0, 0, memory_.out()), "describe memory");
    library_->check(table(ort::get_default_allocator, &allocator_), "allocate");
    for (const auto& [name, value] : values) add(name, value);
    for (const std::string& name : names_) name_pointers_.push_back(name.c_str());
    for (const auto& value : values_) value_pointers_.push_back(value.get());
}

void OrtInputs::add(const std::string& name, const RuntimeValue& value) {
    if (!value.is_tensor())
        fail_unsupported("input " + quote(name) +
                         " is no tensor; ONNX Runtime is given tensors only");
    const ort::Table& table = library_->table();
    const Tensor& tensor = kept_.emplace_back(value.tensor());
    OrtHeld<ort::Value>& held = values_.emplace_back(table, ort::release_value);
    const int type = static_cast<int>(tensor.dtype());  // both number element types as ONNX does
    const auto rank = static_cast<std::size_t>(tensor.rank());
    if (tensor.dtype() == DType::string) {
        library_->check(
            table(ort::create_tensor, allocator_, tensor.shape().data(), rank, type, held.out()),
            "make an input");
        std::vector<const char*> texts;
        for (const std::string& text : tensor.data<std::string>()) texts.push_back(text.c_str());
        library_->check(table(ort::fill_string_tensor, held.get(), texts.data(), texts.size()),
                        "fill an input");
    } else {
        library_->check(
            table(ort::create_tensor_over, memory_.get(), const_cast<void*>(tensor.raw()),
                  tensor.byte_size(), tensor.shape().data(), rank, type, held.out()),
            "make an input");
    }
    names_.push_back(name);
}

OrtOutputs::OrtOutputs(std::shared_ptr<const OnnxRuntimeLibrary> library,
                       const ort::Session* session)
    : library_(std::move(library)) {
    const ort::Table& table = library_->table();
    ort::Allocator* allocator = nullptr;
    library_->check(table(ort::get_default_allocator, &allocator), "allocate");
    std::size_t count = 0;
    library_->check(table(ort::get_output_count, session, &count), "count outputs");
    for (std::size_t i = 0; i < count; ++i) {
        char* name = nullptr;
        library_->check(table(ort::get_output_name, session, i, allocator, &name),
                        "name an output");
        names_.emplace_back(name);
        library_->check(table(ort::allocator_free, allocator, name), "free a name");
    }
    for (const std::string& name : names_) name_pointers_.push_back(name.c_str());
    values_.assign(count, nullptr);
}

void OrtOutputs::release() {
    for (ort::Value*& value : values_) {
        if (value) library_->table()(ort::release_value, value);
        value = nullptr;
    }
}

NamedValues OrtOutputs::copies() const {
    NamedValues values;
    for (std::size_t i = 0; i < values_.size(); ++i)
        values.emplace_back(names_[i], copy_of(values_[i]));
    return values;
}

RuntimeValue OrtOutputs::copy_of(ort::Value* value) const {
    const ort::Table& table = library_->table();
    const auto check = [&](ort::Status* status) { library_->check(status, "describe an output"); };
    int is_tensor = 0;
    if (!value) return {};
    check(table(ort::is_tensor, value, &is_tensor));
    if (!is_tensor) return {};
    OrtHeld<ort::ShapeInfo> info(table, ort::release_shape);
    check(table(ort::get_tensor_shape, value, info.out()));
    int type = 0;
    std::size_t rank = 0;
    check(table(ort::get_element_type, info.get(), &type));
    check(table(ort::get_rank, info.get(), &rank));
    Shape shape(rank);
    check(table(ort::get_dimensions, info.get(), shape.data(), rank));
    if (!is_known_dtype(type)) return {};
    Tensor tensor(static_cast<DType>(type), shape);
    if (tensor.dtype() == DType::string) {
        copy_strings(value, tensor);
        return tensor;
    }
    void* data = nullptr;
    library_->check(table(ort::get_tensor_data, value, &data), "read an output");
    if (tensor.byte_size() > 0) std::memcpy(tensor.mutable_raw(), data, tensor.byte_size());
    return tensor;
}

void OrtOutputs::copy_strings(ort::Value* value, Tensor& tensor) const {
    const ort::Table& table = library_->table();
    std::size_t bytes = 0;
    library_->check(table(ort::get_string_bytes, value, &bytes), "read strings");
    std::string all(bytes, '\0');
    const auto texts = tensor.mutable_data<std::string>();
    std::vector<std::size_t> offsets(texts.size() + 1, bytes);
    library_->check(table(ort::get_strings, value, all.data(), bytes, offsets.data(), texts.size()),
                    "read strings");
    for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i] = all.substr(offsets[i], offsets[i + 1] - offsets[i]);
}

}  // namespace lapidary
