// SPDX-License-Identifier: Apache-2.0
// What exporters note at nodes (doc strings, metadata), kept apart while nodes are quantized:
// writers would hand it on to every node that they make.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Notes by the names of the values that the nodes wrote.
struct ExporterNotes {
    struct Note {
        std::string doc;
        StringPairs metadata;
    };
    std::map<std::string, Note> notes;
    std::set<std::string> without;  // values of nodes that had no notes
    std::uint64_t bytes = 0;        // of all
};

/// Takes the notes from the nodes of the graph.
ExporterNotes take_notes(Graph& graph);

/// As prepare_for_quantization(), with the notes taken from the nodes and nothing said of them.
Model prepare_without_notes(const Model& model, std::int64_t least_opset,
                            std::vector<std::string>& notes, ExporterNotes& taken,
                            const Progress& progress);

/// The sentence for notes that are not in the quantized model; empty where there are none.
std::string left_out_text(const ExporterNotes& taken);

/// Gives notes back to the nodes that compute the values now, also as integers, and to new nodes
/// that only they read from. Quantizing and dequantizing nodes get none. Nothing is given where the
/// notes would take more than `most_bytes`. Returns whether they were given.
bool give_notes(Graph& graph, const ExporterNotes& taken, std::uint64_t most_bytes);

}  // namespace lapidary
