// SPDX-License-Identifier: Apache-2.0
// Programs for ONNX Runtime's tools that quantize: what they contain, warn of and refuse.
// tests/peers/quantize_snippets.py runs them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize_snippet.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

#define EXPECT_HAS(text, part) \
    EXPECT_NE((text).find(part), std::string::npos) << "no " << (part) << " in\n" << (text)
#define EXPECT_LACKS(text, part) \
    EXPECT_EQ((text).find(part), std::string::npos) << (part) << " in\n" << (text)

Model model_of(const std::string& text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    model.opset_imports["com.microsoft"] = 1;
    model.graph = parse_graph(text, {.opset = opset});
    infer_types(model);
    return model;
}

Model small_model(std::int64_t opset = 17) {
    return model_of(
        "(x: f32[n,3,8,8]) -> (y)\nc = Conv(x, k: f32[4,3,3,3]) as \"conv\"\nr = Relu(c)\nf = "
        "Flatten(r) as \"flat\"\n"
        "m = MatMul(f, w: f32[144,64]) as \"first\"\ns = Sin(m)\ny = MatMul(s, v: f32[64,10])",
        opset);
}

QuantizeSnippetSettings settings_of(QuantizeMode mode) {
    QuantizeSnippetSettings settings;
    settings.options.mode = mode;
    settings.options.range = RangeMethod::minmax;
    settings.options.bias_correction = false;
    settings.options.calibration.settled_samples = 0;
    return settings;
}

/// The lines about limits.
std::string reported_in(const std::string& program) {
    std::string reported;
    for (std::size_t at = 0; at < program.size();) {
        const std::size_t end = program.find('\n', at) + 1;
        if (program.compare(at, 4, "# - ") == 0) reported += program.substr(at, end - at);
        at = end;
    }
    return reported;
}

std::string failure_of(const std::function<void()>& work, ErrorCode code) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        return error.what();
    }
    return "not refused";
}

std::string refusal(const QuantizeSnippetSettings& settings,
                    ErrorCode code = ErrorCode::not_supported) {
    return failure_of([&] { quantize_snippet(small_model(), settings); }, code);
}

TEST(QuantizeSnippet, SaysDynamicInTheToolsWords) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::dynamic);
    settings.options.per_channel = false;
    settings.options.reduced_range = true;
    settings.options.symmetric_weight = true;
    settings.model_file = "folder/net.onnx";
    settings.quantized_file = "net.int8.onnx";
    const std::string text = quantize_snippet(small_model(), settings);
    for (const char* part :
         {"onnxruntime==1.32.*", "MODEL = \"folder/net.onnx\"\n", "QUANTIZED = \"net.int8.onnx\"\n",
          "quantize_dynamic(\n", "op_types_to_quantize=[\"Conv\", \"MatMul\"]", "per_channel=False",
          "reduce_range=True", "weight_type=QuantType.QInt8",
          "quant_pre_process(MODEL, path, skip_symbolic_shape=True)"})
        EXPECT_HAS(text, part);
    EXPECT_EQ(reported_in(text), "");
    EXPECT_HAS(text, "come out as Lapidary's");
    for (const char* part :
         {"KEPT_FLOAT", "numpy", "Samples", "convert_version", "external", "nodes_of"})
        EXPECT_LACKS(text, part);
}

TEST(QuantizeSnippet, KeepsWhatStaysFloatByTheValuesThatNodesWrite) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::dynamic);
    settings.options.keep_float = {"first"};
    std::string text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "KEPT_FLOAT = {\n    \"m\",\n}\n");
    EXPECT_HAS(text, "nodes_to_exclude=kept");
    EXPECT_HAS(text, "op_types_to_quantize=[\"Conv\", \"MatMul\"]");
    // all MatMul stay float: the operator is left out, and no nodes have to be listed
    settings.options.keep_float = {"first", "y"};
    text = quantize_snippet(small_model(), settings);
    EXPECT_LACKS(text, "KEPT_FLOAT");
    EXPECT_HAS(text, "op_types_to_quantize=[\"Conv\"]");
    settings = settings_of(QuantizeMode::static_qdq);
    settings.options.keep_float = {"first"};
    text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "KEPT_FLOAT = {\n    \"m\",\n}\n");
    EXPECT_HAS(text, "op_types_to_quantize=[\"Conv\", \"MatMul\", \"Relu\"]");
    settings.options.placement = StaticPlacement::onnxruntime;
    text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "KEPT_FLOAT = {\n    \"m\",\n}\n");
    EXPECT_LACKS(text, "op_types_to_quantize");
}

TEST(QuantizeSnippet, SaysStaticInTheToolsWords) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::static_qdq);
    QuantizeOptions& options = settings.options;
    std::string text = quantize_snippet(small_model(), settings);
    for (const char* part :
         {"quantize_static(\n", "quant_format=QuantFormat.QDQ", "per_channel=True",
          "activation_type=QuantType.QUInt8", "weight_type=QuantType.QInt8",
          "calibrate_method=CalibrationMethod.MinMax", "\"MatMulConstBOnly\": True",
          "\"OpTypesToExcludeOutputQuantization\": [\"MatMul\", \"Gemm\"]",
          "class Samples(CalibrationDataReader):"})
        EXPECT_HAS(text, part);
    EXPECT_LACKS(text, "reduce_range");
    options.activation = DType::i16;
    options.weight = DType::u8;
    options.symmetric_activation = true;
    EXPECT_HAS(quantize_snippet(small_model(), settings), "\"WeightSymmetric\": True");
    options.weight = DType::i4;
    options.placement = StaticPlacement::onnxruntime;
    options.range = RangeMethod::percentile;
    options.percentile = 99.5;
    text = quantize_snippet(small_model(), settings);
    for (const char* part : {"activation_type=QuantType.QInt16", "weight_type=QuantType.QInt4",
                             "\"ActivationSymmetric\": True", "CalibrationMethod.Percentile",
                             "\"CalibPercentile\": 99.5", "\"CalibTensorRangeSymmetric\": True",
                             "onnx.version_converter.convert_version(onnx.load(MODEL), 21)",
                             "quant_pre_process(converted, path"})
        EXPECT_HAS(text, part);
    EXPECT_LACKS(text, "MatMulConstBOnly");
    options = settings_of(QuantizeMode::static_qdq).options;
    options.static_form = StaticForm::operators;
    options.range = RangeMethod::entropy;
    options.calibration.moving_average = 0.25;
    options.calibration.most_samples = 7;
    text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "QuantFormat.QOperator");
    EXPECT_HAS(text, "CalibrationMethod.Entropy");
    EXPECT_HAS(text, "self.left = iter(learned[:7])");
    EXPECT_LACKS(text, "OpTypesToExcludeOutputQuantization");
    options.range = RangeMethod::minmax;
    text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "\"CalibMovingAverage\": True");
    EXPECT_HAS(text, "\"CalibMovingAverageConstant\": 0.25");
}

TEST(QuantizeSnippet, SaysBlocksInTheToolsWords) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::weights);
    QuantizeOptions& options = settings.options;
    std::string text = quantize_snippet(small_model(), settings);
    for (const char* part :
         {"matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer",
          "block_size=32", "is_symmetric=False", "quant_format=QuantFormat.QOperator",
          "op_types_to_quantize=(\"MatMul\",)", "bits=4", "onnx_ir ml_dtypes",
          "save_model_to_file(QUANTIZED, False)"})
        EXPECT_HAS(text, part);
    EXPECT_LACKS(text, "ONNXModel");
    settings.onnxruntime_version = "1.20";
    text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text,
               "matmul_4bits_quantizer import DefaultWeightOnlyQuantConfig, MatMul4BitsQuantizer");
    EXPECT_LACKS(text, "bits=");
    EXPECT_LACKS(text, "onnx_ir");
    settings.onnxruntime_version = "1.22";
    options.weight_bits = 8;
    options.block = 128;
    options.symmetric_blocks = true;
    text = quantize_snippet(small_model(), settings);
    for (const char* part : {"block_size=128", "is_symmetric=True", "bits=8"})
        EXPECT_HAS(text, part);
    options.weight_bits = 4;
    options.block_form = BlockForm::dequantize;
    text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "quant_format=QuantFormat.QDQ");
    options.fitted_blocks = true;
    options.bits_per_weight = 6;
    text = reported_in(quantize_snippet(small_model(), settings));
    EXPECT_HAS(text, "fitted blocks: scales and zero points follow from the extremes");
    EXPECT_HAS(text, "budget of bits: all weights have 4 bits in blocks of 128");
    options.fitted_blocks = false;
    options.bits_per_weight = 0;
    text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "convert_version(onnx.load(MODEL), 21)");
    options.block = 32;
    const Model gemm =
        model_of("(x: f32[n,64]) -> (y)\ny = Gemm(x, w: f32[64,32], b: f32[32]) as \"g\"");
    text = quantize_snippet(gemm, settings);
    EXPECT_HAS(text, "split.replace_gemm_with_matmul()");
    EXPECT_HAS(text, "op_types_to_quantize=(\"MatMul\",)");
    const Model table = model_of(
        "(i: i64[n]) -> (y)\ne = Gather(t: f32[64,64], i) as \"e\"\ny = MatMul(e, w: f32[64,32])");
    options.block_form = BlockForm::matmul_nbits;
    EXPECT_HAS(quantize_snippet(table, settings), "op_types_to_quantize=(\"Gather\", \"MatMul\")");
    EXPECT_HAS(quantize_snippet(table, settings), "convert_version(onnx.load(MODEL), 21)");
    options.weight_bits = 8;
    text = quantize_snippet(table, settings);
    EXPECT_HAS(text, "op_types_to_quantize=(\"MatMul\",)");
    EXPECT_HAS(reported_in(text), "tables of Gather");
}

TEST(QuantizeSnippet, SaysFloat16InTheToolsWords) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::half);
    std::string text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(
        text,
        "convert_float_to_float16(model, keep_io_types=True)\n    onnx.save(half, QUANTIZED)");
    EXPECT_HAS(reported_in(text), "protected nodes");
    settings.nodes = {{"", "conv", "main", true, ""}, {"", "r", "main", true, ""},
                      {"", "flat", "main", true, ""}, {"", "first", "main", false, "too large"},
                      {"", "s", "main", true, ""},    {"", "y", "main", true, ""}};
    text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "KEPT_FLOAT = {\n    \"m\",\n}\n");
    EXPECT_HAS(text, "keep_io_types=True, node_block_list=kept)");
    EXPECT_LACKS(reported_in(text), "protected nodes");
}

TEST(QuantizeSnippet, SaysWhatTheToolsDoDifferently) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::static_qdq);
    const QuantizeOptions plain = settings.options;
    const std::pair<std::function<void(QuantizeOptions&)>, const char*> cases[] = {
        {[](QuantizeOptions& o) { o.range = RangeMethod::mse; }, "least error (mse): MinMax"},
        {[](QuantizeOptions& o) { o.range = RangeMethod::entropy; }, "ranges by entropy"},
        {[](QuantizeOptions& o) { o.range = RangeMethod::percentile; }, "ranges by percentile"},
        {[](QuantizeOptions& o) { o.bias_correction = true; },
         "bias correction: weights are rounded to the nearest, and"},
        {[](QuantizeOptions& o) { o.equalize = true; }, "equalization"},
        {[](QuantizeOptions& o) { o.smoothing = 0.5; }, "smoothing"},
        {[](QuantizeOptions& o) { o.smoothing_by_input = true; }, "smoothing"},
        {[](QuantizeOptions& o) { o.compensated_rounding = true; }, "compensated rounding"},
        {[](QuantizeOptions& o) { o.weights_of = {"MatMul=u8"}; }, "types of their own"},
        {[](QuantizeOptions& o) { o.weights_alone = {"first"}; }, "weights alone"},
        {[](QuantizeOptions& o) { o.calibration.settled_samples = 8; }, "early stop"},
        {[](QuantizeOptions& o) { o.static_form = StaticForm::operators; },
         "results of products too"}};
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "data");
    save_npz(folder / "data/0.npz", {{"x", Tensor(DType::f32, {1, 3, 8, 8})}});
    settings.samples.data = folder / "data";
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)),
               "placement: the tool quantizes node by node");
    settings.options.placement = StaticPlacement::onnxruntime;
    EXPECT_EQ(reported_in(quantize_snippet(small_model(), settings)), "");
    for (const auto& [change, words] : cases) {
        settings.options = plain;
        change(settings.options);
        const std::string reported = reported_in(quantize_snippet(small_model(), settings));
        EXPECT_HAS(reported, words);
        EXPECT_EQ(std::ranges::count(reported, '\n'),
                  settings.options.static_form == plain.static_form ? 2 : 1)
            << reported;
    }
    settings.options.placement = StaticPlacement::onnxruntime;
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)), "other rules than with QDQ");
    settings.options = plain;
    settings.samples.data.clear();
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)),
               "samples: Lapidary made them up");
    settings = settings_of(QuantizeMode::dynamic);
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)),
               "convolutions: quantize_dynamic has one scale");
    settings.options.fused_operators = true;
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)), "fused");
    const Model masked = model_of(
        "(q: f32[1,4,32], m: f32[1,1,4]) -> (y)\na = MatMul(q, w: f32[32,4])\nb = Mul(m, big: "
        "f32[]{-1e9})\n"
        "s = Add(a, b)\nt = Softmax(s)\ny = MatMul(t, v: f32[4,8])");
    settings = settings_of(QuantizeMode::static_qdq);
    EXPECT_HAS(reported_in(quantize_snippet(masked, settings)), "masks: constants");
    settings.options.bound_masks = false;
    EXPECT_LACKS(reported_in(quantize_snippet(masked, settings)), "masks");
}

TEST(QuantizeSnippet, GivesWeightsZeroPointsWhereTheToolCanRunThem) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::dynamic);
    settings.options.keep_float = {"Conv"};
    std::string text = quantize_snippet(small_model(), settings);
    EXPECT_HAS(text, "extra_options={\"WeightSymmetric\": False}");
    EXPECT_EQ(reported_in(text), "");
    settings.options.bias_correction = true;
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)),
               "their errors do not cancel out");
    const Model recurrent = model_of(
        "(x: f32[n,1,16]) -> (y)\na, h, c = LSTM(x, w: f32[1,32,16], r: f32[1,32,8]) {hidden_size: "
        "8}\n"
        "f = Flatten(h)\ny = MatMul(f, v: f32[8,10])");
    settings = settings_of(QuantizeMode::dynamic);
    text = quantize_snippet(recurrent, settings);
    EXPECT_LACKS(text, "WeightSymmetric");
    EXPECT_HAS(reported_in(text), "zero points of weights: left out");
    settings.options.symmetric_weight = true;
    EXPECT_EQ(reported_in(quantize_snippet(recurrent, settings)), "");
}

TEST(QuantizeSnippet, RefusesWhatTheToolsCannotDo) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::weights);
    settings.options.storage = WeightStorage::float8;
    EXPECT_HAS(refusal(settings), "float8 only where activations are float8 too");
    settings.options.storage = WeightStorage::bfloat16;
    EXPECT_HAS(refusal(settings), "bfloat16");
    settings.options.storage = WeightStorage::blocks;
    settings.options.weight_bits = 8;
    settings.options.block_form = BlockForm::dequantize;
    EXPECT_HAS(refusal(settings), "choose the block form nbits");
    settings.options.block_form = BlockForm::matmul_nbits;
    settings.onnxruntime_version = "1.21";
    EXPECT_HAS(refusal(settings), "need ONNX Runtime 1.22");
    settings = settings_of(QuantizeMode::static_qdq);
    settings.options.activation = DType::i8;
    settings.options.weight = DType::u8;
    EXPECT_HAS(refusal(settings), "refuses activations of s8 with unsigned weights");
    settings = settings_of(QuantizeMode::static_qdq);
    settings.options.static_form = StaticForm::operators;
    settings.options.activation = DType::u16;
    EXPECT_HAS(refusal(settings), "16 bits in format QDQ alone");
    settings.options.activation = DType::u8;
    settings.options.weight = DType::i4;
    EXPECT_HAS(refusal(settings), "4 bits in format QDQ alone");
    settings = settings_of(QuantizeMode::dynamic);
    for (const char* version : {"1.19", "1.3", "2.0", "x"}) {
        settings.onnxruntime_version = version;
        EXPECT_NE(refusal(settings), "not refused") << version;
    }
    settings.onnxruntime_version = "1.19";
    EXPECT_HAS(refusal(settings), "1.20 and newer, not 1.19");
    settings = settings_of(QuantizeMode::dynamic);
    settings.options.keep_float = {"*"};
    EXPECT_HAS(refusal(settings), "none of the 6 nodes");
    settings = settings_of(QuantizeMode::dynamic);
    settings.model_file = std::string("a\0b", 3);
    EXPECT_HAS(refusal(settings), "model file is empty or holds a zero byte");
    settings.model_file = "a/net.onnx";
    settings.quantized_file = "a/./net.onnx";
    EXPECT_HAS(refusal(settings, ErrorCode::invalid_input), "is the model itself");
}

TEST(QuantizeSnippet, FitsEveryVersion) {
    ASSERT_EQ(quantize_snippet_versions().front(), "1.32");
    ASSERT_EQ(quantize_snippet_versions().back(), "1.20");
    for (const QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::static_qdq,
                                    QuantizeMode::weights, QuantizeMode::half})
        for (const std::string& version : quantize_snippet_versions()) {
            QuantizeSnippetSettings settings = settings_of(mode);
            settings.onnxruntime_version = version;
            EXPECT_HAS(quantize_snippet(small_model(), settings), "onnxruntime==" + version + ".*");
        }
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::dynamic);
    settings.onnxruntime_version = "1.23";
    EXPECT_HAS(quantize_snippet(small_model(), settings), "weight_type=QuantType.QUInt8");
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)), "weights: unsigned");
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)),
               "of ONNX Runtime 1.32, 1.23 may choose others");
    settings.options.keep_float = {"Conv"};
    EXPECT_HAS(quantize_snippet(small_model(), settings), "weight_type=QuantType.QInt8");
    settings.options.keep_float.clear();
    settings.onnxruntime_version = "1.24";
    EXPECT_HAS(quantize_snippet(small_model(), settings), "weight_type=QuantType.QInt8");
    settings.onnxruntime_version = "1.40";
    EXPECT_TRUE(quantize_snippet(small_model(), settings)
                    .starts_with("# Names and values are those of ONNX Runtime "));
    EXPECT_HAS(reported_in(quantize_snippet(small_model(), settings)), "1.40 may choose others");
    EXPECT_HAS(quantize_snippet(small_model(12), settings),
               "convert_version(onnx.load(MODEL), 13)");
}

TEST(QuantizeSnippet, WritesNamesAsTheyAre) {
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::dynamic);
    settings.options.keep_float = {"first"};
    settings.model_file = "odd \"net\" 'x' \\ \n.onnx";
    Model model = small_model();
    for (const NodeId id : model.graph.nodes())
        if (model.graph.node(id).name == "first") {
            GraphEdit edit(model.graph, "test");
            edit.rename(model.graph.node(id).outputs[0], std::string("v\"\n#\0'", 6));
            edit.finish();
        }
    const std::string text = quantize_snippet(model, settings);
    EXPECT_HAS(text, "MODEL = \"odd \\\"net\\\" 'x' \\\\ \\x0a.onnx\"\n");
    EXPECT_HAS(text, "KEPT_FLOAT = {\n    \"v\\\"\\x0a#\\x00'\",\n}\n");
}

TEST(QuantizeSnippet, ReadsSamplesAsTheyLie) {
    const TemporaryFolder folder;
    const Tensor one(DType::f32, {1, 3, 8, 8}), many(DType::f32, {6, 3, 8, 8});
    for (const char* name : {"archives", "arrays", "pictures", "sounds", "empty"})
        std::filesystem::create_directory(folder / name);
    save_npz(folder / "archives/0.npz", {{"x", one}});
    save_npy(folder / "arrays/0.npy", one);
    save_npz(folder / "many.npz", {{"x", many}});
    save_npz(folder / "named.npz",
             {{"pictures", Tensor(DType::u8, {6, 3, 8, 8})}, {"labels", Tensor(DType::i64, {6})}});
    save_npz(folder / "two.npz", {{"a", many}, {"b", many}});
    for (const char* name : {"pictures/0.png", "sounds/0.wav", "empty/readme.txt"})
        std::ofstream(folder / name) << "x";
    QuantizeSnippetSettings settings = settings_of(QuantizeMode::static_qdq);
    const auto text_for = [&](const std::filesystem::path& data) {
        settings.samples.data = data;
        return quantize_snippet(small_model(), settings);
    };
    const auto failure_for = [&](const std::filesystem::path& data, ErrorCode code) {
        return failure_of([&] { text_for(data); }, code);
    };
    std::string text = text_for(folder / "archives");
    EXPECT_HAS(text, "path.suffix.lower() in (\".npz\",)");
    EXPECT_LACKS(text, "picture(");
    EXPECT_HAS(text_for(folder / "arrays"), "return {\"x\": np.load(path)}");
    EXPECT_HAS(text_for(folder / "many.npz"), "count > 1 and count % 1 == 0");
    settings.samples.images.mean = {1, 2, 3};
    settings.samples.images.stddev = {4, 5, 6};
    text = text_for(folder / "named.npz");
    EXPECT_HAS(text, "archive[\"pictures\"]");
    EXPECT_HAS(text, "sample = sample - np.float32([1, 2, 3]).reshape(-1, 1, 1)");
    EXPECT_HAS(text, "sample = sample / np.float32([4, 5, 6]).reshape(-1, 1, 1)");
    EXPECT_HAS(text_for((folder / "many.npz").string() + ":x"), "archive[\"x\"]");
    settings.samples.images.bgr = true;
    text = text_for(folder / "pictures");
    for (const char* part :
         {"pillow", "plane.resize((8, 8), PIL.Image.Resampling.BILINEAR)", "pixels[..., ::-1]",
          "pixels.transpose(2, 0, 1)", "pixels - np.float32([1, 2, 3])"})
        EXPECT_HAS(text, part);
    EXPECT_HAS(failure_for(folder / "sounds", ErrorCode::not_supported), "sounds");
    EXPECT_HAS(failure_for(folder / "empty", ErrorCode::invalid_input), "holds no sample");
    EXPECT_HAS(failure_for(folder / "two.npz", ErrorCode::invalid_input), "2 arrays of ");
    EXPECT_HAS(failure_for((folder / "many.npz").string() + ":z", ErrorCode::invalid_input),
               "no array \"z\"");
    EXPECT_HAS(failure_for(folder / "nowhere", ErrorCode::io_failure), "does not exist");
    settings.samples.is_text = true;
    EXPECT_HAS(failure_for(folder / "empty/readme.txt", ErrorCode::not_supported), "is text");
    settings.samples.is_text = false;
    EXPECT_HAS(text_for({}), "numbers.standard_normal((1, 3, 8, 8)).astype(np.float32)");
}

}  // namespace
}  // namespace lapidary
