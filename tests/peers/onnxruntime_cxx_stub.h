// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of ONNX Runtime's C++ wrapper that snippets use, to check their syntax
// and types without the real header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "onnxruntime_c_api.h"

namespace Ort {

const OrtApi& GetApi();
void ThrowOnError(OrtStatus* status);

struct Env {
    Env(OrtLoggingLevel level, const char* id);
};
struct AllocatorWithDefaultOptions {
    AllocatorWithDefaultOptions();
    operator OrtAllocator*();
};
struct MemoryInfo {
    static MemoryInfo CreateCpu(OrtAllocatorType type, OrtMemType memory);
    operator const OrtMemoryInfo*() const;
};
struct SessionOptions {
    SessionOptions();
    operator OrtSessionOptions*();
    SessionOptions& SetGraphOptimizationLevel(GraphOptimizationLevel level);
    SessionOptions& SetIntraOpNumThreads(int threads);
    SessionOptions& SetInterOpNumThreads(int threads);
    SessionOptions& SetExecutionMode(ExecutionMode mode);
    SessionOptions& SetOptimizedModelFilePath(const ORTCHAR_T* path);
    SessionOptions& EnableProfiling(const ORTCHAR_T* prefix);
    SessionOptions& AddConfigEntry(const char* key, const char* value);
    SessionOptions& EnableMemPattern();
    SessionOptions& DisableMemPattern();
    SessionOptions& EnableCpuMemArena();
    SessionOptions& DisableCpuMemArena();
    SessionOptions& SetLogId(const char* id);
    SessionOptions& SetDeterministicCompute(bool value);
    SessionOptions& AppendExecutionProvider(
        const std::string& name, const std::unordered_map<std::string, std::string>& options = {});
};
struct RunOptions {
    explicit RunOptions(std::nullptr_t);
};
struct TensorTypeAndShapeInfo {
    ONNXTensorElementDataType GetElementType() const;
    std::size_t GetElementCount() const;
};
struct Value {
    Value(Value&&);
    Value& operator=(Value&&);
    ~Value();
    static Value CreateTensor(const OrtMemoryInfo* memory, void* data, std::size_t bytes,
                              const std::int64_t* shape, std::size_t rank,
                              ONNXTensorElementDataType type);
    static Value CreateTensor(OrtAllocator* allocator, const std::int64_t* shape, std::size_t rank,
                              ONNXTensorElementDataType type);
    bool IsTensor() const;
    TensorTypeAndShapeInfo GetTensorTypeAndShapeInfo() const;
    template <typename T>
    T* GetTensorMutableData();
};
struct Session {
    Session(const Env& env, const ORTCHAR_T* path, const SessionOptions& options);
    std::vector<Value> Run(const RunOptions& options, const char* const* input_names,
                           const Value* inputs, std::size_t input_count,
                           const char* const* output_names, std::size_t output_count);
};

}  // namespace Ort
