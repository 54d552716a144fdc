// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/export/snippet.h>

namespace lapidary {
namespace {

constexpr SnippetLanguage every_language[] = {SnippetLanguage::python, SnippetLanguage::c,
                                              SnippetLanguage::cpp, SnippetLanguage::csharp,
                                              SnippetLanguage::rust};

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return model;
}

Model small_model() { return model_of("(x: f32[batch,3], k: i64[]) -> (y)\n y = Relu(x)\n"); }

std::string refusal(const Model& model, SnippetLanguage language, const SnippetSettings& settings) {
    try {
        snippet(model, language, settings);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_supported) << error.what();
        return error.what();
    }
    return "not refused";
}

#define EXPECT_HAS(text, part) \
    EXPECT_NE((text).find(part), std::string::npos) << "no " << (part) << " in\n" << (text)
#define EXPECT_LACKS(text, part) \
    EXPECT_EQ((text).find(part), std::string::npos) << (part) << " in\n" << (text)

TEST(Snippet, WritesEverySettingInEveryLanguage) {
    SnippetSettings settings;
    settings.model_file = "folder/net.onnx";
    settings.configuration = {Level::extended, {3, 2, ExecutionMode::parallel, false}};
    settings.free_dimensions = {{"batch", 7}};
    settings.configuration.resources.config = {{"session.dynamic_block_base", "4"}};
    settings.disabled_optimizers = {"GeluFusion", "fuse_layer_norm"};
    const Model model = small_model();
    for (const SnippetLanguage language : every_language) {
        const std::string text = snippet(model, language, settings);
        for (const char* part :
             {"folder/net.onnx", "session.dynamic_block_base", "session.intra_op.allow_spinning",
              "session.inter_op.allow_spinning", "\"batch\", 7", "GeluFusion", "LayerNormFusion",
              "\"x\"", "7, 3"})
            if (language != SnippetLanguage::rust || std::string_view(part) != "7, 3") {
                EXPECT_HAS(text, part);
            }
        EXPECT_HAS(text, language == SnippetLanguage::rust ? "GraphOptimizationLevel::Level2"
                                                           : "ORT_ENABLE_EXTENDED");
        EXPECT_LACKS(text, "ORT_ENABLE_LAYOUT");
    }
    EXPECT_HAS(snippet(model, SnippetLanguage::python, settings),
               "disabled_optimizers=[\"GeluFusion\", \"GeluFusionL1\", \"GeluFusionL2\", "
               "\"LayerNormFusion\"");
    EXPECT_HAS(snippet(model, SnippetLanguage::c, settings),
               "\"optimization.disable_specified_optimizers\", "
               "\"GeluFusion;GeluFusionL1;GeluFusionL2;LayerNormFusion;");
    EXPECT_HAS(snippet(model, SnippetLanguage::cpp, settings), "options.SetIntraOpNumThreads(3)");
    EXPECT_HAS(snippet(model, SnippetLanguage::csharp, settings), "options.InterOpNumThreads = 2;");
    EXPECT_HAS(snippet(model, SnippetLanguage::rust, settings), ".with_parallel_execution(true)?");
}

TEST(Snippet, WritesFilesOfTheSessionInEveryLanguage) {
    SnippetSettings settings;
    settings.model_file = "folder/net.onnx";
    settings.optimized_model_file = "out/\"net\".ort.onnx";
    settings.profile_prefix = "net run";
    const Model model = small_model();
    const std::pair<SnippetLanguage, std::vector<const char*>> expected[] = {
        {SnippetLanguage::python,
         {"options.optimized_model_filepath = \"out/\\\"net\\\".ort.onnx\"\n",
          "options.enable_profiling = True\n", "options.profile_file_prefix = \"net run\"\n",
          "session.end_profiling()"}},
        {SnippetLanguage::c,
         {"check(ort->SetOptimizedModelFilePath(options, "
          "ORT_TSTR(\"out/\\\"net\\\".ort.onnx\")));\n",
          "check(ort->EnableProfiling(options, ORT_TSTR(\"net run\")));"}},
        {SnippetLanguage::cpp,
         {"options.SetOptimizedModelFilePath(ORT_TSTR(\"out/\\\"net\\\".ort.onnx\"));\n",
          "options.EnableProfiling(ORT_TSTR(\"net run\"));"}},
        {SnippetLanguage::csharp,
         {"options.OptimizedModelFilePath = \"out/\\\"net\\\".ort.onnx\";\n",
          "options.ProfileOutputPathPrefix = \"net run\";\noptions.EnableProfiling = true;"}},
        {SnippetLanguage::rust,
         {".with_optimized_model_path(\"out/\\\"net\\\".ort.onnx\")?\n",
          ".with_profiling(\"net run\")?"}}};
    for (const auto& [language, parts] : expected) {
        const std::string text = snippet(model, language, settings);
        for (const char* part : parts) EXPECT_HAS(text, part);
        EXPECT_LT(text.find("net run"), text.find("folder/net.onnx"))
            << "said before the session is made";
        const std::string without = snippet(model, language, {});
        for (const char* word : {"rofil", "ptimizedModel", "ptimized_model"})
            EXPECT_LACKS(without, word);
    }
    settings.profile_prefix = std::string("a\0b", 3);
    EXPECT_HAS(refusal(model, SnippetLanguage::python, settings), "the prefix of the profile");
    settings.profile_prefix.clear();
    settings.optimized_model_file = "folder/./net.onnx";
    try {
        snippet(model, SnippetLanguage::python, settings);
        ADD_FAILURE() << "ONNX Runtime would write over its model";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input);
        EXPECT_HAS(std::string(error.what()),
                   "optimized_model_filepath is the model itself, \"folder/net.onnx\"");
    }
}

TEST(Snippet, DefaultsAreNotWritten) {
    SnippetSettings settings;
    settings.configuration.resources.threads = 0;
    const std::string text = snippet(small_model(), SnippetLanguage::python, settings);
    EXPECT_LACKS(text, "num_threads");
    EXPECT_LACKS(text, "execution_mode");
    EXPECT_LACKS(text, "add_session_config_entry");
    EXPECT_HAS(text, "ORT_ENABLE_ALL");
    settings.optimized_already = true;
    EXPECT_HAS(snippet(small_model(), SnippetLanguage::python, settings), "ORT_DISABLE_ALL");
}

TEST(Snippet, FitsTheVersion) {
    SnippetSettings settings;
    const Model model = small_model();
    settings.onnxruntime_version = "1.24.1";
    // Level3 is refused by versions before 1.23
    EXPECT_HAS(snippet(model, SnippetLanguage::rust, settings), "GraphOptimizationLevel::All");
    EXPECT_HAS(snippet(model, SnippetLanguage::python, settings), "onnxruntime==1.24.*");
    for (const std::string& version : known_onnxruntime_versions()) {
        settings.onnxruntime_version = version;
        for (const SnippetLanguage language : every_language) {
            if (language == SnippetLanguage::rust && std::stoi(version.substr(2)) < 17) continue;
            EXPECT_GT(snippet(model, language, settings).size(), 200u);
        }
    }
    EXPECT_EQ(known_onnxruntime_versions().back(), "1.12");
    EXPECT_HAS(refusal(model, SnippetLanguage::rust, settings), "1.17 and newer, not 1.12");
    settings.disabled_optimizers = {"GeluFusion"};
    settings.onnxruntime_version = "1.17";
    EXPECT_HAS(snippet(model, SnippetLanguage::python, settings), "disabled_optimizers");
    for (const SnippetLanguage language :
         {SnippetLanguage::c, SnippetLanguage::cpp, SnippetLanguage::csharp, SnippetLanguage::rust})
        EXPECT_HAS(refusal(model, language, settings), "1.18");
    settings.disabled_optimizers.clear();
    const std::string newest = known_onnxruntime_versions().front();
    settings.onnxruntime_version = newest;
    EXPECT_LACKS(snippet(model, SnippetLanguage::c, settings), "newest known");
    settings.onnxruntime_version = "1." + std::to_string(std::stoi(newest.substr(2)) + 1);
    EXPECT_TRUE(snippet(model, SnippetLanguage::c, settings)
                    .starts_with("// Names and values are those of ONNX Runtime " + newest));
    EXPECT_TRUE(snippet(model, SnippetLanguage::python, settings).starts_with("# Names"));
    for (const char* version : {"2.0", "1.3", "1.999", "1.x", "1.20x", "", "latest"}) {
        settings.onnxruntime_version = version;
        EXPECT_HAS(refusal(model, SnippetLanguage::python, settings), "is not known here, 1.12 to");
    }
}

TEST(Snippet, RefusesWhatTheLanguageCannotExpressAndNamesIt) {
    const Model model = small_model();
    SnippetSettings settings;
    settings.disabled_optimizers = {"NoSuchFusion"};
    EXPECT_HAS(refusal(model, SnippetLanguage::python, settings), "NoSuchFusion");
    settings.disabled_optimizers.clear();
    settings.free_dimensions = {{"batch", 0}};
    EXPECT_HAS(refusal(model, SnippetLanguage::c, settings), "batch");
    settings.free_dimensions.clear();
    settings.configuration.resources.config = {
        {"session.load_model_format", std::string(2000, 'v')}};
    EXPECT_HAS(refusal(model, SnippetLanguage::c, settings), "2000 bytes");
    settings.configuration.resources.config = {{"session.intra_op.allow_spinning", "1"}};
    settings.configuration.resources.spinning = false;
    EXPECT_HAS(refusal(model, SnippetLanguage::c, settings), "session.intra_op.allow_spinning");
    settings = {};
    settings.model_file.clear();
    EXPECT_HAS(refusal(model, SnippetLanguage::c, settings), "model file");
    const Model brain = model_of("(\"b x\": bf16[2]) -> (y)\n y = Identity(\"b x\")\n");
    EXPECT_HAS(refusal(brain, SnippetLanguage::python, {}), "b x");
    EXPECT_HAS(snippet(brain, SnippetLanguage::rust, {}), "half::bf16::ZERO");
    EXPECT_HAS(snippet(brain, SnippetLanguage::c, {}), "BFLOAT16");
}

TEST(Snippet, HostileNamesStayLiterals) {
    const Model model = model_of(
        "(\"a\\\"; exit(1); //\": f32[2]) -> (\"*/ #{x}\\\\\")\n \"*/ #{x}\\\\\" = Relu(\"a\\\"; "
        "exit(1); //\")\n");
    SnippetSettings settings;
    settings.model_file = "a\"\n\\net.onnx";
    for (const SnippetLanguage language : every_language) {
        const std::string text = snippet(model, language, settings);
        EXPECT_HAS(text, "\\\"; exit(1); //\"");
        EXPECT_LACKS(text, "a\"\n");
        EXPECT_HAS(text, "a\\\"");
    }
}

TEST(Snippet, ADeclaredSizeCostsNothing) {
    const Model model = model_of("(x: f32[1000000,1000000]) -> (y)\n y = Relu(x)\n");
    EXPECT_HAS(snippet(model, SnippetLanguage::python, {}), "1000000, 1000000");
    const Model beyond = model_of("(x: f32[9000000000,9000000000]) -> (y)\n y = Relu(x)\n");
    EXPECT_THROW(snippet(beyond, SnippetLanguage::python, {}), Error)
        << "more elements than can be counted";
}

TEST(Snippet, NamesEveryElementType) {
    const Model model = model_of(
        R"((a: f32[1], b: f64[1], c: i8[1], d: i16[1], e: i32[1], f: i64[1], g: u8[1], h: u16[1], i: u32[1], j: )"
        R"(u64[1], k: bool[1], l: string[2], m: f16[3]) -> (y)
        y = Relu(a))");
    const std::string c = snippet(model, SnippetLanguage::c, {});
    EXPECT_HAS(c, "zeros(6)");  // three halves
    EXPECT_HAS(
        c, "CreateTensorAsOrtValue(allocator, shape_11, 1, ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING");
    EXPECT_HAS(snippet(model, SnippetLanguage::python, {}), "np.full((2,), \"\", dtype=object)");
    EXPECT_HAS(snippet(model, SnippetLanguage::csharp, {}), "DenseTensor<Float16>");
    EXPECT_HAS(snippet(model, SnippetLanguage::rust, {}), "half = \"2\"");
}

}  // namespace
}  // namespace lapidary
