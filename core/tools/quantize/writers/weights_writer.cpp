// SPDX-License-Identifier: Apache-2.0
// Mode weights in blocks: matrices and tables of 4 or 8 bits, products in float.
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/quantize/resumed_quantization.h>

#include "base/threads/task_threads.h"
#include "quantize/calibration/collect_moments.h"
#include "quantize/calibration/input_squares.h"
#include "quantize/weights/bit_budget.h"
#include "quantize/weights/block_source.h"
#include "quantize/weights/compensated_blocks.h"
#include "quantize/weights/fitted_blocks.h"
#include "quantize/weights/ordered_blocks.h"
#include "quantize/writers/kept_blocks.h"
#include "quantize/writers/quantize_writer.h"
#include "quantize/writers/tensors_on_disk.h"

namespace lapidary {
namespace {

/// What was found out before weights are written.
struct WeightFacts {
    std::vector<ProductMoments> moments;         // for compensated rounding
    InputSquares squares;                        // for fitted blocks
    std::map<BlockedConstant, BlockKind> kinds;  // within a budget of bits
};

class WeightsWriter final : public QuantizeWriter {
public:
    WeightsWriter(Model& model, const QuantizeOptions& options, WeightFacts facts,
                  const std::filesystem::path& kept)
        : QuantizeWriter(model, options),
          threads_(facts.moments.empty() && !options.fitted_blocks ? 1
                                                                   : options.calibration.threads),
          on_disk_(constant_bytes(model)), kept_(kept), squares_(std::move(facts.squares)),
          kinds_(std::move(facts.kinds)) {
        for (ProductMoments& product : facts.moments)
            if (product.is_known())
                moments_.emplace(product.product.weight, std::move(product.moments));
    }
    std::size_t compensated() const { return compensated_.size(); }
    std::size_t resumed() const { return kept_.found(); }
    bool keeps_nothing() const { return kept_.is_blocked(); }

private:
    void write_all(const Progress& progress) override {
        threads_.execute([&] { write_nodes(progress); });
    }
    void write_node(NodeId id) override {
        const Node node = graph().node(id);
        if (is_kept_float(node)) return;
        kind_ = kind_of(node);
        std::string reason;
        const auto source = block_source(graph(), node, options(), kind_.block, reason);
        if (!source) return decide(node, false, reason);
        if (!source->product) return write_table(node, *source);
        const WeightedProduct& product = *source->product;
        if (options().block_form == BlockForm::matmul_nbits) write_nbits(node, product, *source);
        else write_dequantize(node, product, *source);
        decide(node, true,
               "weight of " + std::to_string(kind_.bits) + " bits in blocks of " +
                   std::to_string(kind_.block) +
                   (compensated_.contains(product.weight) ? ", rounding compensated" : ""));
        edit().record(node.describe() + " with a weight in blocks", false);
        erase_if_unused(product.weight);
    }

    BlockKind kind_of(const Node& node) const {
        std::string ignored;
        const bool has_nbits = options().block_form == BlockForm::matmul_nbits;
        if (!kinds_.empty())
            if (const auto source = block_source(graph(), node, options(), 1, ignored))
                if (const auto at = kinds_.find({source->constant, source->axis});
                    at != kinds_.end())
                    return at->second;
        const auto type = own_weight_type(graph(), node, options());
        return {type ? (is_packed(*type) ? 4 : 8) : options().weight_bits, options().block,
                options().symmetric_blocks, has_nbits};
    }

    /// The blocks of one weight, of which nothing else stays in memory if the model is large.
    BlockWeight blocks_of(const BlockSource& source) {
        BlockWeight blocks = made_blocks(source);
        graph().value(source.constant).constant->drop_pages();
        on_disk_.keep({&blocks.values, &blocks.scales, &blocks.zero_points});
        return blocks;
    }

    /// Blocks with compensation, fitted ones, or those of ONNX Runtime.
    BlockWeight made_blocks(const BlockSource& source) {
        const Tensor matrix = matrix_in_blocks(graph(), source);
        if (const auto seen = moments_.find(source.constant);
            source.product && seen != moments_.end()) {
            auto made = compensated_or_kept(matrix, seen->second);
            if (made) {
                compensated_.insert(source.constant);
                return std::move(*made);
            }
        }
        if (!options().fitted_blocks)
            return quantize_blocks(matrix, kind_.bits, kind_.block, kind_.symmetric, cancel());
        const auto squares = squares_.find(source.constant);
        const bool is_known = source.product && squares != squares_.end();
        return fitted_blocks(
            matrix, kind_,
            is_known ? std::span<const double>(squares->second) : std::span<const double>(),
            threads_, cancel());
    }

    /// Blocks of an earlier run that was stopped, or new ones, which are kept for a later run.
    std::optional<BlockWeight> compensated_or_kept(const Tensor& matrix,
                                                   const InputMoments& moments) {
        std::string name;
        if (kept_.is_used()) {
            name = KeptBlocks::name_of(matrix, moments, kind_, options().fitted_blocks);
            if (auto found = kept_.find(name, matrix, kind_)) return found;
        }
        auto made = options().fitted_blocks
                        ? ordered_blocks(matrix, kind_, moments, threads_, cancel())
                        : compensated_blocks(matrix, kind_.bits, kind_.block, kind_.symmetric,
                                             kind_.signed_scales, moments, threads_, cancel());
        if (made) kept_.add(name, *made);
        return made;
    }

    void write_nbits(const Node& node, const WeightedProduct& product, const BlockSource& source) {
        import("com.microsoft");
        const Shape weight = graph().value(product.weight).constant->shape();
        auto [at, is_new] = stored_.try_emplace({product.weight, product.input_axis, kind_});
        if (is_new) {
            const BlockWeight blocks = blocks_of(source);
            at->second = {
                edit().add_initializer(name_of_value(product.weight, "_blocks"), blocks.values),
                edit().add_initializer(name_of_value(product.weight, "_scales"), blocks.scales)};
            if (blocks.zero_points)
                at->second.push_back(edit().add_initializer(
                    name_of_value(product.weight, "_zero_points"), blocks.zero_points));
        }
        std::vector<ValueId> inputs{product.data};
        inputs.insert(inputs.end(), at->second.begin(), at->second.end());
        const auto number = [](std::string name, std::int64_t value) {
            return Attribute{std::move(name), value, {}, {}};
        };
        std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        if (product.bias) {
            const ValueId whole = edit().add_value(node.name + "_product");
            edit().add_node({.op_type = "Add",
                             .inputs = {whole, product.bias},
                             .outputs = outputs,
                             .name = node.name + "_bias"});
            outputs = {whole};
        }
        edit().add_node(
            {.op_type = "MatMulNBits",
             .inputs = inputs,
             .outputs = outputs,
             .attributes = {number("K", weight[static_cast<std::size_t>(product.input_axis)]),
                            number("N", weight[static_cast<std::size_t>(product.output_axis)]),
                            number("bits", kind_.bits), number("block_size", kind_.block)},
             .name = node.name + "_blocks",
             .domain = "com.microsoft",
             .version = 1});
    }

    /// As ONNX Runtime's blocked DequantizeLinear, unless rounding is compensated or fitted.
    QuantizedWeight dequantize_blocks_of(const BlockSource& source) {
        const Tensor weight = *graph().value(source.constant).constant;
        const bool is_plain = !options().fitted_blocks && !moments_.contains(source.constant);
        if (!is_plain)
            if (const BlockWeight blocks = blocks_of(source);
                options().fitted_blocks || compensated_.contains(source.constant))
                return dequantize_form(blocks, weight.dim(static_cast<std::size_t>(source.axis)),
                                       kind_.bits, kind_.block, source.axis);
        const bool four = kind_.bits == 4;
        const DType dtype =
            kind_.symmetric ? (four ? DType::i4 : DType::i8) : (four ? DType::u4 : DType::u8);
        return quantize_weight(weight, {{dtype, kind_.symmetric, false}, source.axis, kind_.block},
                               cancel());
    }

    void write_dequantize(const Node& node, const WeightedProduct& product,
                          const BlockSource& source) {
        auto [at, is_new] = stored_.try_emplace({product.weight, product.input_axis, kind_});
        if (is_new) {
            QuantizedWeight blocks = dequantize_blocks_of(source);
            graph().value(source.constant).constant->drop_pages();
            on_disk_.keep({&blocks.values, &blocks.scale, &blocks.zero_point});
            const ValueId values =
                edit().add_initializer(name_of_value(product.weight, "_blocks"), blocks.values);
            const ValueId scales =
                edit().add_initializer(name_of_value(product.weight, "_scales"), blocks.scale);
            std::vector<ValueId> inputs{values, scales};
            if (!kind_.symmetric)
                inputs.push_back(edit().add_initializer(
                    name_of_value(product.weight, "_zero_points"), blocks.zero_point));
            at->second = {edit().node(
                "DequantizeLinear", inputs,
                {{"axis", product.input_axis, {}, {}}, {"block_size", kind_.block, {}, {}}},
                graph().value(product.weight).name + "_DequantizeLinear")};
        }
        edit().set_input(node.id, 1, at->second[0]);
    }

    /// Rows of a constant matrix, in blocks along the rows.
    void write_table(const Node& node, const BlockSource& source) {
        const ValueId constant = source.constant;
        const Shape shape = graph().value(constant).constant->shape();
        import("com.microsoft");
        auto [at, is_new] = stored_.try_emplace({constant, 1, kind_});
        if (is_new) {
            const BlockWeight blocks = blocks_of(source);
            const std::int64_t rows = shape[0], row_bytes = shape[1] * kind_.bits / 8;
            at->second = {
                edit().add_initializer(name_of_value(constant, "_blocks"),
                                       blocks.values.reshaped({rows, row_bytes})),
                edit().add_initializer(name_of_value(constant, "_scales"), blocks.scales)};
            if (blocks.zero_points)
                at->second.push_back(edit().add_initializer(name_of_value(constant, "_zero_points"),
                                                            blocks.zero_points));
        }
        std::vector<ValueId> inputs{at->second[0], node.inputs.at(1), at->second[1]};
        if (at->second.size() > 2) inputs.push_back(at->second[2]);
        const std::vector<ValueId> outputs = edit().take_outputs(node.id);
        edit().erase(node.id);
        edit().add_node({.op_type = "GatherBlockQuantized",
                         .inputs = inputs,
                         .outputs = outputs,
                         .attributes = {{"gather_axis", std::int64_t{0}, {}, {}},
                                        {"quantize_axis", std::int64_t{1}, {}, {}},
                                        {"block_size", kind_.block, {}, {}},
                                        {"bits", std::int64_t{kind_.bits}, {}, {}}},
                         .name = node.name + "_blocks",
                         .domain = "com.microsoft",
                         .version = 1});
        decide(node, true,
               "table of " + std::to_string(kind_.bits) + " bits in blocks of " +
                   std::to_string(kind_.block));
        edit().record(node.describe() + " from a table in blocks", false);
        erase_if_unused(node.inputs[0]);
    }

    TaskThreads threads_;
    TensorsOnDisk on_disk_;
    KeptBlocks kept_;
    BlockKind kind_;  // of the node that is written
    std::map<std::tuple<ValueId, std::int64_t, BlockKind>, std::vector<ValueId>> stored_;
    InputSquares squares_;
    std::map<BlockedConstant, BlockKind> kinds_;  // of others by the options
    std::map<ValueId, InputMoments> moments_;
    std::set<ValueId> compensated_;
};

}  // namespace

void write_weights(Model& model, const QuantizeOptions& options, const SampleSource* samples,
                   const std::filesystem::path& kept, QuantizeResult& result,
                   const Progress& progress) {
    if (options.storage != WeightStorage::blocks)
        return write_small_floats(model, options, result, progress);
    WeightFacts facts;
    if (options.compensated_rounding && samples)
        facts.moments = collect_moments(model, options, *samples, progress);
    if (options.fitted_blocks && samples)
        facts.squares = collect_input_squares(model, options, *samples, progress);
    if (options.bits_per_weight > 0)
        facts.kinds = allocate_bits(model, options, facts.squares, samples, result.notes, progress);
    const std::size_t products = facts.moments.size();
    const std::filesystem::path folder = keeps_weights(options) ? kept : std::filesystem::path();
    WeightsWriter writer(model, options, std::move(facts), folder);
    writer.write(result, progress);
    if (options.block_form == BlockForm::dequantize)
        result.notes.emplace_back(rounding_of_onnxruntime);
    if (products > 0)
        result.notes.push_back("rounded the weights of " + std::to_string(writer.compensated()) +
                               " of " + std::to_string(products) + " products with compensation");
    if (writer.resumed() > 0)
        result.notes.push_back("an earlier run that was stopped had done " +
                               std::to_string(writer.resumed()) + " of these weights");
    if (writer.keeps_nothing())
        result.notes.push_back(
            "no weights were kept for a run that goes on: " + quote(folder.string(), 4096) +
            " was not made by such a run, and stays as it is");
}

}  // namespace lapidary
