// SPDX-License-Identifier: Apache-2.0
// Settings of a session of ONNX Runtime in program texts: attributes, keys of the configuration,
// execution providers.
#include <algorithm>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/export/snippet.h>

namespace lapidary {
namespace {

constexpr SnippetLanguage every_language[] = {SnippetLanguage::python, SnippetLanguage::c,
                                              SnippetLanguage::cpp, SnippetLanguage::csharp,
                                              SnippetLanguage::rust};

Model small_model() {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[2,3]) -> (y)\n y = Relu(x)\n");
    return model;
}

SnippetSettings settings_with(std::map<std::string, std::string> entries,
                              std::vector<OnnxRuntimeProvider> providers = {},
                              const std::string& release = "1.32") {
    SnippetSettings settings;
    settings.configuration.resources.threads = settings.configuration.resources.inter_threads = 0;
    settings.configuration.resources.config = std::move(entries);
    settings.providers = std::move(providers);
    settings.onnxruntime_version = release;
    return settings;
}

std::string program_of(const SnippetSettings& settings, SnippetLanguage language) {
    return snippet(small_model(), language, settings);
}

/// The message, after the code was compared.
std::string refusal(const SnippetSettings& settings, SnippetLanguage language, ErrorCode code) {
    try {
        program_of(settings, language);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        return error.what();
    }
    return "not refused";
}

#define EXPECT_HAS(text, part) \
    EXPECT_NE((text).find(part), std::string::npos) << "no " << (part) << " in\n" << (text)
#define EXPECT_LACKS(text, part) \
    EXPECT_EQ((text).find(part), std::string::npos) << (part) << " in\n" << (text)

/// What a program in that language has to hold.
using Expected = std::vector<std::pair<SnippetLanguage, const char*>>;

void expect_in(const SnippetSettings& settings, const Expected& expected) {
    for (const auto& [language, part] : expected) EXPECT_HAS(program_of(settings, language), part);
}

TEST(SnippetSettings, AttributesOfSessionOptionsAreNoConfigurationEntries) {
    const SnippetSettings settings =
        settings_with({{"enable_mem_pattern", "0"}, {"enable_cpu_mem_arena", "0"}});
    expect_in(settings,
              {{SnippetLanguage::python, "options.enable_mem_pattern = False\n"},
               {SnippetLanguage::python, "options.enable_cpu_mem_arena = False\n"},
               {SnippetLanguage::c, "check(ort->DisableMemPattern(options));\n"},
               {SnippetLanguage::c, "check(ort->DisableCpuMemArena(options));\n"},
               {SnippetLanguage::cpp, "options.DisableMemPattern();\n"},
               {SnippetLanguage::cpp, "options.DisableCpuMemArena();\n"},
               {SnippetLanguage::csharp, "options.EnableMemoryPattern = false;\n"},
               {SnippetLanguage::csharp, "options.EnableCpuMemArena = false;\n"},
               {SnippetLanguage::rust, ".with_memory_pattern(false)?\n"},
               {SnippetLanguage::rust, "ort::ep::CPU::default().with_arena_allocator(false)"}});
    for (const SnippetLanguage language : every_language)
        for (const char* call : {"onfigEntry", "config_entry"})
            EXPECT_LACKS(program_of(settings, language), call);
    expect_in(settings_with({{"enable_mem_pattern", "1"}}),
              {{SnippetLanguage::python, "options.enable_mem_pattern = True\n"},
               {SnippetLanguage::c, "check(ort->EnableMemPattern(options));\n"}});
    expect_in(
        settings_with(
            {{"log_severity_level", "1"}, {"logid", "a \"b\""}, {"log_verbosity_level", "2"}}),
        {{SnippetLanguage::python, "options.logid = \"a \\\"b\\\"\"\n"},
         {SnippetLanguage::c, "check(ort->SetSessionLogId(options, \"a \\\"b\\\"\"));\n"},
         {SnippetLanguage::c, "check(ort->SetSessionLogSeverityLevel(options, 1));\n"},
         {SnippetLanguage::cpp,
          "Ort::ThrowOnError(Ort::GetApi().SetSessionLogVerbosityLevel(options, 2));\n"},
         {SnippetLanguage::csharp,
          "options.LogSeverityLevel = OrtLoggingLevel.ORT_LOGGING_LEVEL_INFO;\n"},
         {SnippetLanguage::rust, ".with_log_level(ort::logging::LogLevel::Info)?\n"}});
}

TEST(SnippetSettings, AttributesWithAMemberAreWrittenOnce) {
    const SnippetSettings settings = settings_with({{"intra_op_num_threads", "3"},
                                                    {"execution_mode", "ORT_PARALLEL"},
                                                    {"inter_op_num_threads", "2"},
                                                    {"optimized_model_filepath", "o.onnx"},
                                                    {"profile_file_prefix", "p"}});
    expect_in(
        settings,
        {{SnippetLanguage::python, "options.intra_op_num_threads = 3\n"},
         {SnippetLanguage::python, "options.execution_mode = ort.ExecutionMode.ORT_PARALLEL\n"},
         {SnippetLanguage::python, "options.inter_op_num_threads = 2\n"},
         {SnippetLanguage::python, "options.optimized_model_filepath = \"o.onnx\"\n"},
         {SnippetLanguage::python, "options.enable_profiling = True\n"},
         {SnippetLanguage::c, "check(ort->SetIntraOpNumThreads(options, 3));\n"}});
    SnippetSettings twice = settings_with({{"intra_op_num_threads", "3"}});
    twice.configuration.resources.threads = 4;
    EXPECT_HAS(refusal(twice, SnippetLanguage::python, ErrorCode::not_supported),
               "intra_op_num_threads");
}

TEST(SnippetSettings, UnknownNamesAreRefusedWithTheNearest) {
    for (const auto& [name, value, reported] :
         std::vector<std::tuple<const char*, const char*, const char*>>{
             {"enable_mem_patern", "0", "the nearest is enable_mem_pattern"},
             {"session.disable_prepaking", "1", "the nearest is session.disable_prepacking"},
             {"enable_mem_pattern", "yes", "expected one of 0, 1, found \"yes\""},
             {"log_severity_level", "5", "expected one of 0, 1, 2, 3, 4"},
             {"intra_op_num_threads", "-1", "expected a number from 0 to 1024"},
             {"session.enable_mem_pattern", "0", "write enable_mem_pattern=VALUE"},
             {"session.log_id", "x", "write logid=VALUE"},
             {"graph_optimization_level", "ORT_ENABLE_ALL", "--level"},
             {"enable_profiling", "1", "--profile-prefix"},
             {"arena_extend_strategy", "kSameAsRequested", "OrtArenaCfg"},
             {"", "1", "the nearest is"}}) {
        EXPECT_HAS(session_setting_problem(name, value), reported);
        for (const SnippetLanguage language : every_language)
            EXPECT_HAS(refusal(settings_with({{name, value}}), language, ErrorCode::invalid_input),
                       reported);
    }
    for (const std::string& name : session_setting_names()) {
        const bool is_key = name.find('.') != std::string::npos;
        if (is_key) { EXPECT_EQ(session_setting_problem(name, "1"), "") << name; }
    }
    EXPECT_EQ(session_setting_problem("enable_mem_reuse", "0"), "");
}

TEST(SnippetSettings, WhatAReleaseOrABindingLacksIsNamed) {
    EXPECT_HAS(refusal(settings_with({{"session.disable_qdq_constant_folding", "1"}}, {}, "1.20"),
                       SnippetLanguage::python, ErrorCode::not_supported),
               "ONNX Runtime reads the setting session.disable_qdq_constant_folding from 1.26 on, "
               "not in 1.20");
    expect_in(settings_with({{"session.disable_qdq_constant_folding", "1"}}, {}, "1.26"),
              {{SnippetLanguage::python,
                "add_session_config_entry(\"session.disable_qdq_constant_folding\", \"1\")"}});
    for (const SnippetLanguage language : every_language) {
        if (language == SnippetLanguage::python) continue;
        EXPECT_HAS(
            refusal(settings_with({{"enable_mem_reuse", "0"}}), language, ErrorCode::not_supported),
            "enable_mem_reuse cannot be set in");
        EXPECT_HAS(refusal(settings_with({{"execution_order", "PRIORITY_BASED"}}), language,
                           ErrorCode::not_supported),
                   "execution_order cannot be set in");
    }
    expect_in(settings_with({{"enable_mem_reuse", "0"}, {"execution_order", "PRIORITY_BASED"}}),
              {{SnippetLanguage::python, "options.enable_mem_reuse = False\n"},
               {SnippetLanguage::python,
                "options.execution_order = ort.ExecutionOrder.PRIORITY_BASED\n"}});
    EXPECT_HAS(refusal(settings_with({{"use_deterministic_compute", "1"}}, {}, "1.16"),
                       SnippetLanguage::c, ErrorCode::not_supported),
               "needs ONNX Runtime 1.17");
    expect_in(settings_with({{"use_deterministic_compute", "1"}}, {}, "1.16"),
              {{SnippetLanguage::python, "options.use_deterministic_compute = True\n"}});
    EXPECT_HAS(refusal(settings_with({{"use_deterministic_compute", "1"}}), SnippetLanguage::csharp,
                       ErrorCode::not_supported),
               "C#");
}

TEST(SnippetProviders, AreWrittenWithTheirOptionsInEveryLanguage) {
    const SnippetSettings cuda =
        settings_with({}, {{"TensorrtExecutionProvider", {{"trt_fp16_enable", "1"}}},
                           {"cuda", {{"device_id", "1"}, {"use_tf32", "0"}}}});
    expect_in(
        cuda,
        {{SnippetLanguage::python,
          "        (\"TensorrtExecutionProvider\", {\"trt_fp16_enable\": \"1\"}),\n"
          "        (\"CUDAExecutionProvider\", {\"device_id\": \"1\", "
          "\"use_tf32\": \"0\"}),\n        \"CPUExecutionProvider\",\n"},
         {SnippetLanguage::python, "pip install \"onnxruntime-gpu==1.32.*\" numpy"},
         {SnippetLanguage::python, "if provider not in session.get_providers():"},
         {SnippetLanguage::c, "const char* keys[] = {\"device_id\", \"use_tf32\"};\n"},
         {SnippetLanguage::c, "const char* values[] = {\"1\", \"0\"};\n"},
         {SnippetLanguage::c, "check(ort->UpdateCUDAProviderOptions(cuda, keys, values, 2));\n"},
         {SnippetLanguage::c,
          "SessionOptionsAppendExecutionProvider_TensorRT_V2(options, tensorrt)"},
         {SnippetLanguage::cpp,
          "Ort::GetApi().UpdateCUDAProviderOptions(cuda, cuda_keys.data(), "
          "cuda_values.data(), 2)"},
         {SnippetLanguage::csharp,
          "cuda.UpdateOptions(new Dictionary<string, string> { { \"device_id\", "
          "\"1\" }, { \"use_tf32\", \"0\" } });\n"},
         {SnippetLanguage::csharp, "options.AppendExecutionProvider_Tensorrt(tensorrt);\n"},
         {SnippetLanguage::csharp, "package Microsoft.ML.OnnxRuntime.Gpu"},
         {SnippetLanguage::rust,
          "ort::ep::CUDA::default().with_arbitrary_config(\"device_id\", \"1\")"}});
    for (const SnippetLanguage language : every_language) {
        std::string text = program_of(cuda, language);
        std::ranges::transform(text, text.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        EXPECT_LT(text.find("trt_fp16_enable"), text.find("use_tf32"))
            << "asked in the order given\n"
            << text;
        EXPECT_LT(text.find("use_tf32"), text.find("relu")) << text;
    }
    expect_in(settings_with({}, {{"QNN", {{"backend_path", "libQnnHtp.so"}}}}, "1.20"),
              {{SnippetLanguage::python,
                "(\"QNNExecutionProvider\", {\"backend_path\": \"libQnnHtp.so\"}),\n"},
               {SnippetLanguage::c,
                "SessionOptionsAppendExecutionProvider(options, \"QNN\", keys, values, 1)"},
               {SnippetLanguage::cpp,
                "options.AppendExecutionProvider(\"QNN\", {{\"backend_path\", \"libQnnHtp.so\"}})"},
               {SnippetLanguage::csharp,
                "options.AppendExecutionProvider(\"QNN\", new Dictionary<string, string> { { "
                "\"backend_path\", \"libQnnHtp.so\" } });\n"}});
    expect_in(
        settings_with({}, {{"CoreML", {{"ModelFormat", "MLProgram"}}}}),
        {{SnippetLanguage::c,
          "SessionOptionsAppendExecutionProvider(options, \"CoreML\", keys, values, 1)"},
         {SnippetLanguage::csharp, "options.AppendExecutionProvider(\"CoreML\", new Dictionary"},
         {SnippetLanguage::python, "pip install \"onnxruntime==1.32.*\""}});
    expect_in(settings_with({}, {{"CoreML", {}}}, "1.20"),
              {{SnippetLanguage::csharp, "options.AppendExecutionProvider_CoreML();\n"}});
    expect_in(settings_with({}, {{"OpenVINO", {{"device_type", "GPU"}}}}),
              {{SnippetLanguage::cpp,
                "options.AppendExecutionProvider(\"OpenVINO\", {{\"device_type\", \"GPU\"}})"},
               {SnippetLanguage::csharp, "options.AppendExecutionProvider_OpenVINO(\"GPU\");\n"}});
    for (const SnippetLanguage language : every_language)
        for (const std::string& name : snippet_provider_names())
            EXPECT_GT(program_of(settings_with({}, {{name, {}}}), language).size(), 200u) << name;
}

TEST(SnippetProviders, DirectMlRunsWithoutPlannedMemory) {
    const SnippetSettings settings = settings_with(
        {}, {{"dml", {{"device_id", "1"}, {"performance_preference", "high_performance"}}}});
    expect_in(settings,
              {{SnippetLanguage::python, "options.enable_mem_pattern = False\n"},
               {SnippetLanguage::c, "check(ort->DisableMemPattern(options));\n"},
               {SnippetLanguage::c,
                "SessionOptionsAppendExecutionProvider(options, \"DML\", keys, values, 2)"},
               {SnippetLanguage::rust,
                "ort::ep::DirectML::default().with_device_id(1)"
                ".with_performance_preference(ort::ep::directml::"
                "PerformancePreference::HighPerformance)"}});
    expect_in(settings_with({}, {{"DirectML", {{"device_id", "1"}}}}),
              {{SnippetLanguage::csharp, "options.AppendExecutionProvider_DML(1);\n"}});
    EXPECT_HAS(refusal(settings, SnippetLanguage::csharp, ErrorCode::not_supported),
               "performance_preference");
    EXPECT_HAS(refusal(settings_with({{"enable_mem_pattern", "1"}}, {{"DirectML", {}}}),
                       SnippetLanguage::c, ErrorCode::not_supported),
               "DirectML needs enable_mem_pattern 0");
    EXPECT_HAS(refusal(settings_with({{"execution_mode", "ORT_PARALLEL"}}, {{"DirectML", {}}}),
                       SnippetLanguage::c, ErrorCode::not_supported),
               "parallel");
}

TEST(SnippetProviders, QnnIsALibraryOfItsOwnInNewReleases) {
    const OnnxRuntimeProvider qnn{"QNN", {{"backend_type", "gpu"}}};
    const std::string text = program_of(settings_with({}, {qnn}), SnippetLanguage::python);
    for (const char* part : {"pip install \"onnxruntime==1.32.*\" onnxruntime-qnn numpy",
                             "import onnxruntime_qnn\n", "OrtHardwareDeviceType.GPU",
                             "options.add_provider_for_devices(devices[:1], "
                             "{\"backend_type\": \"gpu\"})"})
        EXPECT_HAS(text, part);
    EXPECT_LACKS(text, "providers=");
    EXPECT_HAS(refusal(settings_with({}, {qnn, {"CUDA", {}}}), SnippetLanguage::python,
                       ErrorCode::not_supported),
               "further providers");
}

TEST(SnippetProviders, WhatIsNotThereIsNamed) {
    for (const auto& [provider, reported] :
         std::vector<std::pair<OnnxRuntimeProvider, const char*>>{
             {{"CUDA", {{"devcie_id", "0"}}},
              "CUDA has no option \"devcie_id\"; did you mean \"device_id\"?; it has "
              "device_id, gpu_mem_limit"},
             {{"QNN", {{"device_type", "x"}}}, "QNN has no option \"device_type\""},
             {{"CUDA", {{"device_id", ""}}}, "needs a value"},
             {{"DirectML", {{"device_id", "first"}}}, "is a number"},
             {{"DirectML", {{"device_filter", "tpu"}}}, "one of gpu, npu, any"},
             {{"cud", {}}, "did you mean \"CUDA\"?"},
             {{"ROCm", {}}, "not for \"ROCm\""},
             {{"cpu", {}}, "CUDA, TensorRT, DirectML, CoreML, OpenVINO, QNN"}}) {
        EXPECT_HAS(snippet_provider_problem(provider), reported);
        EXPECT_HAS(
            refusal(settings_with({}, {provider}), SnippetLanguage::rust, ErrorCode::invalid_input),
            reported);
    }
    for (const std::string& name : snippet_provider_names()) {
        std::map<std::string, std::string> options;
        for (const std::string& key : snippet_provider_options(name)) options[key] = "1";
        EXPECT_GE(options.size(), 4u) << name;
        if (name != "DirectML") { EXPECT_EQ(snippet_provider_problem({name, options}), ""); }
    }
    EXPECT_HAS(refusal(settings_with({}, {{"CUDA", {{"use_tf32", "0"}}}}, "1.16"),
                       SnippetLanguage::python, ErrorCode::not_supported),
               "CUDA reads the option use_tf32 from ONNX Runtime 1.18 on, not in 1.16");
    EXPECT_HAS(refusal(settings_with({}, {{"QNN", {}}}, "1.14"), SnippetLanguage::python,
                       ErrorCode::not_supported),
               "from 1.15 on");
    EXPECT_HAS(refusal(settings_with({}, {{"CoreML", {}}}, "1.20"), SnippetLanguage::c,
                       ErrorCode::not_supported),
               "for ONNX Runtime 1.21 and newer");
    EXPECT_HAS(
        refusal(settings_with({}, {{"OpenVINO", {{"device_type", "GPU"}, {"cache_dir", "c"}}}}),
                SnippetLanguage::csharp, ErrorCode::not_supported),
        "cache_dir");
    EXPECT_HAS(refusal(settings_with({}, {{"CUDA", {}}, {"cuda", {}}}), SnippetLanguage::python,
                       ErrorCode::invalid_input),
               "given twice");
}

}  // namespace
}  // namespace lapidary
