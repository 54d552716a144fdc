// SPDX-License-Identifier: Apache-2.0
#include "quantize/exporter_notes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {
namespace {

using Note = ExporterNotes::Note;

/// How many nodes that only change the form of a value may stand between it and its node.
constexpr int most_form_changes = 3;

std::uint64_t bytes_of(const Note& note) {
    std::uint64_t bytes = note.doc.size();
    for (const auto& [key, text] : note.metadata) bytes += key.size() + text.size();
    return bytes;
}

/// Writes the node anew with these notes: doc strings and metadata of a node cannot be set.
void write_again(GraphEdit& edit, NodeId id, Note note) {
    const Node node = edit.graph().node(id);
    std::vector<ValueId> outputs = edit.take_outputs(id);
    edit.erase(id);
    const NodeId written = edit.add_node({.op_type = node.op_type,
                                          .inputs = node.inputs,
                                          .outputs = std::move(outputs),
                                          .attributes = node.attributes,
                                          .name = node.name,
                                          .domain = node.domain,
                                          .version = node.version,
                                          .overload = node.overload,
                                          .doc = std::move(note.doc),
                                          .metadata = std::move(note.metadata),
                                          .preserved = node.preserved});
    // not recorded as a rewrite, which would hand metadata on
    edit.set_origins(written, node.origins);
}

bool changes_form_alone(const Node& node) {
    return node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear" ||
           node.op_type == "DynamicQuantizeLinear" || node.op_type == "Cast";
}

class NoteGiver {
public:
    NoteGiver(const Graph& graph, const ExporterNotes& taken) : graph_(graph), taken_(taken) {}

    /// The notes of nodes, from the last node to the first, so that those of readers are known.
    std::map<NodeId, const Note*> assign() {
        const std::vector<NodeId> nodes(graph_.nodes().begin(), graph_.nodes().end());
        for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
            const Node& node = graph_.node(*id);
            if (changes_form_alone(node) && node.op_type != "Cast") continue;
            const Note* note = nullptr;
            for (const ValueId output : node.outputs)
                if (output && !note) note = note_of(output, most_form_changes);
            if (!note && is_new(node)) note = note_of_readers(node);
            if (note) assigned_[*id] = note;
        }
        return std::move(assigned_);
    }

private:
    const Note* note_of(ValueId value, int steps) const {
        const Value& v = graph_.value(value);
        if (const auto known = taken_.notes.find(v.name); known != taken_.notes.end())
            return &known->second;
        if (steps == 0) return nullptr;
        for (const Use& use : v.uses) {
            const Node& reader = graph_.node(use.node);
            if (use.input != 0 || !changes_form_alone(reader)) continue;
            for (const ValueId output : reader.outputs)
                if (const Note* note = output ? note_of(output, steps - 1) : nullptr) return note;
        }
        return nullptr;
    }

    bool is_new(const Node& node) const {
        return std::ranges::none_of(node.outputs, [&](ValueId output) {
            return output && taken_.without.contains(graph_.value(output).name);
        });
    }

    /// That of the only reader that has one: the node is one of its parts.
    const Note* note_of_readers(const Node& node) const {
        const Note* found = nullptr;
        for (const ValueId output : node.outputs) {
            if (!output) continue;
            for (const Use& use : graph_.value(output).uses) {
                const auto reader = assigned_.find(use.node);
                const Note* note = reader == assigned_.end() ? nullptr : reader->second;
                if (!note || (found && found != note)) return nullptr;
                found = note;
            }
        }
        return found;
    }

    const Graph& graph_;
    const ExporterNotes& taken_;
    std::map<NodeId, const Note*> assigned_;
};

}  // namespace

ExporterNotes take_notes(Graph& graph) {
    ExporterNotes taken;
    GraphEdit edit(graph, "take_notes");
    const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
    for (const NodeId id : nodes) {
        const Node& node = graph.node(id);
        if (node.doc.empty() && node.metadata.empty()) {
            for (const ValueId output : node.outputs)
                if (output) taken.without.insert(graph.value(output).name);
            continue;
        }
        const Note note{node.doc, node.metadata};
        taken.bytes += bytes_of(note);
        for (const ValueId output : node.outputs)
            if (output) taken.notes[graph.value(output).name] = note;
        write_again(edit, id, {});
    }
    edit.finish();
    return taken;
}

std::string left_out_text(const ExporterNotes& taken) {
    if (taken.bytes == 0) return {};
    return "left out " + std::to_string(taken.bytes) + " bytes that the exporter noted at nodes";
}

bool give_notes(Graph& graph, const ExporterNotes& taken, std::uint64_t most_bytes) {
    const std::map<NodeId, const Note*> assigned = NoteGiver(graph, taken).assign();
    std::uint64_t bytes = 0;
    for (const auto& [id, note] : assigned) bytes += bytes_of(*note);
    if (bytes > most_bytes) return false;
    GraphEdit edit(graph, "give_notes");
    for (const auto& [id, note] : assigned) write_again(edit, id, *note);
    edit.finish();
    return true;
}

}  // namespace lapidary
