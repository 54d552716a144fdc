// SPDX-License-Identifier: Apache-2.0
// Facts about a model and its memory plan that advice rests on, found without running it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/cost/memory_report.h>
#include <lapidary/graph/model.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/export/requirement.h>

namespace lapidary {

/// Contents of a model, and what is required to run it.
struct ModelFacts {
    std::size_t nodes = 0;                     // of the main graph
    std::vector<UnsupportedNode> unsupported;  // nodes that cannot run here, those of subgraphs too
    /// products, convolutions and the like with constant weights of 32 bits
    std::size_t quantizable_nodes = 0;
    std::uint64_t quantizable_bytes = 0;  // of those weights, each once
    std::uint64_t weight_bytes = 0;       // of all constants
    std::size_t quantized_nodes = 0;      // QuantizeLinear, integer products and their like
    /// nodes that compute sizes at run time: Shape, Size and what depends on them
    std::vector<NodeId> shape_nodes;
    /// results of nodes by element type
    std::size_t double_values = 0, half_values = 0, float_values = 0;
    /// as opened; 0: not from a file
    std::uint64_t file_bytes = 0, external_bytes = 0;
    Requirement requirement;                   // that a runtime must meet
    std::int64_t opset = 0;                    // 0: no operators of ONNX
    std::vector<std::string> free_dimensions;  // of the inputs, each once
    std::vector<std::string> free_batches;     // first dimensions of the inputs that are free
    std::vector<std::string> unread_inputs;    // inputs without a default that no node reads
    std::size_t unread_defaults = 0;           // inputs with a default that no node reads
    /// outputs that no node computes: constants, and inputs passed through
    std::vector<std::string> idle_outputs;
};
/// Never throws.
ModelFacts facts_of(const Model& model);
/// The same, with the weights of the model as opened, which `model` was made from: a level may
/// store them in blocks, pad them or widen them.
ModelFacts facts_of(const Model& model, const Model& opened);

/// The largest tensor at the moment when most memory is held.
struct PeakTensor {
    /// type: empty for working memory; node: the one that writes it
    std::string name, type, node;
    std::uint64_t bytes = 0;  // of the tensor
};

/// Memory that a run would hold with the session options in force, and with each of two options
/// inverted.
struct MemoryFindings {
    PeakTensor peak;                             // largest at the peak
    std::uint64_t needed_bytes = 0;              // alive at the peak, MemoryReport::needed_bytes
    std::uint64_t held_bytes = 0;                // MemoryReport::block_bytes
    std::uint64_t held_with_pattern_turned = 0;  // enable_mem_pattern the other way
    std::uint64_t held_with_arena_turned = 0;    // enable_cpu_mem_arena the other way
    bool has_pattern = true, has_arena = true;   // the two options in force
};
/// The figures that `lapidary-cli memory` and the Memory page show. Throws what
/// MemoryStudy::report() throws.
MemoryFindings memory_findings(MemoryStudy& study, const MemoryAssumptions& assumptions,
                               const Progress& progress = {});
/// Only the peak, from one report.
PeakTensor peak_tensor(const MemoryReport& report);

}  // namespace lapidary
