// SPDX-License-Identifier: Apache-2.0
// What the writers of all modes share: the model that is edited, the decisions and the names they
// leave.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/weights/balanced_rounding.h"
#include "quantize/quantize_parts.h"
#include "quantize/quantized_operator.h"
#include "quantize/weights/quantized_weight.h"

namespace lapidary {

class QuantizeWriter {
public:
    QuantizeWriter(Model& model, const QuantizeOptions& options);
    virtual ~QuantizeWriter() = default;

    /// Edits the main graph; adds a decision for every node that was there, and notes, to the
    /// result. Throws cancelled.
    void write(QuantizeResult& result, const Progress& progress);

protected:
    /// Quantizes what it can; decide() for every node.
    virtual void write_all(const Progress& progress) { write_nodes(progress); }

    const Graph& graph() const { return model_.graph; }
    GraphEdit& edit() { return edit_; }
    const QuantizeOptions& options() const { return options_; }
    const CancelToken& cancel() const { return cancel_; }  // of write()
    /// True, with the decision noted, when the user keeps the node float.
    bool is_kept_float(const Node& node);
    void decide(const Node& node, bool quantized, std::string reason);
    /// write_node() for every node that is there now.
    void write_nodes(const Progress& progress);
    virtual void write_node(NodeId id) = 0;
    void note(std::string text);
    void import(const std::string& domain);
    WeightFormat format_along(std::optional<std::int64_t> axis) const;
    /// quantize_weight(), its rounding balanced where the options want what it shifts taken back.
    QuantizedWeight quantized(const Tensor& weight, const WeightFormat& format,
                              const SummedElements& sums) const;
    /// Integers of a weight in front of a DequantizeLinear, whose result it returns.
    ValueId dequantized(ValueId weight, const QuantizedWeight& stored);
    /// A Gather of rows of a constant matrix takes integers and their scales, which become float
    /// behind it; decides.
    void write_table_of_rows(const Node& node);
    /// "name_suffix" of a value, made unique.
    std::string name_of_value(ValueId value, std::string_view suffix) const;
    /// Constants that nothing reads any more go.
    void erase_if_unused(ValueId value);

private:
    void settle_subgraphs();
    /// What is made for nodes without names is called alike, and ONNX Runtime refuses two nodes of
    /// one name.
    void separate_names();

    Model& model_;
    const QuantizeOptions& options_;
    CancelToken cancel_;
    GraphEdit edit_;
    std::vector<NodeDecision> decisions_;
    std::vector<std::string> notes_;
};

/// True when `text` fits the pattern, in which * stands for any characters.
bool fits_pattern(std::string_view text, std::string_view pattern);
/// What QuantizeOptions::keep_float calls the node: its name, or that of its first output where it
/// has none.
std::string keep_name(const Graph& graph, const Node& node);
/// The pattern by which the user keeps the node float; null: none.
const std::string* keeping_pattern(const Graph& graph, const Node& node,
                                   const QuantizeOptions& options);
/// True when the user wants the node's weight stored in integers and its product in float.
bool wants_weight_alone(const Graph& graph, const Node& node, const QuantizeOptions& options);

/// Of float activations before weights of few bits: ONNX Runtime makes MatMulNBits of accuracy
/// level 4 of them.
constexpr const char* rounding_of_onnxruntime =
    "ONNX Runtime rounds the activations of such products to 8 bits unless the session option "
    "session.qdq_matmulnbits_accuracy_level is 0";

/// Of weights of 8 bits, or of mode static; no axis.
WeightFormat weight_format(const QuantizeOptions& options);
/// The same of the weight of a product, along its outputs where the options want a scale for each
/// of them.
WeightFormat product_format(const WeightedProduct& product, const QuantizeOptions& options);
/// What its outputs add up.
SummedElements summed_elements(const WeightedProduct& product, const Tensor& weight);
/// The type that an entry of QuantizeOptions::weights_of gives the node; nothing where none fits.
std::optional<DType> own_weight_type(const Graph& graph, const Node& node,
                                     const QuantizeOptions& options);
/// Pattern and type of such an entry. Throws invalid_input for what is none.
std::pair<std::string, DType> typed_pattern(const std::string& entry);

/// Each edits the model and adds decisions and notes to the result. `calibration`: of
/// values_to_watch().
void write_dynamic(Model& model, const QuantizeOptions& options, QuantizeResult& result,
                   const Progress& progress);
/// `samples` may be null: rounding is not compensated then.
void write_weights(Model& model, const QuantizeOptions& options, const SampleSource* samples,
                   QuantizeResult& result, const Progress& progress);
/// WeightStorage::float8 and bfloat16.
void write_small_floats(Model& model, const QuantizeOptions& options, QuantizeResult& result,
                        const Progress& progress);
/// `calibration`: of the values of half_candidates(); null: no node is protected by its values.
void write_half(Model& model, const QuantizeOptions& options, const Calibration* calibration,
                QuantizeResult& result, const Progress& progress);
std::vector<WatchedValue> half_candidates(const Graph& graph);
/// What StaticPlacement::onnxruntime quantizes.
void write_as_onnxruntime(Model& model, const QuantizeOptions& options, QuantizedParts parts,
                          const Calibration& calibration, QuantizeResult& result,
                          const Progress& progress);
void write_static(Model& model, const QuantizeOptions& options, QuantizedParts parts,
                  const Calibration& calibration, QuantizeResult& result, const Progress& progress);

}  // namespace lapidary
