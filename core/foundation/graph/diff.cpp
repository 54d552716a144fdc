// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/graph_diff.h>

#include <algorithm>
#include <cstring>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

class Differ {
public:
    explicit Differ(std::vector<std::string>& out) : out_(out) {}

    void graphs(const Graph& a, const Graph& b, const std::string& place) {
        text(place + ": name", a.name(), b.name());
        text(place + ": doc", a.doc(), b.doc());
        text(place + ": preserved fields", a.preserved(), b.preserved());
        pairs(place + ": metadata", a.metadata(), b.metadata());
        if (a.quantization_annotations() != b.quantization_annotations())
            say(place + ": quantization annotations differ");
        names(place + ": inputs", a, a.inputs(), b, b.inputs());
        names(place + ": outputs", a, a.outputs(), b, b.outputs());
        for (ValueId id : a.values()) {
            const ValueId other = b.find_value(a.value(id).name);
            if (!other)
                say(place + ": value " + quote(a.value(id).name) + " is missing in the second");
            else values(place, a.value(id), b.value(other));
        }
        for (ValueId id : b.values())
            if (!a.find_value(b.value(id).name))
                say(place + ": value " + quote(b.value(id).name) + " is missing in the first");
        if (a.node_count() != b.node_count()) {
            say(place + ": " + std::to_string(a.node_count()) + " against " +
                std::to_string(b.node_count()) + " nodes");
            return;
        }
        for (std::size_t i = 0; i < a.node_count(); ++i)
            nodes(place, a, a.node(a.nodes()[i]), b, b.node(b.nodes()[i]));
    }

    void models(const Model& a, const Model& b) {
        if (a.ir_version != b.ir_version) say("IR version differs");
        if (a.opset_imports != b.opset_imports) say("opset imports differ");
        text("producer name", a.producer_name, b.producer_name);
        text("producer version", a.producer_version, b.producer_version);
        text("domain", a.domain, b.domain);
        text("doc", a.doc, b.doc);
        text("preserved fields", a.preserved, b.preserved);
        if (a.model_version != b.model_version) say("model version differs");
        pairs("metadata", a.metadata, b.metadata);
        graphs(a.graph, b.graph, "main");
        if (a.functions.size() != b.functions.size()) {
            say("count of functions differs");
            return;
        }
        for (std::size_t i = 0; i < a.functions.size(); ++i)
            functions(a.functions[i], b.functions[i]);
    }

private:
    void say(std::string sentence) { out_.push_back(std::move(sentence)); }
    void text(const std::string& what, const std::string& a, const std::string& b) {
        if (a != b) say(what + ": " + quote(a, 60) + " against " + quote(b, 60));
    }
    void pairs(const std::string& what, const StringPairs& a, const StringPairs& b) {
        if (a != b) say(what + " differs");
    }
    void names(const std::string& what, const Graph& a, std::span<const ValueId> x, const Graph& b,
               std::span<const ValueId> y) {
        const auto label = [](const Graph& g, ValueId v) {
            return v ? g.value(v).name : std::string();
        };
        if (x.size() != y.size())
            say(what + ": " + std::to_string(x.size()) + " against " + std::to_string(y.size()));
        for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
            text(what, label(a, x[i]), label(b, y[i]));
    }

    void values(const std::string& place, const Value& a, const Value& b) {
        const std::string what = place + ": value " + quote(a.name);
        if (a.kind != b.kind) say(what + ": kind differs");
        if (a.type != b.type)
            say(what + ": " + to_string(a.type) + " against " + to_string(b.type));
        if (a.declared != b.declared) say(what + ": declared in one only");
        text(what + ": denotation", a.type.denotation, b.type.denotation);
        text(what + ": doc", a.doc, b.doc);
        text(what + ": preserved fields", a.preserved, b.preserved);
        pairs(what + ": metadata", a.metadata, b.metadata);
        if (a.constant.has_value() != b.constant.has_value()) say(what + ": constant in one only");
        else if (a.constant && !same_contents(*a.constant, *b.constant))
            say(what + ": constants differ");
        if ((a.sparse != nullptr) != (b.sparse != nullptr)) say(what + ": sparse in one only");
    }

    void nodes(const std::string& place, const Graph& ga, const Node& a, const Graph& gb,
               const Node& b) {
        const std::string what = place + ": " + a.describe();
        text(what + ": name", a.name, b.name);
        text(what + ": operator", a.qualified_op() + "@" + std::to_string(a.version) + a.overload,
             b.qualified_op() + "@" + std::to_string(b.version) + b.overload);
        text(what + ": doc", a.doc, b.doc);
        text(what + ": preserved fields", a.preserved, b.preserved);
        pairs(what + ": metadata", a.metadata, b.metadata);
        names(what + ": inputs", ga, a.inputs, gb, b.inputs);
        names(what + ": outputs", ga, a.outputs, gb, b.outputs);
        if (a.attributes.size() != b.attributes.size()) say(what + ": count of attributes differs");
        for (const Attribute& x : a.attributes) {
            const Attribute* y = b.attribute(x.name);
            if (y == nullptr)
                say(what + ": attribute " + quote(x.name) + " is missing in the second");
            else attributes(what + "/" + x.name, x, *y);
        }
    }

    void attributes(const std::string& what, const Attribute& a, const Attribute& b) {
        text(what + ": doc", a.doc, b.doc);
        text(what + ": preserved fields", a.preserved, b.preserved);
        if (a.value.index() != b.value.index())
            say(what + ": " + std::string(kind_of(a.value)) + " against " +
                std::string(kind_of(b.value)));
        else
            std::visit([&]<typename T>(const T& x) { contents(what, x, std::get<T>(b.value)); },
                       a.value);
    }

    template <typename T>
    void contents(const std::string& what, const std::vector<T>& a, const std::vector<T>& b) {
        if (a.size() != b.size())
            say(what + ": " + std::to_string(a.size()) + " against " + std::to_string(b.size()) +
                " elements");
        else
            for (std::size_t i = 0; i < a.size(); ++i) contents(what, a[i], b[i]);
    }
    void contents(const std::string& what, std::int64_t a, std::int64_t b) {
        if (a != b) say(what + " differs");
    }
    void contents(const std::string& what, float a, float b) {
        if (std::memcmp(&a, &b, sizeof a) != 0) say(what + " differs");
    }
    void contents(const std::string& what, const std::string& a, const std::string& b) {
        if (a != b) say(what + " differs");
    }
    void contents(const std::string& what, const Tensor& a, const Tensor& b) {
        if (!same_contents(a, b)) say(what + ": tensors differ");
    }
    void contents(const std::string& what, const SparseTensor& a, const SparseTensor& b) {
        if (a.shape != b.shape || !same_contents(a.values, b.values) ||
            !same_contents(a.indices, b.indices))
            say(what + ": sparse tensors differ");
    }
    void contents(const std::string& what, const GraphPtr& a, const GraphPtr& b) {
        if (a && b) graphs(*a, *b, what);
        else if (a || b) say(what + ": a graph in one only");
    }
    void contents(const std::string& what, const Type& a, const Type& b) {
        if (a != b) say(what + ": types differ");
    }
    void contents(const std::string& what, const AttributeReference& a,
                  const AttributeReference& b) {
        if (a.name != b.name || a.onnx_type != b.onnx_type) say(what + ": references differ");
    }

    void functions(const Function& a, const Function& b) {
        const std::string what = "function " + quote(a.name);
        if (a.domain != b.domain || a.name != b.name || a.overload != b.overload)
            say(what + ": identity differs");
        if (a.attributes != b.attributes || a.opset_imports != b.opset_imports)
            say(what + ": attributes or imports differ");
        text(what + ": doc", a.doc, b.doc);
        text(what + ": preserved fields", a.preserved, b.preserved);
        pairs(what + ": metadata", a.metadata, b.metadata);
        if (a.attribute_defaults.size() != b.attribute_defaults.size())
            say(what + ": attribute defaults differ");
        else
            for (std::size_t i = 0; i < a.attribute_defaults.size(); ++i)
                attributes(what, a.attribute_defaults[i], b.attribute_defaults[i]);
        contents(what, a.body, b.body);
    }

    std::vector<std::string>& out_;
};

}  // namespace

std::vector<std::string> differences(const Graph& a, const Graph& b) {
    std::vector<std::string> out;
    Differ(out).graphs(a, b, "main");
    return out;
}

std::vector<std::string> differences(const Model& a, const Model& b) {
    std::vector<std::string> out;
    Differ(out).models(a, b);
    return out;
}

}  // namespace lapidary
