// SPDX-License-Identifier: Apache-2.0
// Models in fewer bits: integers computed at run time or beforehand, or weights alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// What is stored in fewer bits.
enum class QuantizeMode : std::uint8_t {
    dynamic,  // 8-bit weights; ranges of activations taken in each run (DynamicQuantizeLinear)
    /// integer weights; ranges of activations from samples (QuantizeLinear and DequantizeLinear)
    static_qdq,
    weights,  // weights alone, see WeightStorage; products in float
    /// float16, but for nodes whose values it has no room for; inputs and outputs stay float32
    half
};
std::string_view name_of(QuantizeMode mode);  // "dynamic", "static", "weights", "fp16"
/// Nothing for another name.
std::optional<QuantizeMode> quantize_mode_from_name(std::string_view name);

/// How weights in blocks are written: MatMulNBits of com.microsoft (any opset), or DequantizeLinear
/// with block_size (opset 21).
enum class BlockForm : std::uint8_t { matmul_nbits, dequantize };

/// What mode weights stores. All become float32 again in front of the nodes that read them.
enum class WeightStorage : std::uint8_t {
    blocks,   // integers with a scale per block
    float8,   // E4M3FN with a scale per channel, behind DequantizeLinear (opset 19)
    bfloat16  // behind Cast: no CPU provider of ONNX Runtime computes in it
};
std::string_view name_of(WeightStorage storage);  // "blocks", "float8", "bfloat16"
/// Nothing for another name.
std::optional<WeightStorage> weight_storage_from_name(std::string_view name);

/// How mode static writes what it quantized: pairs of QuantizeLinear and DequantizeLinear around
/// float operators, or QLinearConv, QLinearMatMul, QGemm ... of ONNX and com.microsoft where there
/// is one for the node (QOperator).
enum class StaticForm : std::uint8_t { pairs, operators };
std::string_view name_of(StaticForm form);  // "qdq", "qoperator"
/// Nothing for another name.
std::optional<StaticForm> static_form_from_name(std::string_view name);

/// Which values mode static quantizes. benefit: those in front of products with a weight and behind
/// convolutions, and between them what has an integer kernel. onnxruntime: what quantize_static of
/// ONNX Runtime 1.32 quantizes: inputs and outputs of every operator of its list, outputs of the
/// model too, whatever that costs.
enum class StaticPlacement : std::uint8_t { benefit, onnxruntime };
std::string_view name_of(StaticPlacement placement);  // "benefit", "onnxruntime"
/// Nothing for another name.
std::optional<StaticPlacement> static_placement_from_name(std::string_view name);

/// How a model is quantized.
struct QuantizeOptions {
    QuantizeMode mode = QuantizeMode::dynamic;  // what is stored in fewer bits
    bool per_channel = true;                    // of weights
    /// weights of 7 bits: no pair of 8-bit products saturates on x86 CPUs without VNNI
    bool reduced_range = false;
    DType activation = DType::u8;  // static: u8, i8, u16 or i16
    /// static: i8, u8, i4 or u4; products with 4-bit weights (opset 21) run in float
    DType weight = DType::i8;
    StaticForm static_form = StaticForm::pairs;            // how mode static writes it
    StaticPlacement placement = StaticPlacement::benefit;  // what mode static quantizes
    bool symmetric_activation = false;                     // zero point in the middle of the type
    /// Dynamic: matrices of products have the zero point in the middle of the type. False: each
    /// scale has a zero point that follows from the smallest and the largest weight
    /// (WeightSymmetric of ONNX Runtime). Other weights have no zero point.
    bool symmetric_weight = false;
    bool fused_operators = false;  // dynamic: DynamicQuantizeMatMul of com.microsoft
    WeightStorage storage = WeightStorage::blocks;  // mode weights
    int weight_bits = 4;                            // of blocks: 4 or 8
    std::int64_t block = 32;        // rows of a block, a power of two from 16 to 256
    bool symmetric_blocks = false;  // of 4- and 8-bit blocks: no zero points
    BlockForm block_form = BlockForm::matmul_nbits;  // how blocks are written
    /// Scales and zero points of blocks are those with the least squared error, where there are
    /// samples weighted with the mean squares of inputs. False: they follow from the extremes, as
    /// in ONNX Runtime. With compensated rounding, rows of large inputs are then rounded first.
    bool fitted_blocks = false;
    /// Mode weights in blocks: bits that a weight takes on average at most, scales and zero points
    /// included. Each weight has 4 or 8 bits and the block that fit in by what it costs the
    /// outputs; `weight_bits` and `block` mean nothing. 0: no budget.
    double bits_per_weight = 0;
    RangeMethod range = RangeMethod::mse;  // of activations, static mode
    double percentile = 99.999;            // of RangeMethod::percentile
    /// share by which ranges of static activations are wider than chosen, 0 to 1
    double range_headroom = 0;
    CalibrationOptions calibration;  // of static mode
    /// Corrects the shift of outputs that rounding weights causes. Static and dynamic: weights are
    /// rounded so that the errors of an output cancel out (SQuant, Guo et al. 2022), except with
    /// the placement of ONNX Runtime. Static: the mean shift that is left is added to biases (Nagel
    /// et al. 2019).
    bool bias_correction = true;
    /// weights of neighbouring convolutions and products share their spread (Nagel et al. 2019)
    bool equalize = false;
    /// SmoothQuant (Xiao et al. 2022): share of the spread of activations that is moved into the
    /// weights of products. 0: none.
    double smoothing = 0;
    /// choose the share for each input by the least expected error
    bool smoothing_by_input = false;
    /// Mode weights in blocks: residual streams of decoders are rotated first (QuaRot: Ashkboos et
    /// al. 2024), by a Hadamard matrix and random signs of this seed, where weights on both sides
    /// take that up. 0: not.
    std::uint64_t rotation = 0;
    /// GPTQ (Frantar et al. 2022): the weights after a rounded one compensate for its error. Modes
    /// static and weights in blocks.
    bool compensated_rounding = false;
    /// node names (nodes without: name of an output) or operators, * any characters
    std::vector<std::string> keep_float;
    /// "PATTERN=TYPE" with patterns as above, the first that fits, and a type s8, u8, s4 or u4:
    /// weights of these nodes in mode static, or blocks of so many bits.
    std::vector<std::string> weights_of;
    /// Patterns as above: weights of these nodes are stored in 8 bits, their products run in float.
    /// Only in modes dynamic and static with placement by benefit. keep_float takes precedence.
    std::vector<std::string> weights_alone;
    /// Constants of masks (-1e4 and less, added in front of a Softmax) are raised to what suffices
    /// for the scores there, if a range or float16 would have to hold them. Modes static and half.
    bool bound_masks = true;
    friend bool operator==(const QuantizeOptions&, const QuantizeOptions&) = default;
};

/// Whether a node was quantized, and why not.
struct NodeDecision {
    std::string node;  // Node::describe() in the prepared model
    /// as in keep_float: the node's name, or that of its first output if it has none
    std::string name;
    std::string place;       // "main" or the path of a subgraph
    bool quantized = false;  // else `reason` says why not
    std::string reason;      // a sentence without a stop
};

/// A value that mode static quantizes: the observed range and the chosen one.
struct QuantizedRange {
    std::string name;               // of the value in the prepared model
    DType dtype = DType::u8;        // that it is stored in
    float low = 0, high = 0;        // observed
    float lowest = 0, highest = 0;  // range that the integers represent
    float scale = 1;                // value = scale * (integer - zero_point)
    std::int32_t zero_point = 0;    // as above
    /// share of the observed elements outside of that range, by the histogram
    double saturated = 0;
    /// of [min(low, 0), max(high, 0)], quantized_range_bins or none
    std::vector<std::uint64_t> histogram;
    friend bool operator==(const QuantizedRange&, const QuantizedRange&) = default;
};
/// Bins of QuantizedRange::histogram, of equal width.
constexpr std::size_t quantized_range_bins = 64;

/// The quantized copy.
struct QuantizeResult {
    Model model;                         // to be saved with save_model()
    std::vector<NodeDecision> nodes;     // all of the prepared model
    std::vector<std::string> notes;      // what a user should know: sentences
    std::vector<QuantizedRange> ranges;  // of mode static
    std::size_t quantized = 0;           // nodes
    std::size_t masks_bounded = 0;       // constants
    std::size_t samples = 0;             // looked at
};

/// Prepares a model for quantization: infers types, folds constants and normalizations (level
/// basic), and raises the opset to at least 13 and `least_opset` (convert_opset()).
/// Throws not_supported where it cannot be rewritten.
Model prepare_for_quantization(const Model& model, std::int64_t least_opset,
                               std::vector<std::string>& notes, const Progress& progress = {});

/// A quantized copy. `samples` must not be null in mode static_qdq, nor with smoothing or
/// compensated rounding. Mode half uses them to keep nodes with large values in float32.
/// Deterministic: same model, options and samples, same bytes. Throws invalid_input for options out
/// of range or samples missing, not_supported where the model cannot be brought to the opset
/// needed, cancelled, and as calibrate().
QuantizeResult quantize_model(const Model& model, const QuantizeOptions& options,
                              const SampleSource* samples = nullptr, const Progress& progress = {});

/// Accuracy of an output of a quantized model against the float model, over samples. SQNR: 10
/// log10(sum x^2 / sum (x - y)^2) dB.
struct OutputAccuracy {
    std::string name;  // of the output
    /// Of all samples together. Infinity: equal. Minus infinity: shapes differ, or an element is
    /// not finite although it is in the float model.
    double sqnr_db = 0;
    double cosine = 1;   // of the angle to the float output
    double max_abs = 0;  // largest difference
    /// Positions of the largest element along the classes, and those that differ. Classes lie along
    /// axis 1, of three dimensions along the last (tokens by classes); outputs of one dimension
    /// have none.
    std::size_t rows = 0, flips = 0;
};
/// Accuracy of all outputs of a quantized model.
struct QuantizedAccuracy {
    std::vector<OutputAccuracy> outputs;  // of floating type
    std::size_t samples = 0;              // compared
    double sqnr_db() const;               // mean over the outputs
    /// Standard error of sqnr_db() in dB, from the variation between samples (linearized ratio of
    /// sums). Nothing: fewer than 2 samples.
    std::optional<double> error_db;
    /// The same of each sample alone, in order; at most 300.
    std::vector<double> sample_db;
    std::vector<std::string> warnings;  // a sentence each
};
/// Runs both, optimized at the level. Throws as Session::compile(); samples that do not run are
/// left out with a warning, invalid_input when none does.
QuantizedAccuracy evaluate_quantized(ModelPtr original, ModelPtr quantized,
                                     const SampleSource& samples, int threads = 0,
                                     const Progress& progress = {}, Level level = Level::all);

/// Bytes of all constants, as ModelSummary::weight_bytes.
std::uint64_t constant_bytes(const Model& model);

/// A recipe that was tried, and its accuracy.
struct RecipeTrial {
    std::string name;                    // of the recipe
    QuantizeOptions options;             // of the recipe
    double sqnr_db = 0;                  // over the splits, their noise together
    std::optional<double> error_db;      // of sqnr_db, see QuantizedAccuracy::error_db
    std::size_t evaluation_samples = 0;  // number of samples in all splits
    /// number of SampleSplits that it was evaluated on
    int splits = 1;
    QuantizedAccuracy accuracy;      // on the first split
    std::uint64_t weight_bytes = 0;  // of all constants
    std::string failure;             // why it failed; empty: it did not
};
/// The recipes tried and the best of them.
struct SearchResult {
    QuantizeResult best;                // of the trial below
    std::size_t best_trial = 0;         // index of it
    std::vector<RecipeTrial> trials;    // as tried
    bool stopped = false;               // by the budget or a cancel: not all were tried
    std::vector<std::string> warnings;  // a sentence each
};
/// Called for each trial after the evaluation on the first split. `made` is null if the trial
/// failed. An exception that it throws ends the search.
using TrialSeen = std::function<void(const RecipeTrial& trial, const QuantizeResult* made)>;

/// Tries recipes of the mode, starting with `options`. The result is the recipe of the highest SQNR
/// among those that save at least nine tenths of the bytes that `options` save. Each is evaluated
/// on the first split of the samples (SampleSplit). Recipes that may still be the best, given the
/// variation between samples, are evaluated on the other four splits too. If the best is not surely
/// better than `options`, these are kept. If it does poorly on one split, because of values outside
/// of all ranges, it is tried with wider ranges too. Ends within `budget_seconds` (0:
/// no limit): the first recipe is always tried to the end, the others while there is time. A cancel
/// after the first returns the best so far. Throws invalid_input for fewer than 2 samples and what
/// quantize_model() throws for the first.
SearchResult search_recipes(const Model& model, const QuantizeOptions& options,
                            SampleSourcePtr samples, double budget_seconds = 0,
                            const Progress& progress = {}, const TrialSeen& on_trial = {});

}  // namespace lapidary
