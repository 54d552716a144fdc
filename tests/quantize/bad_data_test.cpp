// SPDX-License-Identifier: Apache-2.0
// Data as scripts and spreadsheets leave it: other element types, marks in front of text, labels
// that disagree, values that are no numbers. Each is taken, or refused in a sentence that names
// what was found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include <lapidary/proof/accuracy.h>
#include <lapidary/inputs/array_samples.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text, {.opset = 17});
    infer_types(*model);
    return model;
}

template <typename Call>
std::string complaint_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) { return error.what(); }
    return "nothing was refused";
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

bool has_note(const std::vector<std::string>& notes, const std::string& part) {
    return std::ranges::any_of(notes, [&](const std::string& note) { return holds(note, part); });
}

const NodeDecision& decision_of(const QuantizeResult& result, const std::string& name) {
    const auto at = std::ranges::find(result.nodes, name, &NodeDecision::name);
    if (at == result.nodes.end()) throw std::runtime_error("no decision on " + name);
    return *at;
}

TEST(BadData, OtherElementTypesBecomeThoseOfTheInput) {
    const TemporaryFolder folder;
    const ModelPtr floats = model_of("(x: f32[n,2]) -> (y)\ny = Relu(x)");
    save_npz(folder / "doubles.npz", {{"x", Tensor::of<double>({2, 2}, {1, 2, 3, 0.1})}});
    const auto doubles = folder_samples(*floats, folder / "doubles.npz");
    ASSERT_EQ(doubles->size(), 2u);
    EXPECT_EQ(doubles->at(1)[0].second.tensor().data<float>()[1], 0.1f);
    save_npy(folder / "halves.npy", Tensor::of<Half>({1, 2}, {Half(1.5f), Half(2)}));
    EXPECT_EQ(
        folder_samples(*floats, folder / "halves.npy")->at(0)[0].second.tensor().data<float>()[0],
        1.5f);
    save_npz(folder / "bytes.npz", {{"x", Tensor::of<std::uint8_t>({1, 2}, {100, 200})}});
    ImageOptions pixels;
    pixels.mean = {100, 100, 100};
    pixels.stddev = {50, 50, 50};
    EXPECT_EQ(folder_samples(*floats, folder / "bytes.npz", pixels)
                  ->at(0)[0]
                  .second.tensor()
                  .data<float>()[1],
              2);

    const ModelPtr tokens = model_of("(x: i32[n,2]) -> (y)\ny = Neg(x)");
    save_npz(folder / "long.npz", {{"x", Tensor::of<std::int64_t>({2, 2}, {1, 2, 3, 4})}});
    EXPECT_EQ(folder_samples(*tokens, folder / "long.npz")
                  ->at(1)[0]
                  .second.tensor()
                  .data<std::int32_t>()[1],
              4);
    save_npz(folder / "large.npz",
             {{"x", Tensor::of<std::int64_t>({1, 2}, {1, std::int64_t(1) << 40})}});
    const auto large = folder_samples(*tokens, folder / "large.npz");
    EXPECT_TRUE(
        holds(complaint_of([&] { large->at(0); }), "has no room for 1099511627776 at element 1"));
    save_npz(folder / "mixed.npz", {{"x", Tensor::of<std::int64_t>({1, 2}, {1, 2})}});
    EXPECT_EQ(folder_samples(*floats, folder / "mixed.npz")->at(0)[0].second.tensor().dtype(),
              DType::i64)
        << "integers are no floats: the run says what it expected";
}

TEST(BadData, ArchivesMayHoldMoreThanTheInputs) {
    const TemporaryFolder folder;
    const ModelPtr model = model_of("(x: f32[n,2], z: f32[n,2]) -> (y)\ny = Add(x, z)");
    const Tensor row = Tensor::of<float>({1, 2}, {1, 2});
    save_npz(folder / "a.npz",
             {{"z", row}, {"label", Tensor::of<std::int64_t>({1}, {3})}, {"x", row}});
    save_npz(folder / "b.npz", {{"x", row}, {"label", Tensor::of<std::int64_t>({1}, {3})}});
    const auto samples = folder_samples(*model, folder.path());
    EXPECT_EQ(samples->at(0).size(), 2u);
    EXPECT_TRUE(holds(complaint_of([&] { samples->at(1); }),
                      "there is no array \"z\", there are x, label"));
}

TEST(BadData, ArraysThatDoNotFitAreRefusedByTheirHeaders) {
    const TemporaryFolder folder;
    const ModelPtr model = model_of("(x: f32[n,2]) -> (y)\ny = Relu(x)");
    save_npz(folder / "a.npz", {{"x", Tensor(DType::f32, {1, 3'000'000})}});
    save_npy(folder / "b.npy", Tensor(DType::f32, {1, 3}));
    const auto samples = folder_samples(*model, folder.path());
    EXPECT_TRUE(holds(complaint_of([&] { samples->at(0); }),
                      "a.npz: array \"x\": expected f32[n,2], found f32[1,3000000]"))
        << complaint_of([&] { samples->at(0); });
    EXPECT_TRUE(holds(complaint_of([&] { samples->at(1); }), "found f32[1,3]"));
}

TEST(BadData, ArraysWithoutRowsAndUnknownFilesAreRefused) {
    const TemporaryFolder folder;
    const ModelPtr model = model_of("(x: f32[n,2]) -> (y)\ny = Relu(x)");
    save_npz(folder / "none.npz", {{"x", Tensor(DType::f32, {0, 2})}});
    const auto none = folder_samples(*model, folder / "none.npz");
    EXPECT_TRUE(holds(complaint_of([&] { none->at(0); }), "array \"x\" holds no sample: f32[0,2]"));
    std::ofstream(folder / "lines.txt") << "some text\n";
    const auto lines = folder_samples(*model, folder / "lines.txt");
    EXPECT_TRUE(holds(complaint_of([&] { lines->at(0); }), "lines of text need a vocabulary"));
}

TEST(BadData, MarksAndZerosInText) {
    const TemporaryFolder folder;
    std::ofstream(folder / "mark.csv") << "\xEF\xBB\xBF"
                                          "4\r\n5\r\n";
    const Labels marked = load_labels(folder / "mark.csv");
    ASSERT_EQ(marked.values.size(), 2u) << "the mark is no header";
    EXPECT_EQ(to_int64s(marked.values[0])[0], 4);
    std::ofstream(folder / "zero.txt") << "one\ntw" << '\0' << "o\n";
    EXPECT_TRUE(holds(complaint_of([&] { load_lines(folder / "zero.txt", 100); }),
                      "line 2: expected text in UTF-8"));
    std::ofstream(folder / "ends.txt", std::ios::binary) << "one\r\n\ntwo";
    EXPECT_EQ(load_lines(folder / "ends.txt", 100), (std::vector<std::string>{"one", "", "two"}));
    EXPECT_TRUE(
        holds(complaint_of([&] { load_lines(folder / "ends.txt", 3); }), "at most 3 are read"));
}

TEST(BadData, LabelsThatDisagreeAreRefused) {
    const TemporaryFolder folder;
    std::ofstream(folder / "twice.csv") << "a.png,1\nb.png,2\na.png,1\n";
    EXPECT_EQ(load_labels(folder / "twice.csv").names,
              (std::vector<std::string>{"a.png", "b.png"}));
    std::ofstream(folder / "both.csv") << "a.png,1\nb.png,2\na.png,3\n";
    EXPECT_TRUE(holds(complaint_of([&] { load_labels(folder / "both.csv"); }),
                      "line 3: \"a.png\" has the class 1 already, found 3"));
    EXPECT_EQ(labels_per_sample(load_labels(folder / "twice.csv"), 9), 1u) << "they go by name";
    std::ofstream(folder / "plain.csv") << "1\n2\n3\n4\n";
    const Labels plain = load_labels(folder / "plain.csv");
    EXPECT_EQ(labels_per_sample(plain, 2), 2u);
    EXPECT_EQ(complaint_of([&] { labels_per_sample(plain, 3); }),
              "there are 4 labels for 3 samples");
}

TEST(BadData, AFirstLineIsAHeaderOnlyWhereItReadsLikeOne) {
    const TemporaryFolder folder;
    const auto loaded = [&](const std::string& text) {
        std::ofstream(folder / "labels.csv") << text;
        return load_labels(folder / "labels.csv");
    };
    const auto refused = [&](const std::string& text) {
        return complaint_of([&] { loaded(text); });
    };
    EXPECT_EQ(loaded("file,class\na.png,1\n").header, "file,class");
    EXPECT_EQ(loaded("label\n1\n").header, "label");
    EXPECT_EQ(loaded("a.png,1\n").header, "");
    for (const char* mistyped :
         {"a.png,3x\nb.png,1\n", "a.png,1.0\nb.png,1\n", "a.png,-1\nb.png,1\n", "-1\n1\n",
          "a.png,two\nb.png,1\n", "a.png,\nb.png,1\n", "0x3\n1\n"})
        EXPECT_TRUE(holds(refused(mistyped), "line 1: expected a class")) << mistyped;
    std::ofstream(folder / "boxes.csv") << "a.png,1x,0,0,1,1\na.png,1,0,0,1,1\n";
    EXPECT_TRUE(holds(complaint_of([&] { load_boxes(folder / "boxes.csv"); }),
                      "line 1: expected a file name"));
    std::ofstream(folder / "boxes.csv") << "file,class,left,top,right,bottom\na.png,1,0,0,1,1\n";
    EXPECT_EQ(load_boxes(folder / "boxes.csv").header, "file,class,left,top,right,bottom");
}

TEST(BadData, QuotesThatAreNotClosedAreRefused) {
    const TemporaryFolder folder;
    std::ofstream(folder / "labels.csv") << "a.png,1\n\"b.png,2\n";
    EXPECT_TRUE(holds(complaint_of([&] { load_labels(folder / "labels.csv"); }),
                      "line 2: a quote is not closed"));
    std::ofstream(folder / "boxes.csv") << "\"a.png,1,0,0,1,1\n";
    EXPECT_TRUE(holds(complaint_of([&] { load_boxes(folder / "boxes.csv"); }),
                      "line 1: a quote is not closed"));
    std::ofstream(folder / "texts.tsv") << "a.wav\ta 5\" nail\n";
    EXPECT_EQ(load_texts(folder / "texts.tsv").texts.front(), "a 5\" nail")
        << "texts are no fields";
}

TEST(BadData, LabelsWithoutASampleOrAClassAreReported) {
    const TemporaryFolder folder;
    const ModelPtr model = model_of("(x: f32[n,3]) -> (y)\ny = Identity(x)");
    for (const char* name : {"a.npy", "b.npy"})
        save_npy(folder / name, Tensor::of<float>({1, 3}, {1, 2, 3}));
    std::ofstream(folder / "labels.csv") << "file,class\na.npy,2\nb.npy,9\nc.npy,1\n";
    const Labels labels = load_labels(folder / "labels.csv");
    const AccuracyCounts counts =
        measure_accuracy(model, *folder_samples(*model, folder.path()), labels);
    EXPECT_EQ(counts.top1, 1u);
    EXPECT_TRUE(has_note(counts.warnings,
                         "the first line of the labels, \"file,class\", is taken for a header"));
    EXPECT_TRUE(has_note(counts.warnings, "1 of 2 labels is no class of the output, which has 3"));
    EXPECT_TRUE(
        has_note(counts.warnings, "1 of 3 labels is of no sample; the first is that of \"c.npy\""));
}

#ifndef _WIN32
TEST(BadData, ABrokenLinkIsLeftOutAlone) {
    const TemporaryFolder folder;
    const ModelPtr model = model_of("(x: f32[n,3]) -> (y)\ny = Identity(x)");
    std::filesystem::create_symlink("loop.npy", folder / "loop.npy");
    EXPECT_TRUE(holds(complaint_of([&] { folder_samples(*model, folder.path()); }),
                      "loop.npy\" cannot be read: "));
    EXPECT_TRUE(holds(complaint_of([&] { folder_samples(*model, folder / "loop.npy"); }),
                      "cannot be read: "));
    EXPECT_TRUE(holds(complaint_of([&] { folder_samples(*model, folder / "none.npy"); }),
                      "does not exist"));
    save_npy(folder / "sample.npy", Tensor::of<float>({1, 3}, {1, 2, 3}));
    const auto samples = folder_samples(*model, folder.path());
    EXPECT_EQ(samples->size(), 1u);
    ASSERT_EQ(samples->warnings().size(), 1u);
    EXPECT_TRUE(holds(samples->warnings()[0], "left out: \"") &&
                holds(samples->warnings()[0], "loop.npy"));
    std::filesystem::create_symlink("gone", folder / "nowhere");
    const std::vector<std::string> warnings = folder_samples(*model, folder.path())->warnings();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(holds(warnings[0], "2 entries of the folder were left out"));
}
#endif

TEST(BadData, AnswersThatAreNoNumbersAreWrong) {
    const ModelPtr model = model_of("(x: f32[n,3]) -> (y)\ny = Identity(x)");
    const auto samples = given_samples({{{"x", Tensor::of<float>({1, 3}, {not_a_number, 1, 2})}},
                                        {{"x", Tensor::of<float>({1, 3}, {5, 1, 2})}}});
    Labels labels;
    for (int i = 0; i < 2; ++i) labels.values.push_back(Tensor::of<std::int64_t>({1}, {0}));
    const AccuracyCounts counts = measure_accuracy(model, *samples, labels);
    EXPECT_EQ(counts.rows, 2u);
    EXPECT_EQ(counts.top1, 1u);
    EXPECT_EQ(counts.topk, 1u);
    EXPECT_TRUE(has_note(counts.warnings, "1 of 2 answers hold values that are no numbers"));
    const ModelPtr broken =
        model_of("(x: f32[n,3]) -> (y)\nq = Sub(x, x)\nz = Div(q, q)\ny = Add(x, z)");
    const QuantizedAccuracy accuracy =
        evaluate_quantized(model, broken, *given_samples({samples->at(1)}));
    EXPECT_EQ(accuracy.outputs.at(0).flips, 1u);
    EXPECT_EQ(accuracy.sqnr_db(), -std::numeric_limits<double>::infinity())
        << "as if it held zeros";
    EXPECT_TRUE(
        has_note(accuracy.warnings, "of the quantized model is not finite in 3 of 3 elements"));
}

TEST(BadData, WeightsThatAreNotFiniteStayFloat) {
    auto model =
        std::make_shared<Model>(*model_of("(x: f32[n,64]) -> (y)\na = MatMul(x, w: f32[64,64]) as "
                                          "\"first\"\ny = MatMul(a, v: f32[64,8]) as \"last\""));
    GraphEdit edit(model->graph, "test");
    const ValueId weight = model->graph.find_value("w");
    Tensor values = *model->graph.value(weight).constant;
    values.mutable_data<float>()[70] = not_a_number;
    edit.set_constant(weight, values);
    edit.finish();
    for (const QuantizeMode mode :
         {QuantizeMode::dynamic, QuantizeMode::static_qdq, QuantizeMode::weights}) {
        QuantizeOptions options;
        options.mode = mode;
        const auto samples =
            given_samples({{{"x", Tensor::of<float>({1, 64}, std::vector<float>(64, 1.0f))}}});
        const QuantizeResult result = quantize_model(*model, options, samples.get());
        EXPECT_FALSE(decision_of(result, "first").quantized);
        EXPECT_EQ(decision_of(result, "first").reason,
                  "its constant \"w\" holds values that are not finite");
        EXPECT_TRUE(has_note(result.notes, "node \"first\" stays float: its constant \"w\""));
        EXPECT_TRUE(decision_of(result, "last").quantized) << "its own weight is as it should be";
    }
}

TEST(BadData, UnknownRangesQuantizeNothing) {
    const ModelPtr model = model_of(
        "(x: f32[n,4,6,6]) -> (y)\na = Conv(x, w: f32[8,4,3,3])\nm = MaxPool(a) {kernel_shape: "
        "[2,2]}\n"
        "y = Conv(m, v: f32[4,8,1,1])");
    QuantizeOptions options;
    options.mode = QuantizeMode::static_qdq;
    const auto samples = given_samples(
        {{{"x", Tensor::of<float>({1, 4, 6, 6}, std::vector<float>(144, not_a_number))}}});
    const QuantizeResult result = quantize_model(*model, options, samples.get());
    EXPECT_EQ(result.quantized, 0u);
    EXPECT_TRUE(
        has_note(result.notes,
                 "no node was quantized; of 3 nodes 3 because: the range of its input is not"));
    for (const std::string& note : result.notes)
        EXPECT_EQ(std::ranges::count(result.notes, note), 1) << note;
}

TEST(BadData, OptionsThatMeanNothingInTheModeAreReported) {
    const ModelPtr model = model_of("(x: f32[n,64]) -> (y)\ny = MatMul(x, w: f32[64,64])");
    QuantizeOptions options;
    options.mode = QuantizeMode::weights;
    options.activation = DType::u16;
    options.fused_operators = true;
    const QuantizeResult result = quantize_model(*model, options);
    EXPECT_TRUE(has_note(
        result.notes, "types of activations were asked for, of which mode weights makes no use"));
    EXPECT_TRUE(has_note(result.notes, "fused operators were asked for"));
    QuantizeOptions blocks;
    blocks.mode = QuantizeMode::weights;
    blocks.block = 64;
    EXPECT_TRUE(quantize_model(*model, blocks).notes.empty());
}

TEST(BadData, NotesOfExportersAtNodesAreLeftOut) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[n,64]) -> (z)\nz = Neg(x)", {.opset = 17});
    GraphEdit edit(model.graph, "test");
    const ValueId x = model.graph.find_value("x");
    const ValueId y = edit.add_value("y");
    const ValueId w =
        edit.add_initializer("w", Tensor::of<float>({64, 4}, std::vector<float>(256, 0.5f)));
    edit.add_node({.op_type = "MatMul",
                   .inputs = {x, w},
                   .outputs = {y},
                   .name = "product",
                   .doc = "written here",
                   .metadata = {{"trace", std::string(500, 't')}}});
    edit.add_output(y);
    edit.finish();
    infer_types(model);
    const QuantizeResult result = quantize_model(model, {});
    EXPECT_TRUE(has_note(result.notes, "left out 517 bytes that the exporter noted at nodes"));
    for (NodeId id : result.model.graph.nodes()) {
        EXPECT_TRUE(result.model.graph.node(id).metadata.empty());
        EXPECT_TRUE(result.model.graph.node(id).doc.empty());
    }
    const auto noted = std::ranges::count_if(
        model.graph.nodes(), [&](NodeId id) { return !model.graph.node(id).metadata.empty(); });
    EXPECT_EQ(noted, 1) << "the original keeps them";
}

}  // namespace
}  // namespace lapidary
