// SPDX-License-Identifier: Apache-2.0
// The nodes of a graph: outputs are declared first, so that nodes may stand in any order.
#include "onnx_io/read/read_graph.h"

#include <unordered_set>

#include <lapidary/base/error.h>

#include "onnx_io/check/check_control_flow.h"
#include "onnx_io/onnx.pb.h"
#include "onnx_io/read/place.h"
#include "onnx_io/preserved.h"
#include "onnx_io/read/read_attribute.h"
#include "ops/schemas/schema.h"

namespace lapidary::onnx_io {
namespace {

/// A model may import an opset newer than the tables know; beyond this one the number is taken for
/// damage.
constexpr std::int64_t most_likely_opset = 100;

std::string label(const std::string& name, const std::string& op, std::size_t index) {
    std::string shown = quote(op);
    shown = shown.size() > 2 ? shown.substr(1, shown.size() - 2) : "?";
    return (name.empty() ? "node #" + std::to_string(index) : "node " + quote(name)) + " (" +
           shown + ")";
}

/// What a node still on the wire is called.
struct Glance {
    std::string name, op;
    std::size_t outputs = 0;
};

Glance glance_at(WireReader reader) {
    Glance out;
    for (WireField field; reader.next(field);) {
        if (field.number == 3 && field.type == WireType::bytes) out.name = field.text();
        if (field.number == 4 && field.type == WireType::bytes) out.op = field.text();
        if (field.number == 2) ++out.outputs;
    }
    return out;
}

}  // namespace

void GraphReader::count_node() {
    if (context_.nodes % 1024 == 0) context_.progress.cancel.throw_if_cancelled();
    if (++context_.nodes > context_.limits.nodes)
        fail_limit("the model has more nodes than the limit of " +
                   std::to_string(context_.limits.nodes));
}

void GraphReader::declare_node_outputs(const std::vector<Part>& nodes) {
    // by value index from `first` on: values added here are numbered in a row
    std::vector<std::size_t> writer;
    const std::size_t first = graph_.value_slots();
    const auto label_at = [&](std::size_t i) {
        const Glance node = glance_at(reader_of(nodes[i], "NodeProto"));
        return label(node.name, node.op, i);
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        count_node();
        WireReader reader = reader_of(nodes[i], "NodeProto");
        for (WireField field; reader.next(field);) {
            if (field.number != 2) continue;
            require_bytes(field, "NodeProto", "output");
            if (field.payload.empty()) continue;
            const std::string_view name = field.text();
            context_.check_name(name, "value");
            if (const std::string other = enclosing_definition(name); !other.empty())
                context_.warnings.add("names that hide outer ones", place_,
                                      label_at(i) + " writes " + quote(name) + ", which hides " +
                                          other + " of an enclosing graph");
            const ValueId known = graph_.find_value(name);
            if (!known) {
                edit_.add_value(std::string(name));
                writer.push_back(i);
                continue;
            }
            const ValueKind kind = graph_.value(known).kind;
            if (kind != ValueKind::undefined)
                fail_model(label_at(i) + " writes " + quote(name) + ", which is " +
                           (kind == ValueKind::input ? "a graph input" : "an initializer"));
            std::size_t& other = writer[known.index - first];
            const auto is_constant = [&](std::size_t node) {
                const Glance seen = glance_at(reader_of(nodes[node], "NodeProto"));
                return seen.op == "Constant" && seen.outputs == 1;
            };
            if (other == i || !is_constant(other) || !is_constant(i))
                fail_model("value " + quote(name) + " is written twice: by " + label_at(other) +
                           " and by " + label_at(i));
            // Edited models carry an old and a new Constant of one name; ONNX Runtime uses the
            // last, and so does this.
            context_.warnings.add("constants defined twice", place_,
                                  "value " + quote(name) + " is written by " + label_at(other) +
                                      " and by " + label_at(i) +
                                      ": the last is used, the first dropped");
            dropped_.insert(other);
            other = i;
        }
    }
}

std::int64_t GraphReader::version_of(const std::string& domain) {
    const auto it = opsets_.find(domain);
    if (it == opsets_.end()) {
        // A function says itself what it imports. In a model that imports something ONNX Runtime
        // takes the rest as new as it knows.
        const bool is_taken_as_newest = !function_attributes_ && !opsets_.empty();
        if (domain.empty() && !is_taken_as_newest)
            fail_model(
                "the node uses an operator of ai.onnx, but the model imports no version of it "
                "(opset_import is "
                "missing)");
        const std::int64_t newest = domain == "com.microsoft" ? 1
                                    : is_taken_as_newest      ? newest_version(domain)
                                                              : 0;
        if (context_.domains_warned_of.insert(domain).second)
            context_.warnings.add("domains that are not imported",
                                  "domain " + quote(domain.empty() ? "ai.onnx" : domain),
                                  "is used but not imported (opset_import)" +
                                      (newest > 0 ? ": its operators are taken as opset " +
                                                        std::to_string(newest) + " defines them"
                                                  : ""));
        if (is_taken_as_newest && newest > 0) context_.assumed_imports.emplace(domain, newest);
        return newest;
    }
    if (!domain.empty()) return it->second;
    if (it->second > most_likely_opset || it->second < min_onnx_opset)
        fail_unsupported("ai.onnx opset " + std::to_string(it->second) + " is " +
                         (it->second < min_onnx_opset ? "too old" : "too new") +
                         ": this program supports " + std::to_string(min_onnx_opset) + " to " +
                         std::to_string(max_onnx_opset));
    if (it->second > max_onnx_opset && context_.domains_warned_of.insert(domain).second)
        context_.warnings.add(
            "newer opset", "ai.onnx",
            "opset " + std::to_string(it->second) + " is newer than " +
                std::to_string(max_onnx_opset) +
                ", the newest this program knows: operators are taken as that one defines them");
    return it->second;
}

GraphPtr GraphReader::read_subgraph(const WireField& field, const std::string& node,
                                    const std::string& attribute) {
    GraphReader inner(context_, opsets_, function_attributes_, this,
                      place_ + "/" + node + "/" + attribute);
    return std::make_shared<const Graph>(inner.read(WireReader(field, "GraphProto")));
}

void GraphReader::add_nodes(const std::vector<Part>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i % 1024 == 0)
            context_.progress.step("reading nodes",
                                   static_cast<double>(i) / static_cast<double>(nodes.size()));
        if (!dropped_.contains(i)) add_node(nodes[i], i);
    }
}

std::vector<std::string> GraphReader::read_inputs(const onnx::NodeProto& proto,
                                                  const std::string& here, NodeSpec& spec) {
    std::vector<std::string> faults;
    const bool was_sorted = !is_unsorted_;
    for (int k = 0; k < proto.input_size(); ++k) {
        const std::string& name = proto.input(k);
        spec.inputs.push_back(name.empty() ? ValueId{} : find(name));
        if (!name.empty() && !spec.inputs.back()) {
            context_.check_name(name, "value");
            faults.push_back("input " + std::to_string(k) + " is " + quote(name) +
                             ", which no node writes and which is no graph input or initializer");
            if (!context_.faults || enclosing_ || function_attributes_) fail_model(faults.back());
            spec.inputs.back() = edit_.add_input(name, {});
        }
        if (was_sorted && is_unsorted_ && unsorted_example_.empty())
            unsorted_example_ = here + " stands before the node that writes " + quote(name);
    }
    if (was_sorted && is_unsorted_ && unsorted_example_.empty())
        unsorted_example_ = "a subgraph of " + here + " reads a value that is written later";
    return faults;
}

void GraphReader::add_node(const Part& part, std::size_t index) {
    std::string light;
    std::vector<WireField> attributes;
    WireReader reader = reader_of(part, "NodeProto");
    for (WireField field; reader.next(field);) {
        if (field.number == 5) attributes.push_back(field);
        else light.append(reinterpret_cast<const char*>(field.whole.data()), field.whole.size());
    }
    onnx::NodeProto proto;
    parse_message(proto, light, part.offset, "NodeProto");
    const std::string here = label(proto.name(), proto.op_type(), index);
    try {
        context_.check_name(proto.name(), "node");
        context_.check_name(proto.op_type(), "operator");
        context_.check_name(proto.domain(), "domain");
        if (proto.op_type().empty()) fail_model("the node names no operator (op_type is empty)");
        NodeSpec spec;
        spec.name = proto.name();
        spec.op_type = proto.op_type();
        spec.domain = proto.domain() == "ai.onnx" ? std::string() : proto.domain();
        spec.overload = proto.overload();
        spec.doc = proto.doc_string();
        spec.metadata = pairs_of(proto.metadata_props());
        spec.preserved = proto.unknown_fields();
        spec.version = version_of(spec.domain);

        AttributeScope scope{context_,
                             [&](const WireField& field, const std::string& attribute) {
                                 return read_subgraph(field, here, attribute);
                             },
                             function_attributes_};
        std::unordered_set<std::string> names;
        spec.attributes.reserve(attributes.size());
        for (const WireField& field : attributes) {
            spec.attributes.push_back(read_attribute(field, scope));
            if (!names.insert(spec.attributes.back().name).second)
                fail_model("attribute " + quote(spec.attributes.back().name) + " is given twice");
        }

        bool writes = false;
        for (const std::string& name : proto.output()) {
            spec.outputs.push_back(name.empty() ? ValueId{} : graph_.find_value(name));
            writes = writes || !name.empty();
        }
        if (!writes)
            fail_model("the node writes nothing: " +
                       std::string(proto.output_size() == 0 ? "it has no outputs"
                                                            : "every output name is empty"));
        std::vector<std::string> faults = read_inputs(proto, here, spec);
        check_control_flow(spec);
        const NodeId added = edit_.add_node(std::move(spec));
        for (std::string& fault : faults) context_.faults->push_back({added, std::move(fault)});
    } catch (Error& e) {
        add_place(e, place_ + "/" + here);
        throw;
    }
}

}  // namespace lapidary::onnx_io
