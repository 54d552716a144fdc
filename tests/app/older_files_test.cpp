// SPDX-License-Identifier: Apache-2.0
// JSON as earlier versions wrote it into recipes, metadata of models and files of counts: it is
// read, and written the same again, since names of quantized files and keys of caches are made from
// the text.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>

#include "worker/protocol/accuracy_json.h"
#include "worker/protocol/quantization.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {
namespace {

TEST(OlderFiles, RecipesAreReadAndWrittenTheSame) {
    for (
        const char* text : {
            "{}",
            R"({"level":"extended"})",
            R"({"dimensions":{"batch":4,"n":0},"disabled_passes":["fuse_gelu"],"enabled_passes":["approximate_gelu"],)"
            R"("level":"all","session_passes":false,"stop_after":9})",
            R"({"level":"basic","quantization":{"options":{},"samples":{}}})",
            R"({"quantization":{"options":{"activation":"u16","block_form":"dequantize","keep_float":["/a/*","Gelu"],)"
            R"("mode":"static","most_samples":3,"percentile":99.9,"range":"percentile","static_form":"qoperator",)"
            R"("threads":2,"weight":"u4"},"samples":{"array_layout":"nhwc","bgr":true,"crop":0.875,)"
            R"("data":"/home/me/pictures","mean":[0.5,0.25,0.0],"seed":7,"std":[0.5,2.0,1.0],"tokens":64,)"
            R"("vocabulary":"/home/me/vocab.txt"}}})",
            R"({"other_model":{"bytes":12,"file":"/b.onnx","modified":-5}})",
            R"({"other_model":{"bytes":12,"channel_block":8,"file":"/b.onnx","modified":0}})",
            R"({"runs_on":{"engine":"lapidary","fallback":"forbid","providers":["cuda:device=1,precision=tf32"]}})",
            R"({"level":"all","runs_on":{"engine":"onnxruntime","place":"/opt/onnxruntime"}})",
            R"({"runs_on":{"engine":"abacus:beads=3"}})",
        })
        EXPECT_EQ(recipe_text(parse_recipe(text)), text);
}

TEST(OlderFiles, QuantizationsAreReadAndWrittenTheSame) {
    const char* const text =
        R"({"options":{"bias_correction":false,"block":64,"bound_masks":false,"compensated_rounding":true,)"
        R"("equalize":true,"fused_operators":true,"mode":"weights","moving_average":0.01,"per_channel":false,)"
        R"("placement":"onnxruntime","range_headroom":0.5,"reduced_range":true,"settled_change":0.5,)"
        R"("settled_samples":4,"smoothing":0.5,"smoothing_by_input":true,"storage":"float8",)"
        R"("symmetric_activation":true,"symmetric_blocks":true,"symmetric_weight":true,"weight_bits":8,)"
        R"("weights_alone":["b"],"weights_of":["a=s8"]},"samples":{"generated":3,"lower_case":false,)"
        R"("scale_chosen":true}})";
    EXPECT_EQ(quantization_text(parse_quantization(text)), text);
    for (const char* refused : {R"({"options":{}})", R"({"options":{"speed":1},"samples":{}})",
                                R"({"options":{},"samples":{"std":[1,0,1]}})",
                                R"({"options":{},"samples":{"crop":1.5}})"})
        EXPECT_THROW(parse_quantization(refused), Error) << refused;
}

TEST(OlderFiles, CountsOfAccuracyAreRead) {
    const AccuracyCounts counts =
        parse_accuracy(R"({"samples": 10, "left_out": 1, "rows": 14, "top1": 7, "topk": 8,
        "k": 5, "classes": {"-1": [1, 2, 3], "12": [4, 5, 6]}, "cosine_sum": "nan", "vectors": 2, "out_of_range": 0,
        "expected_boxes": {"3": 4}, "found_boxes": {"3": {"scores": [0.5, 0.25], "samples": [0, 1],
        "thresholds": [3, 0]}}, "warnings": ["careful"]})");
    EXPECT_EQ(counts.classes.at(12), (ClassCounts{4, 5, 6}));
    EXPECT_EQ(counts.detections.expected.at(3), 4u);
    EXPECT_EQ(counts.detections.found.at(3).at(1), (MatchedBox{0.25f, 1, 0}));
    EXPECT_EQ(accuracy_text(parse_accuracy(accuracy_text(counts))), accuracy_text(counts));
    EXPECT_THROW(parse_accuracy(R"({"samples": 10})"), Error);
}

}  // namespace
}  // namespace lapidary::app
