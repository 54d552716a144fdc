// SPDX-License-Identifier: Apache-2.0
// Objects of ONNX Runtime, and conversion of tensors to and from them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/passes/optimize.h>
#include <lapidary/tensor/runtime_value.h>

#include "bench/onnxruntime/onnxruntime_library.h"

namespace lapidary {

/// An object of ONNX Runtime with the function that releases it.
template <typename T>
class OrtHeld {
public:
    OrtHeld(const ort::Table& table, ort::Slot<void(T*)> release)
        : table_(&table), release_(release) {}
    OrtHeld(const OrtHeld&) = delete;
    OrtHeld& operator=(const OrtHeld&) = delete;
    OrtHeld(OrtHeld&& other) noexcept
        : table_(other.table_), release_(other.release_),
          object_(std::exchange(other.object_, nullptr)) {}
    ~OrtHeld() { reset(); }
    T* get() const { return object_; }
    T** out() {
        reset();
        return &object_;
    }
    void reset() {
        if (object_) (*table_)(release_, object_);
        object_ = nullptr;
    }

private:
    const ort::Table* table_;
    ort::Slot<void(T*)> release_;
    T* object_ = nullptr;
};

/// The inputs of a session as ONNX Runtime takes them, over the memory of the tensors.
class OrtInputs {
public:
    /// Throws not_supported for values that are no tensors.
    OrtInputs(std::shared_ptr<const OnnxRuntimeLibrary> library, const NamedValues& values);
    const char* const* names() const { return name_pointers_.data(); }
    const ort::Value* const* values() const { return value_pointers_.data(); }
    std::size_t size() const { return value_pointers_.size(); }

private:
    void add(const std::string& name, const RuntimeValue& value);

    std::shared_ptr<const OnnxRuntimeLibrary> library_;
    OrtHeld<ort::MemoryInfo> memory_;
    ort::Allocator* allocator_ = nullptr;
    std::vector<Tensor> kept_;  // memory of the values
    std::vector<OrtHeld<ort::Value>> values_;
    std::vector<std::string> names_;
    std::vector<const char*> name_pointers_;
    std::vector<const ort::Value*> value_pointers_;
};

/// The outputs of a session: their names, and the values of the newest run.
class OrtOutputs {
public:
    OrtOutputs(std::shared_ptr<const OnnxRuntimeLibrary> library, const ort::Session* session);
    OrtOutputs(const OrtOutputs&) = delete;
    OrtOutputs& operator=(const OrtOutputs&) = delete;
    ~OrtOutputs() { release(); }
    const char* const* names() const { return name_pointers_.data(); }
    ort::Value** values() { return values_.data(); }
    std::size_t size() const { return values_.size(); }
    /// Copies of the tensors; empty values for others.
    NamedValues copies() const;
    void release();

private:
    RuntimeValue copy_of(ort::Value* value) const;
    void copy_strings(ort::Value* value, Tensor& tensor) const;

    std::shared_ptr<const OnnxRuntimeLibrary> library_;
    std::vector<std::string> names_;
    std::vector<const char*> name_pointers_;
    std::vector<ort::Value*> values_;
};

/// As set_optimization_level takes it.
int onnxruntime_level(Level level);

}  // namespace lapidary
