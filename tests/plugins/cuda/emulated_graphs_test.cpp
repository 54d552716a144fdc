// SPDX-License-Identifier: Apache-2.0
// Graphs with ragged sizes on the emulated device, wholly: each kernel's edges, in four orders of threads, and the
// kernels of tensor cores within what their types round.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/infer.h>
#include <lapidary/placement.h>

#include "kernels/vector/elementwise.h"
#include "operators/chain_kinds.h"
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
    {"ProductRagged", "(a: f32[3,37,65]) -> (y)\ny = MatMul(a, b: f32[65,130])"},
    {"ProductLarge", "(a: f32[129,70], b: f32[70,131]) -> (y)\ny = MatMul(a, b)"},
    {"ProductSkinny", "(a: f32[2,300]) -> (y)\ny = MatMul(a, b: f32[300,77])"},
    {"ProductVector", "(a: f32[50], b: f32[50,33]) -> (y, z)\ny = MatMul(a, b)\nz = MatMul(b, c: f32[33])"},
    {"ProductBatches", "(a: f32[2,1,20,9], b: f32[3,9,40]) -> (y)\ny = MatMul(a, b)"},
    {"ProductNoDepth", "(a: f32[20,0], b: f32[0,17]) -> (y)\ny = MatMul(a, b)"},
    // split along their depth: few tiles, much to sum
    {"SplitProduct", "(a: f32[33,1100], b: f32[1100,70]) -> (y)\ny = MatMul(a, b)"},
    {"SplitLarge", "(a: f32[70,777]) -> (y)\ny = MatMul(a, b: f32[777,130])"},
    {"SplitSkinny", "(a: f32[3,1027]) -> (y)\ny = MatMul(a, b: f32[1027,77])"},
    {"SplitBatches", "(a: f32[2,1,20,530], b: f32[3,530,40]) -> (y)\ny = MatMul(a, b)"},
    {"SplitGemm",
     "(a: f32[1030,9]) -> (y)\n"
     "y = Gemm(a, b: f32[41,1030], c: f32[9,1]) {transA: 1, transB: 1, alpha: 0.5, beta: 2.0}"},
    {"SplitColumns", "(a: f32[2,2050]) -> (y)\ny = Gemm(a, b: f32[37,2050], c: f32[37]) {transB: 1}"},
    {"SplitEpilogue",
     "(a: f32[19,640], r: f32[19,70]) -> (y)\np = MatMul(a, w: f32[640,70])\nq = Add(p, c: f32[70])\ns = Add(q, r)\n"
     "y = Relu(s)",
     17, session},
    {"SplitHalves", "(a: f16[70,1032], b: f16[1032,136]) -> (y)\ny = MatMul(a, b)"},
    {"SplitHalvesOdd", "(a: f16[20,1031], b: f16[1031,66]) -> (y)\ny = MatMul(a, b)"},
    {"SplitPointwise", "(x: f32[1,600,5,7]) -> (y)\ny = Conv(x, w: f32[20,600,1,1], b: f32[20])"},
    // in pieces of 16 bytes, which tensor cores take
    {"PieceProduct", "(a: f32[37,68], b: f32[68,132]) -> (y)\ny = MatMul(a, b)"},
    {"PieceProductLarge", "(a: f32[24,260,20], b: f32[24,20,520]) -> (y)\ny = MatMul(a, b)"},
    {"PieceProductTurned", "(a: f32[130,36]) -> (y)\ny = Gemm(a, b: f32[67,36], c: f32[67]) {transB: 1}"},
    {"PieceProductSplit", "(a: f32[70,1100]) -> (y)\ny = Gemm(a, b: f32[66,1100], c: f32[70,1]) {transB: 1}"},
    {"GemmTransposed",
     "(a: f32[70,33]) -> (y)\ny = Gemm(a, b: f32[41,70], c: f32[41]) {transA: 1, transB: 1, alpha: 0.5, "
     "beta: 2.0}"},
    {"GemmColumn", "(a: f32[5,33]) -> (y)\ny = Gemm(a, b: f32[41,33], c: f32[5,1]) {transB: 1}"},
    {"HalfProduct", "(a: f16[70,72], b: f16[72,136]) -> (y)\ny = MatMul(a, b)"},
    {"HalfProductOdd", "(a: f16[70,71], b: f16[71,66]) -> (y)\ny = MatMul(a, b)"},
    // in pieces of 16 bytes, the second operand along its depth
    {"HalfProductTurned", "(a: f16[70,72]) -> (y)\ny = Gemm(a, b: f16[66,72], c: f16[66]) {transB: 1}"},
    {"HalfProductTurnedOdd", "(a: f16[9,40]) -> (y)\ny = Gemm(a, b: f16[67,40], c: f16[9,1]) {transB: 1, beta: 0.5}"},
    {"SplitHalvesTurned", "(a: f16[20,1032]) -> (y)\ny = Gemm(a, b: f16[131,1032]) {transB: 1}"},
    // so many tiles that they are large ones
    {"HalfProductLarge", "(a: f16[64,72,40], b: f16[64,40,200]) -> (y)\ny = MatMul(a, b)"},
    {"HalfProductLargeTurned", "(a: f16[2020,24]) -> (y)\ny = Gemm(a, b: f16[1030,24]) {transB: 1}"},
    {"HalfEpilogueLarge",
     "(a: f16[16,129,24], r: f16[16,129,456]) -> (y)\np = MatMul(a, w: f16[24,456])\nq = Add(p, c: f16[456])\n"
     "s = Add(q, r)\ny = Relu(s)",
     17, session},
    {"HalfEpilogueSplit",
     "(a: f16[40,640], r: f16[40,72]) -> (y)\np = MatMul(a, w: f16[640,72])\nq = Add(p, c: f16[72])\ns = Add(q, r)\n"
     "y = Relu(s)",
     17, session},
    // tiles of all sizes, with what an epilogue adds
    {"HalfEpilogueColumns",
     "(a: f16[33,136], r: f16[33,72]) -> (y)\np = MatMul(a, w: f16[136,72])\nq = Add(p, c: f16[72])\nz = Gelu(q)\n"
     "y = Add(z, r)",
     20, session},
    {"HalfEpilogueSilu",
     "(a: f16[70,40]) -> (y)\np = MatMul(a, w: f16[40,69])\nq = Add(p, c: f16[69])\ns = Sigmoid(q)\ny = Mul(q, s)", 17,
     session},
    {"HalfEpilogueTanh",
     "(a: f16[9,40]) -> (y)\np = MatMul(a, w: f16[40,72])\nq = Add(p, c: f16[72])\ny = Gelu(q) {approximate: \"tanh\"}",
     20, session},
    {"HalfEpilogueElu", "(a: f16[70,40]) -> (y)\np = MatMul(a, w: f16[40,72])\ny = Elu(p)", 17, session},
    {"HalfProductLargest", "(a: f16[4100,24], b: f16[24,1032]) -> (y)\ny = MatMul(a, b)"},
    {"HalfProductLargestTurned", "(a: f16[2050,24]) -> (y)\ny = Gemm(a, b: f16[2051,24], c: f16[2051]) {transB: 1}"},
    {"HalfProductFew", "(a: f16[5,2056], b: f16[2056,72]) -> (y)\ny = MatMul(a, b)"},
    // at most eight rows: in pieces of 16 bytes along either axis, and element by element
    {"FewRows",
     "(a: f32[1,300], b: f32[5,76]) -> (y, z)\ny = MatMul(a, w: f32[300,76])\nz = MatMul(b, v: f32[76,260])"},
    {"FewRowsEight", "(a: f32[8,70]) -> (y)\ny = MatMul(a, w: f32[70,132])"},
    {"FewRowsTurned",
     "(a: f32[1,260], b: f32[3,44]) -> (y, z)\ny = Gemm(a, w: f32[19,260]) {transB: 1}\n"
     "z = Gemm(b, v: f32[70,44], c: f32[70]) {transB: 1}"},
    {"FewRowsHalves",
     "(a: f16[1,264], b: f16[7,40]) -> (y, z)\ny = MatMul(a, w: f16[264,72])\nz = MatMul(b, v: f16[40,1032])"},
    {"FewRowsHalvesTurned",
     "(a: f16[1,520], b: f16[6,40]) -> (y, z)\ny = Gemm(a, w: f16[33,520], c: f16[33]) {transB: 1}\n"
     "z = Gemm(b, v: f16[131,40]) {transB: 1, alpha: 0.5}"},
    {"FewRowsHalvesOdd",
     "(a: f16[1,65], b: f16[3,33]) -> (y, z)\ny = MatMul(a, w: f16[65,71])\nz = Gemm(b, v: f16[35,33]) {transB: 1}"},
    {"FewRowsBatches", "(a: f16[3,2,40], b: f16[3,40,72]) -> (y)\ny = MatMul(a, b)"},
    {"OneRowDeep",
     "(a: f16[1,3000], b: f32[1,2000]) -> (y, z)\ny = MatMul(a, w: f16[3000,72])\nz = MatMul(b, v: f32[2000,20])"},
    {"OneRowTurnedWide", "(a: f16[1,280]) -> (y)\ny = Gemm(a, b: f16[4301,280], c: f16[4301]) {transB: 1}"},
    // rows that do not begin at multiples of 16 bytes
    {"OneRowShifted",
     "(a: f16[1,77], b: f32[1,50]) -> (y, z)\ny = MatMul(a, w: f16[77,501])\nz = MatMul(b, v: f32[50,251])"},
    {"OneRowShiftedDeep", "(a: f16[1,601], c: f16[130]) -> (y)\ny = Gemm(a, w: f16[601,130], c) {alpha: 0.5}"},
    {"OneRowShiftedBatches", "(a: f16[3,1,33], b: f16[3,33,101]) -> (y)\ny = MatMul(a, b)"},
    {"Epilogue",
     "(a: f32[19,40], r: f32[19,70]) -> (y)\np = MatMul(a, w: f32[40,70])\nq = Add(p, c: f32[70])\ns = Add(q, r)\n"
     "y = Relu(s)",
     17, session},
    // 8-bit integers: on tensor cores from 9 rows or filters on
    {"IntegerProduct",
     "(a: u8[70,37], b: u8[37,131], p: u8[], q: u8[]) -> (y)\ny = MatMulInteger(a, b, p, q)"},
    {"IntegerProductWords", "(a: i8[2,3,20,68], b: i8[68,66]) -> (y)\ny = MatMulInteger(a, b)"},
    {"IntegerProductColumns",
     "(a: u8[9,130], b: i8[130,65], p: u8[], q: i8[65]) -> (y)\ny = MatMulInteger(a, b, p, q)"},
    {"IntegerProductBatches", "(a: i8[2,1,17,33], b: u8[3,33,19], p: i8[]) -> (y)\ny = MatMulInteger(a, b, p)"},
    {"IntegerProductFew", "(a: u8[3,50], b: i8[50,33], p: u8[]) -> (y)\ny = MatMulInteger(a, b, p)"},
    {"IntegerProductSkinny",
     "(a: u8[8,301], b: u8[301,77], p: u8[], q: u8[77]) -> (y)\ny = MatMulInteger(a, b, p, q)"},
    {"IntegerProductRow", "(a: i8[5,1,37], b: i8[5,37,33]) -> (y)\ny = MatMulInteger(a, b)"},
    {"IntegerProductNoDepth", "(a: u8[20,0], b: u8[0,17], p: u8[]) -> (y)\ny = MatMulInteger(a, b, p)"},
    {"QuantizedProduct",
     "(a: u8[2,33,72], b: i8[72,70]) -> (y)\ny = QLinearMatMul(a, s: f32[]{0.02}, z: u8[]{120}, b, t: "
     "f32[1]{0.01}, v: i8[1]{0}, r: f32[]{0.3}, w: u8[]{131})"},
    {"QuantizedProductToFloat",
     "(a: u8[20,40], b: i8[40,33], s: f32[33], c: f32[33]) -> (y)\ny = com.microsoft::MatMulIntegerToFloat(a, b, "
     "r: f32[]{0.02}, s, z: u8[]{3}, _, c)"},
    {"IntegerProductLarge",
     "(a: u8[25,129,48], b: i8[25,48,130], p: u8[], q: i8[]) -> (y)\ny = MatMulInteger(a, b, p, q)"},
    {"IntegerProductPieces", "(a: u8[70,144], b: i8[144,208], p: u8[]) -> (y)\ny = MatMulInteger(a, b, p)"},
    {"IntegerProductSplit", "(a: u8[66,2560], b: u8[2560,67], p: u8[], q: u8[67]) -> (y)\n"
     "y = MatMulInteger(a, b, p, q)"},
    {"IntegerProductSplitBatches", "(a: i8[2,17,1344], b: i8[1344,96], p: i8[]) -> (y)\ny = MatMulInteger(a, b, p)"},
    {"IntegerProductColumn", "(a: u8[20,37], b: u8[37], p: u8[], q: u8[]) -> (y)\ny = MatMulInteger(a, b, p, q)"},
    {"IntegerProductRowOfPieces",
     "(a: u8[1,300], b: i8[300,15376], p: u8[]) -> (y)\ny = MatMulInteger(a, b, p)"},
    {"IntegerProductRowsOfPairs",
     "(a: u8[3,5,68], b: u8[3,68,2600], p: u8[], q: u8[]) -> (y)\ny = MatMulInteger(a, b, p, q)"},
    {"IntegerProductDeepRow",
     "(a: u8[2,1900], b: u8[1900,20], p: u8[], q: u8[]) -> (y)\ny = MatMulInteger(a, b, p, q)"},
    {"IntegerProductRowOfWords", "(a: i8[7,600], b: u8[600,36], q: u8[36]) -> (y)\ny = MatMulInteger(a, b, _, q)"},
    {"QuantizedGemm",
     "(a: u8[72,70], b: i8[72,45], c: i32[45], s: f32[45]) -> (y)\nt = Abs(s)\ny = com.microsoft::QGemm(a, r: "
     "f32[]{0.02}, z: u8[]{120}, b, t, v: i8[45], c, u: f32[]{0.4}, o: u8[]{128}) {transA: 1}"},
    {"QuantizedGemmTurned",
     "(a: i8[70,96], b: u8[45,96], c: i32[45]) -> (y)\ny = com.microsoft::QGemm(a, r: f32[]{0.02}, z: i8[]{-3}, b, t: "
     "f32[]{0.01}, v: u8[]{130}, c, u: f32[]{0.4}, o: i8[]{-7}) {transB: 1}"},
    {"QuantizedGemmTurnedFew",
     "(a: u8[6,100], b: i8[45,100]) -> (y)\ny = com.microsoft::QGemm(a, r: f32[]{0.02}, z: u8[]{120}, b, t: "
     "f32[]{0.01}, v: i8[]{2}, _, u: f32[]{0.4}, o: u8[]{131}) {transB: 1}"},
    {"DynamicProduct",
     "(a: f32[33,70], b: i8[70,52], s: f32[52], c: f32[52]) -> (y)\ny = com.microsoft::DynamicQuantizeMatMul(a, b, s, "
     "_, c)"},
    {"DynamicProductFew",
     "(a: f32[2,70], b: u8[70,53], q: u8[53]) -> (y)\ny = com.microsoft::DynamicQuantizeMatMul(a, b, t: f32[]{0.02}, "
     "q)"},
    {"DynamicRange", "(x: f32[9,700]) -> (y, s, z)\ny, s, z = DynamicQuantizeLinear(x)"},
    {"DynamicRangeFew", "(x: f32[3,5]) -> (y, s, z)\ny, s, z = DynamicQuantizeLinear(x)"},
    {"QuantizePieces", "(x: f32[4,80]) -> (y)\ny = QuantizeLinear(x, s: f32[]{0.013}, z: u8[]{120})"},
    {"QuantizeChannels",
     "(x: f32[2,3,4,8]) -> (y)\ny = QuantizeLinear(x, s: f32[3]{0.01,0.02,0.03}, z: i8[3]{-3,0,7}) {axis: 1}"},
    {"QuantizeRagged", "(x: f32[3,7]) -> (y)\ny = QuantizeLinear(x, s: f32[3]{0.01,0.02,0.03}) {axis: 0}"},
    {"DequantizePieces", "(x: i8[4,80]) -> (y)\ny = DequantizeLinear(x, s: f32[]{0.013}, z: i8[]{-5})"},
    {"DequantizeChannels",
     "(x: u8[2,3,4,8]) -> (y)\ny = DequantizeLinear(x, s: f32[3]{0.01,0.02,0.03}, z: u8[3]{3,0,7}) {axis: 1}"},
    {"DequantizeRagged",
     "(x: i8[5,3], w: i32[48]) -> (y, v)\ny = DequantizeLinear(x, s: f32[3]{0.01,0.02,0.03}) {axis: 1}\n"
     "v = DequantizeLinear(w, t: f32[]{0.5}) {axis: 0}"},
    {"QuantizedSum",
     "(a: u8[3,5,7], b: u8[3,5,7]) -> (y)\ny = com.microsoft::QLinearAdd(a, r: f32[]{0.02}, z: u8[]{100}, b, t: "
     "f32[]{0.03}, v: u8[]{7}, u: f32[]{0.05}, o: u8[]{128})"},
    {"QuantizedPairOfPieces",
     "(a: i8[3,48], b: i8[3,48]) -> (y)\ny = com.microsoft::QLinearMul(a, r: f32[]{0.02}, z: i8[]{-10}, b, t: "
     "f32[]{0.03}, v: i8[]{7}, u: f32[]{0.05}, o: i8[]{-3})"},
    {"QuantizedPairBroadcast",
     "(a: u8[3,5,7], b: u8[5,1]) -> (y)\ny = com.microsoft::QLinearMul(a, r: f32[]{0.02}, z: u8[]{100}, b, t: "
     "f32[]{0.03}, v: u8[]{7}, u: f32[]{0.05}, o: u8[]{128})"},
    {"QuantizedGlobalPool",
     "(x: u8[2,11,7,9]) -> (y)\ny = com.microsoft::QLinearGlobalAveragePool(x, r: f32[]{0.02}, z: u8[]{100}, u: "
     "f32[]{0.003}, o: u8[]{120})"},
    {"QuantizedGlobalPoolSigned",
     "(x: i8[1,4,5]) -> (y)\ny = com.microsoft::QLinearGlobalAveragePool(x, r: f32[]{0.02}, z: i8[]{3}, u: "
     "f32[]{0.003}, o: i8[]{-12})"},
    // weights in blocks of few bits: read as they are up to 8 rows, else made numbers first
    {"BlocksOfARow",
     "(a: f32[1,1,128], b: u8[37,4,16], s: f32[148]) -> (y)\ny = com.microsoft::MatMulNBits(a, b, s) {K: 128, N: 37, "
     "bits: 4, block_size: 32}"},
    {"BlocksWithZeros",
     "(a: f16[3,1152], b: u8[21,9,64], s: f16[189], z: u8[105]) -> (y)\ny = com.microsoft::MatMulNBits(a, b, s, z) "
     "{K: 1152, N: 21, bits: 4, block_size: 128}"},
    {"BlocksOfBytes",
     "(a: f32[7,64], b: u8[19,2,32], s: f32[38], z: u8[38]) -> (y)\ny = com.microsoft::MatMulNBits(a, b, s, z) {K: 64, "
     "N: 19, bits: 8, block_size: 32}"},
    {"BlocksOfManyColumns",
     "(a: f32[1,32], b: u8[8200,1,16], s: f32[8200]) -> (y)\ny = com.microsoft::MatMulNBits(a, b, s) {K: 32, N: 8200, "
     "bits: 4, block_size: 32}"},
    {"BlocksRagged",
     "(a: f32[2,50], b: u8[11,4,8], s: f32[44]) -> (y)\ny = com.microsoft::MatMulNBits(a, b, s) {K: 50, N: 11, "
     "bits: 4, block_size: 16}"},
    {"BlocksOfRows",
     "(a: f16[20,160], b: u8[40,5,16], s: f16[200]) -> (y)\ny = com.microsoft::MatMulNBits(a, b, s) {K: 160, N: 40, "
     "bits: 4, block_size: 32}"},
    {"BlocksOfRowsRagged",
     "(a: f32[9,50], b: u8[11,4,8], s: f32[44], z: u8[22]) -> (y)\ny = com.microsoft::MatMulNBits(a, b, s, z) {K: 50, "
     "N: 11, bits: 4, block_size: 16}"},
    {"IntegerConv",
     "(x: u8[2,5,13,11], w: u8[19,5,3,3], p: u8[], q: u8[]) -> (y)\ny = ConvInteger(x, w, p, q) {pads: [1,1,1,1]}"},
    {"IntegerConvWords",
     "(x: i8[1,8,9,9], w: i8[70,8,3,3]) -> (y)\ny = ConvInteger(x, w) {pads: [0,2,1,1], strides: [2,1]}"},
    {"IntegerConvGroups",
     "(x: u8[1,6,17,19], w: i8[24,3,5,3], p: u8[]) -> (y)\ny = ConvInteger(x, w, p) {group: 2, strides: [2,3], "
     "pads: [2,0,1,1], dilations: [1,2]}"},
    {"QuantizedConv",
     "(x: u8[2,6,9,11], w: i8[12,6,3,3], b: i32[12], s: f32[12]) -> (y)\nt = Abs(s)\n"
     "y = QLinearConv(x, r: f32[]{0.02}, z: u8[]{100}, w, t, v: i8[12]{0,0,0,0,0,0,0,0,0,0,0,0}, u: f32[]{0.5}, "
     "o: u8[]{128}, b) {pads: [1,1,1,1]}"},
    {"IntegerConvLarge",
     "(x: u8[25,5,12,12], w: i8[130,5,1,1], p: u8[], q: i8[]) -> (y)\ny = ConvInteger(x, w, p, q)"},
    {"IntegerConvPointwise",
     "(x: u8[2,32,8,10], w: u8[17,32,1,1], p: u8[], q: u8[17]) -> (y)\ny = ConvInteger(x, w, p, q)"},
    {"IntegerConvDeep",
     "(x: u8[1,50,5,7], w: u8[9,50,3,3], p: u8[], q: u8[]) -> (y)\ny = ConvInteger(x, w, p, q) {pads: [1,1,1,1]}"},
    {"IntegerConvLine", "(x: i8[2,20,30], w: i8[11,20,5], p: i8[]) -> (y)\ny = ConvInteger(x, w, p) {pads: [2,2]}"},
    {"QuantizedConvDepthwise",
     "(x: u8[1,6,9,11], w: i8[6,1,3,3]) -> (y)\ny = QLinearConv(x, r: f32[]{0.02}, z: u8[]{100}, w, t: f32[]{0.01}, "
     "v: i8[]{0}, u: f32[]{0.5}, o: u8[]{30}) {group: 6, pads: [1,1,1,1]}"},
    {"QuantizedConvFew",
     "(x: u8[1,6,9,11], w: u8[5,6,3,3]) -> (y)\ny = QLinearConv(x, r: f32[]{0.02}, z: u8[]{100}, w, t: f32[]{0.01}, "
     "v: u8[]{77}, u: f32[]{0.5}, o: i8[]{-3})"},
    {"Chain",
     "(x: f32[3,5,7], s: f32[1]) -> (y)\na = Mul(x, s)\nb = Sigmoid(a)\nc = Mul(x, b)\nd = Add(c, x)\ny = Tanh(d)", 17,
     session},
    {"ConvRagged", "(x: f32[2,5,13,11]) -> (y)\ny = Conv(x, w: f32[19,5,3,3], b: f32[19]) {pads: [1,1,1,1]}"},
    {"ConvLarge", "(x: f32[1,16,12,13]) -> (y)\ny = Conv(x, w: f32[70,16,3,3]) {strides: [1,1], pads: [1,1,1,1]}"},
    {"ConvStrided",
     "(x: f32[1,6,17,19]) -> (y)\ny = Conv(x, w: f32[12,3,5,3]) {group: 2, strides: [2,3], pads: [2,0,1,1], "
     "dilations: [1,2]}"},
    {"ConvDepthwise", "(x: f32[2,7,9,9]) -> (y)\ny = Conv(x, w: f32[7,1,3,3], b: f32[7]) {group: 7, pads: [1,1,1,1]}"},
    {"ConvPointwise", "(x: f32[2,33,5,7]) -> (y)\ny = Conv(x, w: f32[20,33,1,1], b: f32[20])"},
    {"ConvLine", "(x: f32[2,4,50]) -> (y)\ny = Conv(x, w: f32[6,4,7]) {pads: [3,3]}"},
    {"ConvVolume", "(x: f32[1,3,5,6,7]) -> (y)\ny = Conv(x, w: f32[8,3,3,3,3]) {pads: [1,1,1,1,1,1]}"},
    {"ConvSame", "(x: f32[1,4,10,11]) -> (y)\ny = Conv(x, w: f32[5,4,4,4]) {auto_pad: \"SAME_LOWER\", strides: [3,2]}"},
    {"HalfConv", "(x: f16[1,8,9,9]) -> (y)\ny = Conv(x, w: f16[10,8,3,3]) {pads: [1,1,1,1]}"},
    {"ConvTransposed",
     "(x: f32[2,6,5,4]) -> (y)\ny = ConvTranspose(x, w: f32[6,3,3,4], b: f32[6]) {group: 2, strides: "
     "[2,3], pads: [1,0,0,2], output_padding: [1,0]}"},
    {"MaxPoolCeil", "(x: f32[1,3,10,11]) -> (y)\ny = MaxPool(x) {kernel_shape: [3,3], strides: [2,2], ceil_mode: 1}"},
    {"MaxPoolOfPadding", "(x: f32[1,3,4,5]) -> (y)\ny = MaxPool(x) {kernel_shape: [2,2], pads: [2,0,0,3]}"},
    {"AveragePoolPads",
     "(x: f32[2,3,9,8]) -> (y, z)\ny = AveragePool(x) {kernel_shape: [3,2], pads: [1,1,0,0], strides: "
     "[2,1], count_include_pad: 1}\nz = AveragePool(x) {kernel_shape: [3,3], pads: [1,1,1,1]}"},
    {"GlobalPools", "(x: f32[2,5,9,8]) -> (y, z)\ny = GlobalAveragePool(x)\nz = GlobalMaxPool(x)"},
    {"ResizeLinear", "(x: f32[1,2,5,7]) -> (y)\ny = Resize(x, _, s: f32[4]{1.0,1.0,2.0,1.5}) {mode: \"linear\"}"},
    {"ResizeNearest",
     "(x: f32[1,2,5,7]) -> (y)\ny = Resize(x, _, _, s: i64[4]{1,2,11,3}) {mode: \"nearest\", "
     "coordinate_transformation_mode: \"asymmetric\", nearest_mode: \"floor\"}"},
    {"SoftmaxLong", "(x: f32[3,300]) -> (y, z)\ny = Softmax(x)\nz = LogSoftmax(x) {axis: 0}"},
    {"SoftmaxMiddle", "(x: f32[3,17,5]) -> (y)\ny = Softmax(x) {axis: 1}"},
    {"Reductions",
     "(x: f32[3,130,5]) -> (a, b, c, d, e)\na = ReduceSum(x, i: i64[1]{1}) {keepdims: 0}\nb = ReduceMean(x) "
     "{axes: [0,2]}\nc = ReduceMax(x)\nd = ReduceL2(x) {axes: [2]}\ne = ReduceLogSumExp(x) {axes: [1]}"},
    {"WholeReductions",
     "(x: i64[4,70]) -> (a, b, c)\na = ReduceSum(x, i: i64[1]{1})\nb = ReduceMax(x) {axes: [0]}\nc = "
     "ReduceProd(x) {axes: [1], keepdims: 0}"},
    {"Extremes", "(x: f32[4,7,3]) -> (a, b)\na = ArgMax(x) {axis: 1}\nb = ArgMin(x) {axis: -1, keepdims: 0}"},
    {"Largest", "(x: f32[3,300]) -> (a, b)\na, b = TopK(x, k: i64[1]{7})"},
    {"LayerNorm", "(x: f32[5,133], g: f32[133], b: f32[133]) -> (y, m, v)\ny, m, v = LayerNormalization(x, g, b)"},
    {"SkipNorm",
     "(x: f32[2,3,70], s: f32[2,3,70], g: f32[70], b: f32[70], c: f32[70]) -> (y, t)\ny, _, _, t = "
     "com.microsoft::SkipLayerNormalization(x, s, g, b, c)"},
    {"GroupNorms",
     "(x: f32[2,6,5,7], g: f32[6], b: f32[6]) -> (y, z)\ny = InstanceNormalization(x, g, b)\nz = "
     "GroupNormalization(x, g, b) {num_groups: 3}",
     21},
    {"RootMeanSquare", "(x: f32[3,70], g: f32[70]) -> (y)\ny = RMSNormalization(x, g)", 23},
    {"Movement",
     "(x: f32[3,5,7]) -> (a, b, c, d, e)\na = Transpose(x) {perm: [2,0,1]}\nb = Slice(x, s: i64[2]{4,-1}, h: "
     "i64[2]{-100,0}, q: i64[2]{1,2}, t: i64[2]{-2,-3})\nc = Tile(x, r: i64[3]{2,1,3})\nd = Concat(x, x) {axis: "
     "1}\ne = Expand(x, v: i64[4]{2,3,5,7})"},
    {"Scatters",
     "(x: f32[5,3], u: f32[2,3], v: f32[2,2]) -> (a, b)\na = ScatterND(x, i: i64[2,1]{4,-4}, u)\n"
     "b = ScatterElements(x, j: i64[2,2]{0,2,1,-3}, v) {axis: 1}"},
    {"NonZeroRagged",
     "(x: f32[3,17,50]) -> (y, z)\nr = Relu(x)\ny = NonZero(r)\nb = Less(x, x)\nz = NonZero(b)"},
    {"NonZeroOfHalves", "(x: f16[1025]) -> (y)\nr = Relu(x)\ny = NonZero(r)"},
    {"Suppression",
     "(b: f32[2,150,4], s: f32[2,3,150]) -> (y)\ny = NonMaxSuppression(b, s, m: i64[1]{20}, o: f32[1]{0.3}, t: "
     "f32[1]{0.1})"},
    {"SuppressionOfCenters",
     "(b: f32[1,33,4], s: f32[1,2,33]) -> (y)\ny = NonMaxSuppression(b, s, m: i64[1]{5}, o: f32[1]{0.0}) "
     "{center_point_box: 1}"},
    {"SuppressionOfNone", "(b: f32[1,9,4], s: f32[1,2,9]) -> (y)\ny = NonMaxSuppression(b, s, m: i64[1]{0})"},
    {"Split", "(x: f32[3,10]) -> (a, b, c)\na, b, c = Split(x, s: i64[3]{2,5,3}) {axis: 1}"},
    {"Pads",
     "(x: f32[3,4]) -> (a, b, c)\na = Pad(x, p: i64[4]{1,-1,0,2}, v: f32[]{0.5})\nb = Pad(x, q: i64[4]{2,3,1,0}) "
     "{mode: "
     "\"reflect\"}\nc = Pad(x, q) {mode: \"edge\"}"},
    {"Halves", "(x: f16[3,50], y: f16[50]) -> (a, b, c)\na = Add(x, y)\nb = Gelu(a)\nc = Softmax(b)", 20},
    {"Bytes", "(x: u8[3,50], y: u8[50]) -> (a, b, c)\na = Add(x, y)\nb = Concat(a, x) {axis: 0}\nc = Cast(b) {to: 1}"},
    {"Lstm",
     "(x: f32[5,3,10]) -> (y, h, c)\ny, h, c = LSTM(x, w: f32[2,28,10], r: f32[2,28,7], b: f32[2,56]) {hidden_size: "
     "7, direction: \"bidirectional\"}"},
    {"LstmLengths",
     "(x: f32[5,3,10], i: f32[1,3,9]) -> (y, h, c)\ny, h, c = LSTM(x, w: f32[1,36,10], r: f32[1,36,9], _, l: "
     "i32[3]{5,2,4}, i) {hidden_size: 9, direction: \"reverse\"}"},
    {"Gru",
     "(x: f32[4,3,10]) -> (y, h)\ny, h = GRU(x, w: f32[1,33,10], r: f32[1,33,11], b: f32[1,66]) {hidden_size: 11}"},
    {"GruBeforeReset",
     "(x: f32[4,9,10]) -> (y, h)\ny, h = GRU(x, w: f32[2,33,10], r: f32[2,33,11], b: f32[2,66]) "
     "{hidden_size: 11, linear_before_reset: 1, direction: \"bidirectional\"}"},
    {"Rnn",
     "(x: f32[4,3,10]) -> (y, h)\ny, h = RNN(x, w: f32[1,11,10], r: f32[1,11,11], b: f32[1,22]) {hidden_size: 11}"},
    {"AttentionFound",
     "(q: f32[2,3,19,8], k: f32[2,3,70,8], v: f32[2,3,70,8], m: f32[2,1,19,70]) -> (y)\nt = Transpose(k) "
     "{perm: [0,1,3,2]}\np = MatMul(q, t)\ns = Mul(p, c: f32[]{0.35})\na = Add(s, m)\nw = Softmax(a)\ny = "
     "MatMul(w, v)",
     17, session},
    {"AttentionCausal",
     "(q: f32[1,2,19,16], k: f32[1,2,19,16], v: f32[1,2,19,16]) -> (y)\ny = Attention(q, k, v) {is_causal: "
     "1}",
     23},
    {"AttentionCache",
     "(q: f32[2,3,32], k: f32[2,3,16], v: f32[2,3,16], a: f32[2,2,70,8], b: f32[2,2,70,8]) -> (y, c, d)\ny, "
     "c, d = Attention(q, k, v, _, a, b) {q_num_heads: 4, kv_num_heads: 2, is_causal: 1}",
     23},
    // split over the keys: one new token, many old ones
    {"AttentionDecode",
     "(q: f32[2,1,32], k: f32[2,1,16], v: f32[2,1,16], a: f32[2,2,817,8], b: f32[2,2,817,8]) -> (y, c, d)\ny, "
     "c, d = Attention(q, k, v, _, a, b) {q_num_heads: 4, kv_num_heads: 2, is_causal: 1}",
     23},
    {"AttentionDecodeHalves",
     "(q: f16[1,1,24], k: f16[1,1,24], v: f16[1,1,24], a: f16[1,3,900,8], b: f16[1,3,900,8]) -> (y, c, d)\ny, "
     "c, d = Attention(q, k, v, _, a, b) {q_num_heads: 3, kv_num_heads: 3}",
     23},
    {"AttentionSplitMasked",
     "(q: f32[1,2,19,16], k: f32[1,2,833,16], v: f32[1,2,833,20], m: bool[19,833]) -> (y)\ny = Attention(q, k, v, m)",
     23},
    {"AttentionSplitLengths",
     "(q: f32[2,3,24], k: f32[2,800,24], v: f32[2,800,24], m: i32[2,800]) -> (y)\ny = "
     "com.microsoft::MultiHeadAttention(q, k, v, b: f32[72], m) {num_heads: 3}"},
    {"GroupedDecode",
     "(q: f32[2,1,32], k: f32[2,1,16], v: f32[2,1,16], a: f32[2,2,310,8], b: f32[2,2,310,8]) -> (y, c, d)\ny, c, d = "
     "com.microsoft::GroupQueryAttention(q, k, v, a, b, l: i32[2]{300,120}, t: i32[1]{301}) {num_heads: 4, "
     "kv_num_heads: 2}"},
    {"AttentionProjected",
     "(x: f32[2,9,24], m: i32[2,9]) -> (y)\ny = com.microsoft::Attention(x, w: f32[24,72], b: f32[72], "
     "m) {num_heads: 3}"},
    {"AttentionPast",
     "(x: f32[2,3,24], p: f32[2,2,3,5,8]) -> (y, z)\ny, z = com.microsoft::Attention(x, w: f32[24,72], b: "
     "f32[72], _, p) {num_heads: 3, unidirectional: 1}"},
    // on tensor cores: 16-bit floats, 16 queries or more
    {"AttentionTiles",
     "(q: f16[2,3,19,24], k: f16[2,3,70,24], v: f16[2,3,70,20], m: f16[2,1,19,70]) -> (y)\ny = Attention(q, k, v, m)",
     23},
    {"AttentionTilesCausal",
     "(q: f16[1,2,150,64], k: f16[1,2,150,64], v: f16[1,2,150,64]) -> (y)\ny = Attention(q, k, v) {is_causal: 1}", 23},
    {"AttentionTilesOdd",
     "(q: f16[1,2,17,13], k: f16[1,2,65,13], v: f16[1,2,65,7]) -> (y)\ny = Attention(q, k, v) {softcap: 0.5}", 23},
    {"AttentionTilesGrouped",
     "(q: f16[2,33,64], k: f16[2,33,32], v: f16[2,33,32], a: f16[2,2,40,16], b: f16[2,2,40,16]) -> (y, c, d)\ny, c, d "
     "= Attention(q, k, v, _, a, b) {q_num_heads: 4, kv_num_heads: 2, is_causal: 1}",
     23},
    {"AttentionTilesSplit",
     "(q: f16[1,2,19,16], k: f16[1,2,533,16], v: f16[1,2,533,24], m: bool[19,533]) -> (y)\ny = Attention(q, k, v, m)",
     23},
    {"AttentionTilesManyKeys",
     "(q: f16[1,1,70,40], k: f16[1,1,200,40], v: f16[1,1,200,40], m: f16[1,1,1,200]) -> (y)\ny = Attention(q, k, v, m)",
     23},
    {"AttentionTilesLengths",
     "(q: f16[2,20,24], k: f16[2,100,24], v: f16[2,100,24], m: i32[2,100]) -> (y)\ny = "
     "com.microsoft::MultiHeadAttention(q, k, v, b: f16[72], m) {num_heads: 3}"},
    {"AttentionTilesMaskOfFloats",
     "(q: f16[1,2,17,80], k: f16[1,2,66,80], v: f16[1,2,66,80], m: f32[1,2,17,66]) -> (y)\nt = Transpose(k) {perm: "
     "[0,1,3,2]}\np = MatMul(q, t)\nc = Cast(p) {to: 1}\na = Add(c, m)\nw = Softmax(a)\nd = Cast(w) {to: 10}\ny = "
     "MatMul(d, v)",
     17, session},
    {"AttentionTilesProjected",
     "(x: f16[2,33,96], m: i32[2]{33,20}) -> (y)\ny = com.microsoft::Attention(x, w: f16[96,288], b: f16[288], m) "
     "{num_heads: 2}"},
    {"AttentionTilesPast",
     "(x: f16[1,17,24], p: f16[2,1,3,50,8]) -> (y, z)\ny, z = com.microsoft::Attention(x, w: f16[24,72], b: f16[72], _, "
     "p) {num_heads: 3, unidirectional: 1}"},
    {"GroupedWindow",
     "(q: f16[1,140,32], k: f16[1,140,16], v: f16[1,140,16], a: f16[1,2,0,8], b: f16[1,2,0,8]) -> (y, c, d)\ny, c, d "
     "= com.microsoft::GroupQueryAttention(q, k, v, a, b, l: i32[1]{139}, t: i32[1]{140}) {num_heads: 4, kv_num_heads: "
     "2, local_window_size: 40}"},
    {"GroupedDecodeWindow",
     "(q: f32[1,1,32], k: f32[1,1,16], v: f32[1,1,16], a: f32[1,2,90,8], b: f32[1,2,90,8]) -> (y, c, d)\ny, c, d = "
     "com.microsoft::GroupQueryAttention(q, k, v, a, b, l: i32[1]{70}, t: i32[1]{71}) {num_heads: 4, kv_num_heads: 2, "
     "local_window_size: 17}"},
    {"AttentionDecodeOdd",
     "(q: f16[2,3,1,13], k: f16[2,3,70,13], v: f16[2,3,70,7], m: f16[2,3,1,70]) -> (y)\ny = Attention(q, k, v, m) "
     "{softcap: 0.5}",
     23},
    {"AttentionTilesWide",
     "(q: f16[1,1,70,128], k: f16[1,1,70,128], v: f16[1,1,70,96]) -> (y)\ny = Attention(q, k, v)", 23},
    {"GroupedTiles",
     "(q: f16[2,18,32], k: f16[2,18,16], v: f16[2,18,16], a: f16[2,2,64,8], b: f16[2,2,64,8]) -> (y, c, d)\ny, c, d = "
     "com.microsoft::GroupQueryAttention(q, k, v, a, b, l: i32[2]{60,39}, t: i32[1]{61}) {num_heads: 4, "
     "kv_num_heads: 2}"},
    {"AttentionMultiHead",
     "(q: f32[2,5,24], k: f32[2,20,24], v: f32[2,20,24], m: i32[2,20]) -> (y)\ny = "
     "com.microsoft::MultiHeadAttention(q, k, v, b: f32[72], m) {num_heads: 3}"},
};

ModelPtr model_of_text(const char* graph) {
    Model model = model_of(graph);
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

class EmulatedGraph : public testing::TestWithParam<Case> {
protected:
    static ModelPtr model_of_case() {
        Model model = model_of(GetParam().graph, GetParam().opset);
        infer_types(model);
        return std::make_shared<const Model>(std::move(model));
    }
    static bool is_of_halves() { return std::string_view(GetParam().graph).find("f16") != std::string_view::npos; }
};

TEST_P(EmulatedGraph, RunsOnTheDeviceInEveryOrder) {
    const ModelPtr model = model_of_case();
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const Tolerance tolerance = is_of_halves() ? Tolerance{2e-3, 1e-3, true} : exact_arithmetic;
    for (int order : {0, 1, 2, 3})
        EXPECT_EQ(compare_with_reference(model, inputs, {.order = order, .passes = GetParam().passes}, tolerance), "")
            << "order " << order;
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedGraph, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

class EmulatedPrecision : public testing::TestWithParam<const char*> {};

/// Operands rounded to 11 bits leave about 70 dB between result and error, to 8 bits about 52.
TEST_P(EmulatedPrecision, ProductsAndConvolutionsRoundAsTheirTypeDoes) {
    const double least = GetParam() == std::string_view("bf16") ? 46 : 64;
    for (const std::string_view name : {"ProductRagged", "ProductLarge", "ProductBatches", "GemmTransposed",
                                        "PieceProduct", "PieceProductLarge", "PieceProductTurned", "PieceProductSplit",
                                        "SplitProduct", "ConvRagged", "ConvLarge", "ConvStrided"}) {
        const char* const graph = std::ranges::find(cases, name, &Case::name)->graph;
        Model made = model_of(graph);
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 5});
        const RunResult expected = Session::compile(model, reference_options()).run(inputs);
        for (int order : {0, 1, 2}) {
            const EmulatedRun run{.order = order, .precision = GetParam()};
            const RunResult actual = Session::compile(model, emulated_options(run)).run(inputs);
            for (const OutputComparison& output : compare_outputs(actual.outputs, expected.outputs)) {
                EXPECT_GT(output.comparison.sqnr_db, least) << graph << ", order " << order;
                EXPECT_LT(output.comparison.sqnr_db, 100) << graph << ": it is as exact as exact arithmetic";
            }
        }
    }
}
/// Operands split into 22 bits, sums in float32 that tensor cores cut off.
TEST(EmulatedSplitPrecision, ThreeProductsAreNearlyAsExactAsFloats) {
    for (const std::string_view name : {"ProductRagged", "ProductLarge", "ProductBatches", "GemmTransposed",
                                        "PieceProduct", "PieceProductLarge", "PieceProductTurned", "PieceProductSplit",
                                        "SplitProduct", "ConvRagged", "ConvLarge", "ConvStrided"}) {
        const char* const graph = std::ranges::find(cases, name, &Case::name)->graph;
        const ModelPtr model = model_of_text(graph);
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 5});
        const RunResult expected = Session::compile(model, reference_options()).run(inputs);
        for (int order : {0, 1, 2}) {
            const EmulatedRun run{.order = order, .precision = "tf32x3", .passes = session};
            Session split = Session::compile(model, emulated_options(run));
            const RunResult actual = split.run(inputs);
            for (const OutputComparison& output : compare_outputs(actual.outputs, expected.outputs))
                EXPECT_GT(output.comparison.sqnr_db, 112) << graph << ", order " << order;
            EXPECT_TRUE(std::ranges::any_of(split.plan().steps, [](const StepInfo& step) {
                return step.kernel.find("tf32x3") != std::string::npos;
            })) << graph;
        }
    }
}

TEST(EmulatedSplitPrecision, ThreeProductsKeepWhatIsNotFinite) {
    const ModelPtr model = model_of_text("(a: f32[9,3], b: f32[3,5]) -> (y)\ny = MatMul(a, b)");
    constexpr float infinity = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
    std::vector<float> a(27, 1.0f / 3), b(15, 1.0f / 7);
    a[0] = infinity;
    a[4] = -infinity;
    a[8] = std::numeric_limits<float>::quiet_NaN();
    a[11] = most;
    a[13] = -most;
    b[7] = -1e-30f;
    const NamedValues inputs{{"a", Tensor::of<float>({9, 3}, a)}, {"b", Tensor::of<float>({3, 5}, b)}};
    const EmulatedRun run{.precision = "tf32x3"};
    EXPECT_EQ(compare_with_reference(model, inputs, run, {1e-5, 0, true}), "");
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedPrecision, testing::Values("tf32", "fp16", "bf16"),
                         [](const auto& info) { return std::string(info.param); });

TEST(EmulatedProvider, AnIndexOutOfRangeNamesTheNode) {
    Model made = model_of("(x: f32[3,4], i: i64[2]) -> (y)\ny = Gather(x, i) as \"chooser\"");
    infer_types(made);
    Session s = Session::compile(std::make_shared<const Model>(std::move(made)), emulated_options({}));
    const Tensor x = Tensor::of<float>({3, 4}, std::vector<float>(12, 1.0f));
    try {
        s.run({{"x", x}, {"i", Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, 3})}});
        FAIL() << "it ran";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("node chooser: index 3 is out of range of 3 elements"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_NO_THROW(s.run({{"x", x}, {"i", Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{-3, 2})}}));
}

TEST(EmulatedProvider, NodesItDoesNotTakeHaveReasons) {
    Model made = model_of(
        "(x: f32[1,1,3,4], s: f64[3,4]) -> (y, i, z)\ny, i = MaxPool(x) {kernel_shape: [2,2]}\n"
        "z = Einsum(s, s) {equation: \"ij,ij->i\"}");
    infer_types(made);
    EmulatedRun run;
    run.fallback = Fallback::allow;
    const Session s = Session::compile(std::make_shared<const Model>(std::move(made)), emulated_options(run));
    std::map<std::string, std::string> reasons;
    for (const NodePlacement& node : s.placement().nodes)
        if (!node.reasons.empty()) reasons[node.op] = node.reasons[0].reason;
    EXPECT_EQ(reasons["MaxPool"], "its indices are asked for");
    EXPECT_EQ(reasons["Einsum"], "there is no kernel for it");
}

TEST(EmulatedProvider, KindsOfChainsAreThoseOfTheProcessor) {
    std::vector<std::string> functions;
#define X(kind) functions.push_back(#kind);
    LAPIDARY_UNARY_KINDS(X)
#undef X
    ASSERT_EQ(functions.size(), std::size(cuda::chain_functions));
    for (std::size_t i = 0; i < functions.size(); ++i) EXPECT_EQ(functions[i], cuda::chain_functions[i].name);
    EXPECT_EQ(std::size(cuda::chain_pairs), static_cast<std::size_t>(BinaryKind::count));
}

}  // namespace
}  // namespace lapidary::test
