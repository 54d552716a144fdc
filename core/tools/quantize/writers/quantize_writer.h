// SPDX-License-Identifier: Apache-2.0
// What the writers of all modes share: the model they edit, and the decisions and names they leave
// in it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/weights/balanced_rounding.h"
#include "quantize/quantize_parts.h"
#include "quantize/quantized_operator.h"
#include "rewrite/quantized_weight.h"

namespace lapidary {

class QuantizeWriter {
public:
    QuantizeWriter(Model& model, const QuantizeOptions& options);
    virtual ~QuantizeWriter() = default;

    /// Edits the main graph. Adds notes and a decision for every original node to the result.
    /// Throws cancelled.
    void write(QuantizeResult& result, const Progress& progress);

protected:
    /// Quantizes what it can. Must call decide() for every node.
    virtual void write_all(const Progress& progress) { write_nodes(progress); }

    const Graph& graph() const { return model_.graph; }
    GraphEdit& edit() { return edit_; }
    const QuantizeOptions& options() const { return options_; }
    const CancelToken& cancel() const { return cancel_; }  // the token of write()
    /// True if the user keeps the node float; the decision is then noted.
    bool is_kept_float(const Node& node);
    void decide(const Node& node, bool quantized, std::string reason);
    /// Calls write_node() for every node that exists now.
    void write_nodes(const Progress& progress);
    virtual void write_node(NodeId id) = 0;
    void note(std::string text);
    void import(const std::string& domain);
    WeightFormat format_along(std::optional<std::int64_t> axis) const;
    /// quantize_weight(), with balanced rounding if the options ask for it.
    QuantizedWeight quantized(const Tensor& weight, const WeightFormat& format,
                              const SummedElements& sums) const;
    /// The weight of a product that runs in float: its integers may have any scales.
    QuantizedWeight quantized_alone(const Node& node, const WeightedProduct& product,
                                    DType type) const;
    /// Adds the integers of a weight and a DequantizeLinear after them. Returns its result.
    ValueId dequantized(ValueId weight, const QuantizedWeight& stored);
    /// Makes a Gather of rows of a constant matrix read integers and scales, and adds the
    /// conversion to float after it. Decides.
    void write_table_of_rows(const Node& node);
    /// "name_suffix" for a value, made unique.
    std::string name_of_value(ValueId value, std::string_view suffix) const;
    /// Erases the constant if nothing reads it any more.
    void erase_if_unused(ValueId value);

private:
    void settle_subgraphs();
    /// Makes names of nodes unique: nodes made for unnamed nodes have equal names, which ONNX
    /// Runtime refuses.
    void separate_names();

    Model& model_;
    const QuantizeOptions& options_;
    CancelToken cancel_;
    GraphEdit edit_;
    std::vector<NodeDecision> decisions_;
    std::vector<std::string> notes_;
};

/// True if `text` matches the pattern, in which * stands for any characters.
bool fits_pattern(std::string_view text, std::string_view pattern);
/// The node's name in QuantizeOptions::keep_float: its name or, if it has none, that of its first
/// output.
std::string keep_name(const Graph& graph, const Node& node);
/// The pattern with which the user keeps the node float; null: none.
const std::string* keeping_pattern(const Graph& graph, const Node& node,
                                   const QuantizeOptions& options);
/// True if the user wants the node's weight stored as integers and its product computed in float.
bool wants_weight_alone(const Graph& graph, const Node& node, const QuantizeOptions& options);

/// A note for float activations with weights of few bits, for which ONNX Runtime uses MatMulNBits
/// of accuracy level 4.
constexpr const char* rounding_of_onnxruntime =
    "ONNX Runtime rounds the activations of such products to 8 bits unless the session option "
    "session.qdq_matmulnbits_accuracy_level is 0";

/// The format of 8-bit weights or of mode static, without an axis.
WeightFormat weight_format(const QuantizeOptions& options);
/// The same for the weight of a product; with one scale per output if the options ask for that.
WeightFormat product_format(const WeightedProduct& product, const QuantizeOptions& options);
/// The elements that each of its outputs sums.
SummedElements summed_elements(const WeightedProduct& product, const Tensor& weight);
/// The type that QuantizeOptions::weights_of gives the node; empty if no entry matches.
std::optional<DType> own_weight_type(const Graph& graph, const Node& node,
                                     const QuantizeOptions& options);
/// Pattern and type of such an entry. Throws invalid_input for anything else.
std::pair<std::string, DType> typed_pattern(const std::string& entry);

/// Each writer edits the model and adds decisions and notes to the result. `calibration`: of the
/// values in values_to_watch().
void write_dynamic(Model& model, const QuantizeOptions& options, QuantizeResult& result,
                   const Progress& progress);
/// `samples` may be null; then rounding errors are not compensated. `kept`: the folder of
/// resume_quantization(); empty: none.
void write_weights(Model& model, const QuantizeOptions& options, const SampleSource* samples,
                   const std::filesystem::path& kept, QuantizeResult& result,
                   const Progress& progress);
/// Writes WeightStorage::float8 and bfloat16.
void write_small_floats(Model& model, const QuantizeOptions& options, QuantizeResult& result,
                        const Progress& progress);
/// `calibration`: of the values in half_candidates(); null: no node stays float because of its
/// values.
void write_half(Model& model, const QuantizeOptions& options, const Calibration* calibration,
                QuantizeResult& result, const Progress& progress);
std::vector<WatchedValue> half_candidates(const Graph& graph);
/// Quantizes as StaticPlacement::onnxruntime says.
void write_as_onnxruntime(Model& model, const QuantizeOptions& options, QuantizedParts parts,
                          const Calibration& calibration, QuantizeResult& result,
                          const Progress& progress);
void write_static(Model& model, const QuantizeOptions& options, QuantizedParts parts,
                  const Calibration& calibration, QuantizeResult& result, const Progress& progress);

}  // namespace lapidary
