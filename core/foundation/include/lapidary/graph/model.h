// SPDX-License-Identifier: Apache-2.0
// A model: the main graph, what it imports, its functions and metadata.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// A model-local function (IR 8). Its body reads its inputs by name and may refer to the caller's
/// attributes by AttributeReference.
struct Function {
    Function();  // empty. This and the next five are compiled once: graph/special_members.cpp
    Function(const Function&);                 // copies
    Function(Function&&) noexcept;             // moves
    Function& operator=(const Function&);      // copies
    Function& operator=(Function&&) noexcept;  // moves
    ~Function();

    std::string domain, name, overload, doc;    // the first three together are unique in a model
    std::vector<std::string> attributes;        // required, without default
    std::vector<Attribute> attribute_defaults;  // attribute_proto
    std::map<std::string, std::int64_t> opset_imports;  // of the body; "" is ai.onnx
    GraphPtr body;                                      // never null
    StringPairs metadata;                               // metadata_props
    std::string preserved;  // protobuf fields this program does not know, kept for saving
};

/// Something odd about a file that did not keep it from loading.
struct Warning {
    std::string where;    // "node "conv1"", "tensor "w"" ...
    std::string message;  // a sentence
};

/// What an ONNX file holds. Copies share weights.
struct Model {
    Model();  // empty. This and the next five are compiled once: graph/special_members.cpp
    Model(const Model&);             // copies
    Model(Model&&);                  // moves
    Model& operator=(const Model&);  // copies
    Model& operator=(Model&&);       // moves
    ~Model();

    std::int64_t ir_version = 8;                               // of the file format
    std::map<std::string, std::int64_t> opset_imports;         // "" is ai.onnx
    std::string producer_name, producer_version, domain, doc;  // as the file says
    std::int64_t model_version = 0;                            // as the file says
    Graph graph;                                               // the main one
    std::vector<Function> functions;                           // model-local ones
    StringPairs metadata;                                      // metadata_props
    std::string preserved;             // unknown fields, training_info, device configurations
    std::filesystem::path path;        // where it was loaded from; empty when built
    std::uint64_t file_bytes = 0;      // size of the model file
    std::uint64_t external_bytes = 0;  // weights kept beside it
    std::vector<std::filesystem::path> external_files;  // the files that hold them
    std::vector<Warning> warnings;                      // of loading and inference
    /// Dimension names that inference made up ("nonzero_0"): shown, but not written to files.
    std::set<std::string> generated_dimensions;
    /// Ranks that the file declares for its outputs. Inference does not use them. Where it finds no
    /// rank they are written back to the file, because ONNX's checker requires a shape.
    std::map<std::string, std::size_t> declared_output_ranks;

    /// Null when the model has no function of that name.
    const Function* find_function(std::string_view function_domain, std::string_view name,
                                  std::string_view overload = {}) const;
    std::int64_t opset(std::string_view opset_domain = {}) const;  // 0 when not imported
};

/// Shared and never changed.
using ModelPtr = std::shared_ptr<const Model>;

}  // namespace lapidary
