// SPDX-License-Identifier: Apache-2.0
// Where a node comes from in the program that its model was exported from: modules with their
// classes, and lines of code. Exporters note that in the metadata of nodes, in doc strings or in
// names; passes keep the metadata.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// Modules of a node that are read from a name of scopes, from the outermost in, and characters of
/// their paths: more than programs have.
inline constexpr std::size_t most_source_modules = 128;
inline constexpr std::size_t longest_source_path = 4096;

/// A module of the program, for example a layer.
struct SourceModule {
    std::string path;        // from the model on: "encoder.layer.0"; empty: the model itself
    std::string class_name;  // "BertLayer"; empty: not known
    friend bool operator==(const SourceModule&, const SourceModule&) = default;
};

/// A line of code that made a node.
struct SourceLine {
    std::string file;       // as the exporter wrote it
    std::int64_t line = 0;  // from 1
    std::string function;   // "forward"
    std::string code;       // of the line; empty: not known
    /// "model.py:12"
    std::string text() const { return file + ":" + std::to_string(line); }
    friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// What exporters say of a node. Of a fused node that is what they say of all that it stands for.
struct NodeSource {
    std::vector<SourceModule> modules;  // from the outermost in; those that all have
    std::vector<SourceLine> lines;      // one of each, in the order of the nodes, each once

    /// True where nothing is known.
    bool is_empty() const { return modules.empty() && lines.empty(); }
    /// "encoder.layer.0 (BertLayer)"; empty: not known.
    std::string module_text() const;
    /// "model.py:12, model.py:14"; of many lines the first ones and how many more.
    std::string line_text() const;
};

/// Reads metadata of PyTorch's exporters (pkg.torch.onnx.*, namespace), stack traces in doc
/// strings, and names with scopes ("/encoder/layer.0/MatMul"). Of a stack trace the line is that of
/// the innermost frame outside of the framework itself (torch, TensorFlow, Keras, JAX).
NodeSource source_of(const Node& node);

/// The line of a stack trace, of Python ("File "a.py", line 3, in forward") or of TorchScript
/// ("a.py(3): forward"). Line 0: the text has none.
SourceLine line_of_stack_trace(std::string_view trace);

}  // namespace lapidary
