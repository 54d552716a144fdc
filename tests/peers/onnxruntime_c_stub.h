// SPDX-License-Identifier: Apache-2.0
// The part of ONNX Runtime's C interface that snippets use, to compile and run them without the
// real header. Functions are at their real places in the table, to which new versions only append.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORT_API_VERSION 17
#define ORTCHAR_T char
#define ORT_TSTR(text) text

typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtValue OrtValue;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtCUDAProviderOptionsV2 OrtCUDAProviderOptionsV2;
typedef struct OrtTensorRTProviderOptionsV2 OrtTensorRTProviderOptionsV2;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;

typedef enum OrtErrorCode { ORT_OK, ORT_FAIL } OrtErrorCode;
typedef enum OrtLoggingLevel {
    ORT_LOGGING_LEVEL_VERBOSE,
    ORT_LOGGING_LEVEL_INFO,
    ORT_LOGGING_LEVEL_WARNING,
    ORT_LOGGING_LEVEL_ERROR,
    ORT_LOGGING_LEVEL_FATAL
} OrtLoggingLevel;
typedef enum GraphOptimizationLevel {
    ORT_DISABLE_ALL = 0,
    ORT_ENABLE_BASIC = 1,
    ORT_ENABLE_EXTENDED = 2,
    ORT_ENABLE_ALL = 99
} GraphOptimizationLevel;
typedef enum ExecutionMode { ORT_SEQUENTIAL = 0, ORT_PARALLEL = 1 } ExecutionMode;
typedef enum OrtAllocatorType {
    OrtInvalidAllocator = -1,
    OrtDeviceAllocator = 0,
    OrtArenaAllocator = 1
} OrtAllocatorType;
typedef enum OrtMemType {
    OrtMemTypeCPUInput = -2,
    OrtMemTypeCPUOutput = -1,
    OrtMemTypeDefault = 0
} OrtMemType;
typedef enum ONNXTensorElementDataType {
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16
} ONNXTensorElementDataType;

typedef struct OrtApi {
    void* unused_0[1];
    OrtErrorCode (*GetErrorCode)(const OrtStatus*);
    const char* (*GetErrorMessage)(const OrtStatus*);
    OrtStatus* (*CreateEnv)(OrtLoggingLevel, const char*, OrtEnv**);
    void* unused_4[3];
    OrtStatus* (*CreateSession)(const OrtEnv*, const ORTCHAR_T*, const OrtSessionOptions*,
                                OrtSession**);
    void* unused_8[1];
    OrtStatus* (*Run)(OrtSession*, const OrtRunOptions*, const char* const*, const OrtValue* const*,
                      size_t, const char* const*, size_t, OrtValue**);
    OrtStatus* (*CreateSessionOptions)(OrtSessionOptions**);
    OrtStatus* (*SetOptimizedModelFilePath)(OrtSessionOptions*, const ORTCHAR_T*);
    void* unused_12[1];
    OrtStatus* (*SetSessionExecutionMode)(OrtSessionOptions*, ExecutionMode);
    OrtStatus* (*EnableProfiling)(OrtSessionOptions*, const ORTCHAR_T*);
    void* unused_15[1];
    OrtStatus* (*EnableMemPattern)(OrtSessionOptions*);
    OrtStatus* (*DisableMemPattern)(OrtSessionOptions*);
    OrtStatus* (*EnableCpuMemArena)(OrtSessionOptions*);
    OrtStatus* (*DisableCpuMemArena)(OrtSessionOptions*);
    OrtStatus* (*SetSessionLogId)(OrtSessionOptions*, const char*);
    OrtStatus* (*SetSessionLogVerbosityLevel)(OrtSessionOptions*, int);
    OrtStatus* (*SetSessionLogSeverityLevel)(OrtSessionOptions*, int);
    OrtStatus* (*SetSessionGraphOptimizationLevel)(OrtSessionOptions*, GraphOptimizationLevel);
    OrtStatus* (*SetIntraOpNumThreads)(OrtSessionOptions*, int);
    OrtStatus* (*SetInterOpNumThreads)(OrtSessionOptions*, int);
    void* unused_26[22];
    OrtStatus* (*CreateTensorAsOrtValue)(OrtAllocator*, const int64_t*, size_t,
                                         ONNXTensorElementDataType, OrtValue**);
    OrtStatus* (*CreateTensorWithDataAsOrtValue)(const OrtMemoryInfo*, void*, size_t,
                                                 const int64_t*, size_t, ONNXTensorElementDataType,
                                                 OrtValue**);
    OrtStatus* (*IsTensor)(const OrtValue*, int*);
    OrtStatus* (*GetTensorMutableData)(OrtValue*, void**);
    void* unused_52[8];
    OrtStatus* (*GetTensorElementType)(const OrtTensorTypeAndShapeInfo*,
                                       ONNXTensorElementDataType*);
    void* unused_61[3];
    OrtStatus* (*GetTensorShapeElementCount)(const OrtTensorTypeAndShapeInfo*, size_t*);
    OrtStatus* (*GetTensorTypeAndShape)(const OrtValue*, OrtTensorTypeAndShapeInfo**);
    void* unused_66[3];
    OrtStatus* (*CreateCpuMemoryInfo)(OrtAllocatorType, OrtMemType, OrtMemoryInfo**);
    void* unused_70[8];
    OrtStatus* (*GetAllocatorWithDefaultOptions)(OrtAllocator**);
    void* unused_79[13];
    void (*ReleaseEnv)(OrtEnv*);
    void (*ReleaseStatus)(OrtStatus*);
    void (*ReleaseMemoryInfo)(OrtMemoryInfo*);
    void (*ReleaseSession)(OrtSession*);
    void (*ReleaseValue)(OrtValue*);
    void* unused_97[2];
    void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo*);
    void (*ReleaseSessionOptions)(OrtSessionOptions*);
    void* unused_101[23];
    OrtStatus* (*AddFreeDimensionOverrideByName)(OrtSessionOptions*, const char*, int64_t);
    void* unused_125[5];
    OrtStatus* (*AddSessionConfigEntry)(OrtSessionOptions*, const char*, const char*);
    void* unused_131[39];
    OrtStatus* (*SessionOptionsAppendExecutionProvider_TensorRT_V2)(
        OrtSessionOptions*, const OrtTensorRTProviderOptionsV2*);
    OrtStatus* (*CreateTensorRTProviderOptions)(OrtTensorRTProviderOptionsV2**);
    OrtStatus* (*UpdateTensorRTProviderOptions)(OrtTensorRTProviderOptionsV2*, const char* const*,
                                                const char* const*, size_t);
    void* unused_173[1];
    void (*ReleaseTensorRTProviderOptions)(OrtTensorRTProviderOptionsV2*);
    void* unused_175[29];
    OrtStatus* (*SessionOptionsAppendExecutionProvider_CUDA_V2)(OrtSessionOptions*,
                                                                const OrtCUDAProviderOptionsV2*);
    OrtStatus* (*CreateCUDAProviderOptions)(OrtCUDAProviderOptionsV2**);
    OrtStatus* (*UpdateCUDAProviderOptions)(OrtCUDAProviderOptionsV2*, const char* const*,
                                            const char* const*, size_t);
    void* unused_207[1];
    void (*ReleaseCUDAProviderOptions)(OrtCUDAProviderOptionsV2*);
    void* unused_209[7];
    OrtStatus* (*SessionOptionsAppendExecutionProvider)(OrtSessionOptions*, const char*,
                                                        const char* const*, const char* const*,
                                                        size_t);
    void* unused_217[56];
    OrtStatus* (*SetDeterministicCompute)(OrtSessionOptions*, bool);
} OrtApi;

typedef struct OrtApiBase {
    const OrtApi* (*GetApi)(uint32_t version);
    const char* (*GetVersionString)(void);
} OrtApiBase;

const OrtApiBase* OrtGetApiBase(void);

#ifdef __cplusplus
}
#endif
