// SPDX-License-Identifier: Apache-2.0
// The part of ONNX Runtime's .NET binding that snippets use, declared only: what a program names is looked up here.
using System;
using System.Collections.Generic;

namespace Microsoft.ML.OnnxRuntime
{
    public enum GraphOptimizationLevel { ORT_DISABLE_ALL, ORT_ENABLE_BASIC, ORT_ENABLE_EXTENDED, ORT_ENABLE_ALL }
    public enum ExecutionMode { ORT_SEQUENTIAL, ORT_PARALLEL }
    public enum OrtLoggingLevel
    {
        ORT_LOGGING_LEVEL_VERBOSE, ORT_LOGGING_LEVEL_INFO, ORT_LOGGING_LEVEL_WARNING, ORT_LOGGING_LEVEL_ERROR,
        ORT_LOGGING_LEVEL_FATAL
    }

    public class OrtCUDAProviderOptions : IDisposable
    {
        public void UpdateOptions(Dictionary<string, string> options) { }
        public void Dispose() { }
    }

    public class OrtTensorRTProviderOptions : IDisposable
    {
        public void UpdateOptions(Dictionary<string, string> options) { }
        public void Dispose() { }
    }

    public class SessionOptions : IDisposable
    {
        public GraphOptimizationLevel GraphOptimizationLevel { get; set; }
        public ExecutionMode ExecutionMode { get; set; }
        public int IntraOpNumThreads { get; set; }
        public int InterOpNumThreads { get; set; }
        public bool EnableMemoryPattern { get; set; }
        public bool EnableCpuMemArena { get; set; }
        public string LogId { get; set; }
        public OrtLoggingLevel LogSeverityLevel { get; set; }
        public int LogVerbosityLevel { get; set; }
        public string OptimizedModelFilePath { get; set; }
        public string ProfileOutputPathPrefix { get; set; }
        public bool EnableProfiling { get; set; }
        public void AddFreeDimensionOverrideByName(string name, long size) { }
        public void AddSessionConfigEntry(string key, string value) { }
        public void AppendExecutionProvider(string name, Dictionary<string, string> options = null) { }
        public void AppendExecutionProvider_CUDA(OrtCUDAProviderOptions options) { }
        public void AppendExecutionProvider_Tensorrt(OrtTensorRTProviderOptions options) { }
        public void AppendExecutionProvider_DML(int deviceId = 0) { }
        public void AppendExecutionProvider_OpenVINO(string deviceId = "") { }
        public void AppendExecutionProvider_CoreML() { }
        public void Dispose() { }
    }
}
