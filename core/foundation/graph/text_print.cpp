// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/graph_text.h>

#include <cctype>
#include <charconv>
#include <set>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

bool is_plain(std::string_view name) {
    if (name.empty() || name == "_" || std::isdigit(static_cast<unsigned char>(name[0])))
        return false;
    for (char c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && c != '/')
            return false;
    return name.find("::") == std::string_view::npos;
}

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    static constexpr char hex[] = "0123456789abcdef";
    for (char c : text) {
        const auto u = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') (out += '\\') += c;
        else if (u < 0x20 || u == 0x7f) ((out += "\\x") += hex[u >> 4]) += hex[u & 15];
        else out += c;
    }
    return out + '"';
}

std::string name_text(std::string_view name) {
    return is_plain(name) ? std::string(name) : in_quotes(name);
}

template <typename F>
std::string float_text(F value) {
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string text(buffer, end);
    return text.find_first_of(".einf") == std::string::npos ? text + ".0" : text;
}

class Printer {
public:
    explicit Printer(const GraphTextOptions& options) : options_(options) {}

    void graph(const Graph& g, const std::string& indent) {
        std::set<ValueId> seen;
        out_ += "(";
        for (std::size_t i = 0; i < g.inputs().size(); ++i) {
            const Value& v = g.value(g.inputs()[i]);
            out_ += (i ? ", " : "") + name_text(v.name) + ": " + to_string(v.type);
            if (v.constant) elements(*v.constant);
            seen.insert(v.id);
        }
        out_ += ") -> (";
        // Constants that only leave the graph are declared in the output list.
        for (std::size_t i = 0; i < g.outputs().size(); ++i) {
            if (i) out_ += ", ";
            const Value& v = g.value(g.outputs()[i]);
            if (v.is_constant() && v.uses.empty() && seen.insert(v.id).second)
                reference(g, v.id, nullptr);
            else out_ += name_text(v.name);
        }
        out_ += ")\n";
        for (NodeId id : g.nodes()) node(g, g.node(id), seen, indent);
    }

    std::string out_;

private:
    void reference(const Graph& g, ValueId id, std::set<ValueId>* seen) {
        if (!id) {
            out_ += "_";
            return;
        }
        const Value& v = g.value(id);
        out_ += name_text(v.name);
        if (v.is_constant() && (seen == nullptr || seen->insert(id).second)) {
            out_ += ": ";
            tensor(*v.constant);
        }
    }

    void node(const Graph& g, const Node& n, std::set<ValueId>& seen, const std::string& indent) {
        out_ += indent;
        for (std::size_t i = 0; i < n.outputs.size(); ++i) {
            if (i) out_ += ", ";
            out_ += n.outputs[i] ? name_text(g.value(n.outputs[i]).name) : "_";
        }
        out_ += (n.outputs.empty() ? "" : " = ") + n.qualified_op();
        const std::int64_t usual = n.domain.empty() ? options_.opset : 1;
        if (n.version != usual) out_ += "@" + std::to_string(n.version);
        out_ += "(";
        for (std::size_t i = 0; i < n.inputs.size(); ++i) {
            if (i) out_ += ", ";
            reference(g, n.inputs[i], &seen);
        }
        out_ += ")";
        for (std::size_t i = 0; i < n.attributes.size(); ++i) {
            out_ += i ? ", " : " {";
            out_ += name_text(n.attributes[i].name) + ": ";
            std::visit([&](const auto& v) { value(v, indent); }, n.attributes[i].value);
            if (i + 1 == n.attributes.size()) out_ += "}";
        }
        if (!n.name.empty()) out_ += " as " + in_quotes(n.name);
        out_ += "\n";
    }

    template <typename T>
    void value(const std::vector<T>& list, const std::string& indent) {
        out_ += "[";
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i) out_ += ", ";
            value(list[i], indent);
        }
        out_ += "]";
    }
    void value(std::int64_t v, const std::string&) { out_ += std::to_string(v); }
    void value(float v, const std::string&) { out_ += float_text(v); }
    void value(const std::string& v, const std::string&) { out_ += in_quotes(v); }
    void value(const Tensor& v, const std::string&) { tensor(v); }
    void value(const SparseTensor& v, const std::string&) {
        out_ += "sparse(" + to_string(v.shape) + ")";
    }
    void value(const Type& v, const std::string&) { out_ += "type(" + to_string(v) + ")"; }
    void value(const AttributeReference& v, const std::string&) { out_ += "&" + name_text(v.name); }
    void value(const GraphPtr& g, const std::string& indent) {
        out_ += "graph {\n" + indent + "  ";
        if (g) graph(*g, indent + "  ");
        out_ += indent + "}";
    }

    void tensor(const Tensor& t) {
        out_ += std::string(name_of(t.dtype())) + to_string(t.shape());
        elements(t);
    }

    void elements(const Tensor& t) {
        if (t.size() > options_.printed_elements) return;
        out_ += "{";
        for (std::int64_t i = 0; i < t.size(); ++i) {
            if (i) out_ += ", ";
            element(t, static_cast<std::size_t>(i));
        }
        out_ += "}";
    }

    void element(const Tensor& t, std::size_t i) {
        switch (t.dtype()) {
        case DType::string: out_ += in_quotes(t.data<std::string>()[i]); return;
        case DType::f32: out_ += float_text(t.data<float>()[i]); return;
        case DType::f64: out_ += float_text(t.data<double>()[i]); return;
        case DType::u64: out_ += std::to_string(t.data<std::uint64_t>()[i]); return;
        default:
            if (t.dtype() == DType::boolean || is_integer(t.dtype()))
                out_ += std::to_string(to_int64s(t)[i]);
            else if (is_float(t.dtype())) out_ += float_text(static_cast<float>(to_doubles(t)[i]));
            else out_ += "?";
        }
    }

    const GraphTextOptions& options_;
};

}  // namespace

std::string print_graph(const Graph& graph, const GraphTextOptions& options) {
    Printer printer(options);
    printer.graph(graph, "");
    return std::move(printer.out_);
}

}  // namespace lapidary
