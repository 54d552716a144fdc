// SPDX-License-Identifier: Apache-2.0
// Kernels that wait for memory alone read pieces of 16 bytes: rows of any length, in four orders of
// threads, beside those that go element by element.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "kernels/movement/copy_layout.h"
#include "kernels/divide.cuh"
#include "kernels/normalization/embedding.h"
#include "kernels/elementwise/make_chain.h"
#include "kernels/reduction/reduction.h"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

struct Case {
    const char* name;
    const char* graph;
    std::int64_t opset = 17;
    SessionPasses::Set passes = SessionPasses::Set::none;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr auto session = SessionPasses::Set::all;

constexpr Case cases[] = {
    // normalization: a warp per row of one to four (eight) pieces a thread
    {"LayerNormOfWarps",
     "(x: f32[5,136], u: f32[3,2,260], v: f32[3,700], w: f32[2,1024]) -> (y, m, d, a, b, c)\n"
     "y, m, d = LayerNormalization(x, g: f32[136], h: f32[136])\na = LayerNormalization(u, k: "
     "f32[260])\n"
     "b = LayerNormalization(v, o: f32[700], p: f32[700])\nc = LayerNormalization(w, q: f32[1024], "
     "r: f32[1024])"},
    {"LayerNormOfHalves",
     "(x: f16[5,136], u: f16[3,2,264], v: f16[301,768], w: f16[2,1024]) -> (y, a, b, c)\n"
     "y = LayerNormalization(x, g: f16[136], h: f16[136])\na = LayerNormalization(u, k: f16[264])\n"
     "b = LayerNormalization(v, o: f16[768], p: f16[768])\nc = LayerNormalization(w, q: f16[1024], "
     "r: f16[1024])"},
    {"LayerNormOfBlocks",
     "(x: f32[3,1032], u: f32[2,2052], v: f32[2,8192]) -> (y, m, d, a, b)\n"
     "y, m, d = LayerNormalization(x, g: f32[1032], h: f32[1032])\na = LayerNormalization(u, k: "
     "f32[2052])\n"
     "b = LayerNormalization(v, o: f32[8192], p: f32[8192])"},
    {"LayerNormOfBlocksOfHalves",
     "(x: f16[3,1032], u: f16[2,2056], v: f16[2,4104]) -> (y, a, b)\n"
     "y = LayerNormalization(x, g: f16[1032], h: f16[1032])\na = LayerNormalization(u, k: "
     "f16[2056])\n"
     "b = LayerNormalization(v, o: f16[4104], p: f16[4104])"},
    {"LayerNormLong",
     "(x: f32[2,8196], u: f16[2,9000]) -> (y, z)\ny = LayerNormalization(x, g: f32[8196], h: "
     "f32[8196])\nz = LayerNormalization(u, k: f16[9000], o: f16[9000])"},
    {"LayerNormOdd",
     "(x: f16[3,1021], u: f16[2,8191]) -> (y, z)\ny = LayerNormalization(x, g: f16[1021])\n"
     "z = LayerNormalization(u, k: f16[8191])"},
    {"SkipNormOfWarps",
     "(x: f16[2,3,72], s: f16[3,72], u: f16[3,5,768], v: f16[1,5,768]) -> (y, t, z, w)\ny, _, _, t "
     "= "
     "com.microsoft::SkipLayerNormalization(x, s, g: f16[72], h: f16[72], c: f16[72])\nz, _, _, w "
     "= "
     "com.microsoft::SkipLayerNormalization(u, v, k: f16[768])"},
    {"SkipNormOfBlocks",
     "(x: f32[2,3,1100], s: f32[3,1100]) -> (y, m, d, t)\ny, m, d, t = "
     "com.microsoft::SkipLayerNormalization(x, s, g: f32[1100], h: f32[1100], c: f32[1100])"},
    {"SkipRootMeanSquare",
     "(x: f32[2,3,64], s: f32[2,3,64], u: f16[2,2,8200], v: f16[2,2,8200]) -> (y, t, z, w)\ny, _, "
     "_, t = "
     "com.microsoft::SkipSimplifiedLayerNormalization(x, s, g: f32[64])\nz, _, _, w = "
     "com.microsoft::SkipSimplifiedLayerNormalization(u, v, k: f16[8200])"},
    {"RootMeanSquareOfPieces",
     "(x: f32[3,72], u: f16[3,2048]) -> (y, z)\ny = RMSNormalization(x, g: f32[72])\n"
     "z = RMSNormalization(u, h: f16[2048])",
     23},
    // channels along a row: of one channel, of pieces of one channel, of pieces that lie in two
    {"GroupNormOfPieces",
     "(x: f32[2,6,4,7], u: f32[2,6,5,7], v: f16[1,4,40,60]) -> (a, b, c, d, e)\n"
     "a = InstanceNormalization(x, g: f32[6], h: f32[6])\nb = GroupNormalization(x, g, h) "
     "{num_groups: 3}\n"
     "c = GroupNormalization(u, g, h) {num_groups: 3}\nd = GroupNormalization(v, k: f16[4], o: "
     "f16[4]) {num_groups: "
     "2}\ne = InstanceNormalization(v, k, o)",
     21},
    {"GroupNormLong",
     "(x: f16[1,4,50,100], u: f32[1,4,9000]) -> (a, b)\na = GroupNormalization(x, k: f16[4], o: "
     "f16[4]) {num_groups: "
     "2}\nb = InstanceNormalization(u, g: f32[4], h: f32[4])",
     21},
    // reductions of neighbours, by warps and blocks, and of columns, of many and few pieces
    {"ReducedLines",
     "(x: f32[3,5,36], u: f16[7,264], v: f16[2,5000], w: f32[3,4100]) -> (a, b, c, d, e, f)\n"
     "a = ReduceMean(x) {axes: [2]}\nb = ReduceMax(u) {axes: [1], keepdims: 0}\nc = ReduceSum(v, "
     "i: i64[1]{1})\n"
     "d = ReduceL2(w) {axes: [1]}\ne = ReduceMin(x)\nf = ReduceSumSquare(w) {axes: [1]}"},
    {"ReducedColumns",
     "(x: f16[2,7,7,264], u: f32[3,5,12], v: f16[61,40], w: f32[2,9,260]) -> (a, b, c, d, e, f)\n"
     "a = ReduceMean(x) {axes: [1,2]}\nb = ReduceMax(u) {axes: [1], keepdims: 0}\nc = ReduceSum(v, "
     "i: i64[1]{0})\n"
     "d = ReduceL1(w) {axes: [1]}\ne = ReduceProd(u) {axes: [0]}\nf = ReduceLogSumExp(w) {axes: "
     "[1]}"},
    // chains: flat, with columns, rows and single elements that broadcast, results that later steps
    // need, odd sizes
    {"ChainFlat",
     "(x: f32[3,5,8], z: f32[3,5,8], h: f16[4,50]) -> (y, g)\na = Mul(x, z)\nb = Sigmoid(a)\nc = "
     "Mul(a, b)\n"
     "d = Add(c, x)\ny = Tanh(d)\nf = Add(h, h)\ng = Relu(f)",
     17, session},
    {"ChainBroadcast",
     "(x: f16[3,4,5,16], c: f16[16], r: f16[4,1,1], s: f16[], b: f16[3,1,5,1]) -> (y)\ne = Add(x, "
     "c)\nf = Mul(e, r)\n"
     "g = Sub(f, s)\nh = Max(g, b)\ni = Clip(h, l: f16[]{-1.0}, u: f16[]{1.0})\ny = Mul(i, x)",
     17, session},
    {"ChainOdd",
     "(x: f32[2,6,7,7], r: f32[6,1,1], q: f16[3,51], o: f16[3,1]) -> (y, z)\ne = Mul(x, r)\nf = "
     "HardSwish(e)\n"
     "y = Add(f, x)\ng = Add(q, o)\nz = Neg(g)",
     17, session},
    {"ChainFunctions",
     "(x: f32[4,16]) -> (y, z, v, w)\na = Abs(x)\nb = Sqrt(a)\nc = Exp(x)\nd = Div(b, c)\ne = "
     "Erf(d)\n"
     "y = Log(a)\nf = Sin(x)\ng = Min(f, e)\nz = Pow(a, g)\nh = LeakyRelu(x)\ni = "
     "HardSigmoid(h)\nj = Softplus(i)\n"
     "v = Elu(j)\nk = Celu(x)\nl = Softsign(k)\nm = Floor(x)\nn = PRelu(l, o: f32[16])\nw = Sub(m, "
     "n)",
     17, session},
    {"ChainGelus",
     "(x: f32[4,16]) -> (y, z, w)\ny = Gelu(x)\nz = Gelu(x) {approximate: \"tanh\"}\nw = Mish(x)",
     20},
    {"Where", "(x: f32[4,16], c: bool[16]) -> (y)\ny = Where(c, x, z: f32[])"},
    {"Conversions",
     "(x: f32[5,27], y: f16[9,8]) -> (a, b, c, d, e, f)\na = Cast(x) {to: 10}\nb = Cast(y) {to: "
     "1}\n"
     "g = Cast(x) {to: 16}\nc = Cast(g) {to: 1}\nh = Cast(y) {to: 16}\nd = Cast(h) {to: 10}\ne = "
     "Cast(x) {to: 7}\n"
     "f = Cast(y) {to: 9}"},
    {"ConversionsOfIntegers",
     "(x: i64[5,27], y: i32[300], z: bool[3,7]) -> (a, b, c, d, e, f, g, h, i)\na = Cast(x) {to: "
     "6}\nb = Cast(x) {to: "
     "1}\nc = Cast(x) {to: 10}\nd = Cast(y) {to: 7}\ne = Cast(y) {to: 1}\nf = Cast(z) {to: 1}\ng = "
     "Cast(z) {to: 7}\n"
     "h = Cast(z) {to: 10}\ni = Cast(y) {to: 9}"},
    // softmax: by warps, of pieces and elements; by blocks; by threads along other axes
    {"SoftmaxOfWarps",
     "(x: f32[5,36], u: f16[3,7,520], v: f32[2,129], w: f16[9,33], t: f16[2,1023], s: f32[3,1024]) "
     "-> (a, b, c, d, e, "
     "f)"
     "\na = Softmax(x)\nb = Softmax(u)\nc = LogSoftmax(v)\nd = Softmax(w)\ne = LogSoftmax(t)\nf = "
     "Softmax(s)"},
    {"SoftmaxOfBlocks",
     "(x: f32[2,1028], u: f16[2,1025], v: f16[3,4096]) -> (a, b, c)\na = Softmax(x)\nb = "
     "LogSoftmax(u)\n"
     "c = Softmax(v)"},
    {"SoftmaxOfThreads",
     "(x: f32[2,7,40], u: f16[5,3,50], v: f32[2,3,31]) -> (a, b, c)\na = Softmax(x) {axis: 1}\nb = "
     "LogSoftmax(u) "
     "{axis: 0}\nc = Softmax(v) {axis: 1}"},
    // movement: in units of 2 to 16 bytes, in tiles, and element by element
    {"CopiesOfUnits",
     "(x: f32[3,5,24], h: f16[3,5,24], g: f16[3,5,6], o: f16[2,9], q: u8[4,48]) -> (a, b, c, d, e, "
     "f)\n"
     "a = Slice(x, s: i64[2]{1,4}, t: i64[2]{4,20}, v: i64[2]{1,2})\nb = Concat(h, g) {axis: 2}\n"
     "c = Concat(h, h) {axis: 1}\nd = Tile(o, r: i64[2]{2,3})\ne = Transpose(h) {perm: [1,0,2]}\n"
     "f = Slice(q, s, t, w: i64[2]{0,1})"},
    {"PartsOfRows",
     "(x: f16[2,3,8], h: f16[2,5,8], g: u8[3,4], o: u8[3,8], i: i64[2], j: i64[3], k: f32[4,70]) "
     "-> (a, b, c, d, e, f, "
     "l, m)\na = Concat(x, h, x) {axis: 1}\nb = Concat(g, o) {axis: 1}\nc = Concat(i, j, i, j, i, "
     "j, i, j, i, j) "
     "{axis: 0}\nd, e, f = Split(h, s: i64[3]{1,0,4}) {axis: 1}\nl, m = Split(k, t: i64[2]{33,37}) "
     "{axis: 1}"},
    {"Expands",
     "(x: f32[3,1,1,24], h: f16[3,1,1,7], g: f16[2,1]) -> (a, b, c)\na = Expand(x, s: "
     "i64[4]{3,1,5,24})\n"
     "b = Expand(h, t: i64[4]{3,2,5,7})\nc = Expand(g, v: i64[2]{2,40})"},
    {"Turned",
     "(x: f32[2,3,17,35], h: f16[70,33], g: f16[2,40,3,5], q: u8[16,65], l: i64[3,20,19], o: "
     "f16[64,96]) -> "
     "(a, b, c, d, e, f, i)\na = Transpose(x) {perm: [0,1,3,2]}\nb = Transpose(h)\nc = "
     "Transpose(g) {perm: "
     "[0,2,3,1]}\nd = Transpose(q)\ne = Transpose(l) {perm: [2,0,1]}\nf = Transpose(x) {perm: "
     "[3,1,0,2]}\n"
     "i = Transpose(o)"},
    {"GatheredRows",
     "(x: f32[3,7,24], h: f16[9,10], g: f16[5,3], i: i64[2,2]{6,0,-1,3}, j: i64[]{-2}) -> (a, b, "
     "c, d)\n"
     "a = Gather(x, i) {axis: 1}\nb = Gather(h, i)\nc = Gather(g, j)\nd = Gather(x, j) {axis: 2}"},
};

ModelPtr model_of_text(const char* graph, std::int64_t opset = 17) {
    Model model = model_of(graph, opset);
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

class EmulatedPieces : public testing::TestWithParam<Case> {};

TEST_P(EmulatedPieces, GiveWhatTheReferenceGives) {
    const ModelPtr model = model_of_text(GetParam().graph, GetParam().opset);
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const bool is_of_halves =
        std::string_view(GetParam().graph).find("f16") != std::string_view::npos;
    const Tolerance tolerance = is_of_halves ? Tolerance{2e-3, 1e-3, true} : exact_arithmetic;
    for (int order : {0, 1, 2, 3})
        EXPECT_EQ(compare_with_reference(model, inputs,
                                         {.order = order, .passes = GetParam().passes}, tolerance),
                  "")
            << "order " << order;
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedPieces, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

TEST(Pieces, EmbeddingsAreOneKernelOrThree) {
    for (const char* graph :
         {"(i: i32[3,9], s: i32[3,9], m: i32[3,9]) -> (y, c, e)\ny, c, e = "
          "com.microsoft::EmbedLayerNormalization(i, s, "
          "w: f32[50,48], p: f32[16,48], t: f32[2,48], g: f32[48], h: f32[48], m) "
          "{mask_index_type: 1}",
          "(i: i32[2,35], p: i32[2,35]) -> (y, c)\ny, c = "
          "com.microsoft::EmbedLayerNormalization(i, _, w: "
          "f16[50,768], q: f16[40,768], _, g: f16[768], h: f16[768], _, p)",
          "(i: i32[2,9], s: i32[2,9], m: i32[2,9]) -> (y, c, e)\ny, c, e = "
          "com.microsoft::EmbedLayerNormalization(i, s, "
          "w: f32[50,49], p: f32[16,49], t: f32[2,49], g: f32[49], h: f32[49], m)",
          "(i: i32[1,5]) -> (y, c)\ny, c = com.microsoft::EmbedLayerNormalization(i, _, "
          "w: f16[50,1032], p: f16[16,1032], _, g: f16[1032], h: f16[1032])"}) {
        const ModelPtr model = model_of_text(graph);
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
        const bool is_of_halves = std::string_view(graph).find("f16") != std::string_view::npos;
        for (int order : {0, 1, 2, 3})
            EXPECT_EQ(compare_with_reference(
                          model, inputs, {.order = order},
                          is_of_halves ? Tolerance{4e-3, 2e-3, true} : exact_arithmetic),
                      "")
                << graph << ", order " << order;
    }
}

/// Elements masked by -inf get no share; a row of such elements alone gives NaN.
TEST(Pieces, SoftmaxLeavesOutWhatIsMasked) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (std::int64_t extent : {40, 129, 1028, 2051})
        for (const char* axis : {"1", "0"}) {
            const bool is_last = axis[0] == '1';
            const std::string sizes =
                is_last ? "3," + std::to_string(extent) : std::to_string(extent) + ",33";
            const ModelPtr model = model_of_text(
                ("(x: f32[" + sizes + "]) -> (y)\ny = Softmax(x) {axis: " + axis + "}").c_str());
            const std::int64_t lines = is_last ? 3 : 33;
            std::vector<float> values(static_cast<std::size_t>(lines * extent), -infinity);
            for (std::int64_t i = 0; i < extent; ++i)
                for (std::int64_t line = 0; line < 2; ++line)
                    if (i % 700 >= 30 && i % 700 < 36)
                        values[static_cast<std::size_t>(is_last ? line * extent + i
                                                                : i * lines + line)] =
                            static_cast<float>(i % 5 + line);
            const Shape shape = is_last ? Shape{lines, extent} : Shape{extent, lines};
            const NamedValues inputs{{"x", Tensor::of<float>(shape, values)}};
            for (int order : {0, 1, 2})
                EXPECT_EQ(
                    compare_with_reference(model, inputs, {.order = order}, {1e-5, 1e-7, true}), "")
                    << sizes;
        }
}

}  // namespace
}  // namespace lapidary::test

namespace lapidary::cuda {
namespace {

/// Which kernel takes the rows that graphs above have.
TEST(Pieces, RowsOfPiecesAreReported) {
    alignas(16) static const char memory[32] = {};
    NormalizeArgs args;
    args.input = args.scale = args.bias = memory;
    args.type = args.scale_type = 10;
    args.width = args.channels_per_row = 136;
    EXPECT_TRUE(are_rows_of_pieces(args));
    args.input = memory + 2;
    EXPECT_FALSE(are_rows_of_pieces(args));
    args.input = memory;
    args.scale_type = 1;
    EXPECT_FALSE(are_rows_of_pieces(args));
    args.scale_type = 10;
    args.width = args.channels_per_row = 1021;
    EXPECT_FALSE(are_rows_of_pieces(args));
    args.width = args.channels_per_row = 72;
    args.skip = memory;
    args.skip_count = 3 * 72;
    EXPECT_TRUE(are_rows_of_pieces(args));
    args.skip_count = 1;
    EXPECT_FALSE(are_rows_of_pieces(args));
    args.skip = nullptr;
    args.type = args.scale_type = 1;
    args.channels_per_row = 2, args.spatial = 28, args.width = 56;
    EXPECT_TRUE(are_rows_of_pieces(args));
    args.scale = memory + 4;  // read by element
    EXPECT_TRUE(are_rows_of_pieces(args));
    args.spatial = 35, args.width = 70;
    EXPECT_FALSE(are_rows_of_pieces(args));
    EXPECT_FALSE(embeds_in_one({}, args));
    args.channels_per_row = args.width = 1024, args.spatial = 1, args.scale = memory;
    EXPECT_TRUE(embeds_in_one({}, args));
    args.channels_per_row = args.width = 1028;
    EXPECT_TRUE(are_rows_of_pieces(args));
    EXPECT_FALSE(embeds_in_one({}, args));
}

TEST(Pieces, ReductionsOfPiecesAreReported) {
    alignas(16) static const char memory[32] = {};
    ReduceArgs args;
    args.input = memory;
    args.type = 10;
    args.outputs = 7, args.reduced = 264;
    args.kept_axes = args.reduced_axes = 1;
    args.kept_dims[0] = 7, args.kept_strides[0] = 264;
    args.reduced_dims[0] = 264, args.reduced_strides[0] = 1;
    EXPECT_TRUE(are_lines_of_pieces(args));
    EXPECT_FALSE(are_columns_of_pieces(args));
    args.reduced = args.reduced_dims[0] = 263;
    EXPECT_FALSE(are_lines_of_pieces(args));
    args.kept_axes = 2, args.kept_dims[0] = 2, args.kept_strides[0] = 49 * 264;
    args.kept_dims[1] = 264, args.kept_strides[1] = 1;
    args.reduced = args.reduced_dims[0] = 49, args.reduced_strides[0] = 264;
    EXPECT_TRUE(are_columns_of_pieces(args));
    args.reduction = Reduction::log_sum_exp;
    EXPECT_FALSE(are_columns_of_pieces(args));
    args.reduction = Reduction::mean;
    args.domain = Domain::doubles;
    EXPECT_FALSE(are_columns_of_pieces(args));
}

/// Two axes of 3 x 16 halves.
ElementwiseArgs program(const void* memory) {
    ElementwiseArgs args;
    args.inputs = 2;
    args.axes = 2;
    args.dims[0] = 3, args.dims[1] = 16, args.count = 48;
    args.input[0] = {memory, 10, {16, 1}};
    args.input[1] = {memory, 10, {0, 1}};
    args.steps = 1;
    args.step[0] = {Op::add, 0, 1};
    args.output_type = 10;
    return args;
}

TEST(Pieces, ChainsOfPiecesAreReported) {
    alignas(16) static const char memory[32] = {};
    ElementwiseArgs args = program(memory);
    ChainArgs chain;
    ASSERT_TRUE(make_chain(args, chain));
    EXPECT_EQ(chain.per, 8);
    EXPECT_EQ(chain.count, 6);
    args.input[0].strides[0] = 1, args.input[0].strides[1] = 3;  // transposed
    ASSERT_TRUE(make_chain(args, chain));
    EXPECT_EQ(chain.per, 1);
    args = program(memory);
    args.input[1].data = memory + 2;
    ASSERT_TRUE(make_chain(args, chain));
    EXPECT_EQ(chain.per, 1);
    args.input[1].strides[1] = 0;  // one element a row
    ASSERT_TRUE(make_chain(args, chain));
    EXPECT_EQ(chain.per, 8);
    EXPECT_FALSE(chain.is_mixed);
    args.input[1].type = 7;
    ASSERT_TRUE(make_chain(args, chain));
    EXPECT_TRUE(chain.is_mixed);
    EXPECT_EQ(chain.per, 8);
    args.input[1].strides[1] = 1;  // elements of a mask may begin anywhere
    ASSERT_TRUE(make_chain(args, chain));
    EXPECT_EQ(chain.per, 8);
    args.input[1].strides[1] = 2;
    ASSERT_TRUE(make_chain(args, chain));
    EXPECT_EQ(chain.per, 1);
    args.input[1].type = 11;
    EXPECT_FALSE(make_chain(args, chain)) << "doubles";
}

TEST(Pieces, ConversionsAreReported) {
    alignas(16) static const char memory[32] = {};
    ElementwiseArgs args;
    args.inputs = args.axes = 1;
    args.dims[0] = args.count = 5;
    args.input[0] = {memory, 10, {1}};
    args.output_type = 1;
    EXPECT_TRUE(is_conversion_of_pieces(args));
    EXPECT_FALSE(is_conversion_of_integers(args));
    args.input[0].data = memory + 2;
    EXPECT_FALSE(is_conversion_of_pieces(args));
    args.input[0].type = 7;
    EXPECT_TRUE(is_conversion_of_integers(args));
    args.input[0].strides[0] = 0;
    EXPECT_FALSE(is_conversion_of_integers(args));
    args.input[0].strides[0] = 1;
    args.steps = 1;
    args.step[0] = {Op::neg, 0};
    EXPECT_FALSE(is_conversion_of_integers(args));
}

TEST(Pieces, ResultsWaitInSlotsAsLongAsThereAreSome) {
    alignas(16) static const char memory[32] = {};
    ElementwiseArgs args = program(memory);
    constexpr auto result = [](int step) { return static_cast<std::uint8_t>(max_inputs + step); };
    args.steps = 6;
    args.step[0] = {Op::add, 0, 1};
    args.step[1] = {Op::mul, result(0), 1};
    args.step[2] = {Op::mul, result(1), result(0)};
    args.step[3] = {Op::mul, result(2), result(1)};
    args.step[4] = {Op::sub, result(3), result(2)};
    args.step[5] = {Op::add, result(4), result(3)};
    ChainArgs chain;
    ASSERT_TRUE(make_chain(args, chain));
    EXPECT_EQ(chain.step[2].x, previous_operand);
    EXPECT_EQ(chain.step[2].y, slot_operand + chain.step[0].slot);
    EXPECT_EQ(chain.step[2].slot, chain.step[0].slot) << "its last use is over";
    EXPECT_NE(chain.step[1].slot, chain.step[0].slot);
    args.step[5] = {Op::add, result(0), result(1)};
    args.step[4] = {Op::sub, result(3), result(2)};
    EXPECT_FALSE(make_chain(args, chain)) << "three results wait";
}

TEST(Pieces, DividersGiveQuotientAndRemainder) {
    for (std::int32_t by :
         {1, 2, 3, 5, 7, 49, 64, 768, 65537, 1 << 30, (1 << 30) + 1, 2147483647}) {
        const Divider divider(by);
        for (std::int64_t near :
             {std::int64_t{0}, std::int64_t{by}, std::int64_t{by} * 7, std::int64_t{2147483647}})
            for (std::int64_t n = near - 2; n <= near + 2; ++n)
                if (n >= 0 && n <= 2147483647)
                    EXPECT_EQ(quotient(static_cast<int>(n), divider), n / by);
    }
}

TEST(Pieces, CopiesTakeTheWidestUnit) {
    alignas(16) static const char memory[32] = {};
    alignas(16) static char to[32];
    EXPECT_EQ(widest_unit(2, 24, {memory, to}), 16);
    EXPECT_EQ(widest_unit(2, 6, {memory, to}), 4);
    EXPECT_EQ(widest_unit(2, 7, {memory, to}), 2);
    EXPECT_EQ(widest_unit(2, 24, {memory + 8, to}), 8);
    EXPECT_EQ(widest_unit(8, 3, {memory, to}), 8);
    CopyArgs args;
    args.input = memory;
    args.output = to;
    args.element_bytes = 2, args.axes = 2, args.count = 5 * 24;
    args.dims[0] = 5, args.dims[1] = 24;
    args.input_strides[0] = 40, args.output_strides[0] = 28;
    args.input_strides[1] = args.output_strides[1] = 1;
    const CopyArgs wide = widened(args);
    EXPECT_EQ(wide.element_bytes, 8) << "rows of the output begin at multiples of 56 bytes";
    EXPECT_EQ(wide.count, 5 * 6);
    EXPECT_EQ(wide.dims[1], 6);
    EXPECT_EQ(wide.input_strides[0], 10);
    EXPECT_EQ(wide.output_strides[0], 7);
    EXPECT_EQ(turned_axis(args), -1);
    args.input_strides[0] = 1, args.input_strides[1] = 5;
    EXPECT_EQ(turned_axis(args), -1) << "five rows are no tile";
    args.dims[0] = 16;
    EXPECT_EQ(turned_axis(args), 0);
    EXPECT_EQ(widened(args).element_bytes, 2);
    RunsArgs runs;
    runs.element_bytes = 2, runs.rows = 3, runs.parts = 2;
    runs.part[0] = {memory, to, 16, 16, 40};
    runs.part[1] = {memory, to, 24, 24, 40};
    EXPECT_EQ(widened(runs).element_bytes, 16);
    EXPECT_EQ(widened(runs).part[1].output_pitch, 5);
    runs.part[1].output = to + 4;
    EXPECT_EQ(widened(runs).element_bytes, 4);
}

}  // namespace
}  // namespace lapidary::cuda
