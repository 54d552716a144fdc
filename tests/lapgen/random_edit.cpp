// SPDX-License-Identifier: Apache-2.0
#include "lapgen/random_edit.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_script.h>
#include <lapidary/edit/edit_verbs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>
#include <lapidary/tensor/tensor_file.h>

namespace lapidary::lapgen {
namespace {

constexpr const char* operators_to_insert[] = {"Identity",
                                               "Relu",
                                               "Neg",
                                               "Abs",
                                               "Dropout",
                                               "Cast(to=float16)",
                                               "Cast(to=float)",
                                               "Cast(to=int64)",
                                               "Clip(min=0, max=6)",
                                               "LeakyRelu(alpha=0.2)",
                                               "Softmax(axis=-1)",
                                               "Transpose",
                                               "Transpose(perm=[1, 0])",
                                               "Unsqueeze(axes=[0])",
                                               "Squeeze",
                                               "Reshape(shape=[-1])",
                                               "Flatten(axis=1)",
                                               "Shape",
                                               "Sub(A=1.0, B=_)",
                                               "Add(B=1)",
                                               "Mul(B=[1,2])",
                                               "Concat(axis=0)",
                                               "Split(axis=0)",
                                               "Gemm",
                                               "com.microsoft::Gelu",
                                               "Gelu",
                                               "TopK(K=[1])",
                                               "Expand(shape=[2,1])",
                                               "ReduceMean(keepdims=0)",
                                               "NoSuchOperator"};
constexpr const char* texts[] = {"0",     "1",     "-1",      "2",    "0.5",       "[1,0]",
                                 "[0,1]", "[1,1]", "[0,2,1]", "text", "asymmetric"};
constexpr const char* type_names[] = {"float", "float16", "double", "int64", "bool", "bfloat16"};
constexpr const char* rules =
    "rule gentle\nmatch\n  y = Relu(x)\nreplace\n  y = LeakyRelu(x, alpha=0.25)\n";

/// Places that get the same word in every line.
constexpr std::pair<std::string_view, const char*> same_in_all[] = {
    {"FIRST", "first.onnx"}, {"SECOND", "second.onnx"}, {"PREFIX", "part/"}, {"AXIS", "1"},
    {"OVERLAP", "0.5"},      {"SCORE", "0.5"},          {"KEY", "key"}};

class RandomEdit {
public:
    RandomEdit(const Model& model, std::string_view form, std::mt19937_64& random,
               const std::filesystem::path& folder)
        : model_(model), graph_(model.graph), form_(form), random_(random), folder_(folder) {}

    std::string make() {
        std::string line;
        bool skips = false;
        std::string_view rest = form_;
        while (!rest.empty()) {
            std::string_view part = rest.substr(0, rest.find(' '));
            rest.remove_prefix(std::min(rest.size(), part.size() + 1));
            if (part.starts_with('[')) {
                part.remove_prefix(1);
                skips = chance(0.5);
            }
            const bool ends = part.ends_with(']');
            if (ends) part.remove_suffix(1);
            if (!skips) line += (line.empty() ? "" : " ") + word(part);
            skips = skips && !ends;
        }
        return line;
    }

private:
    std::size_t below(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
    }
    bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }
    std::string one_of(std::span<const char* const> list) { return list[below(list.size())]; }

    std::string word(std::string_view part) {
        if (part == "LINE*") return inner_line();
        if (part.ends_with('*')) return pairs();
        if (part.ends_with(",...")) return list(part.substr(0, part.size() - 4));
        if (const std::size_t dot = part.find('.'); dot != std::string_view::npos) {
            const std::string named_node = node(part.substr(0, dot) == "NODES");
            return named_node + "." + member(part.substr(dot + 1));
        }
        if (part.front() >= 'A' && part.front() <= 'Z') return place(part);
        std::vector<std::string> choices(1);
        for (const char c : part)
            if (c == '|') choices.emplace_back();
            else choices.back() += c;
        const std::string chosen = choices[below(choices.size())];
        if (chosen.front() >= 'a' && chosen.front() <= 'z') keywords_.push_back(chosen);
        return chosen;
    }

    bool has(std::string_view keyword) const {
        return std::ranges::find(keywords_, keyword) != keywords_.end();
    }

    NodeId any_node() {
        if (graph_.nodes().empty()) return {};
        node_ = graph_.nodes()[below(graph_.nodes().size())];
        // Forms that name one operator find it where the model has it.
        for (const char* op : {"If", "Gemm", "HardSwish", "HardSigmoid", "Softplus", "Dropout"})
            if ((has("resolve") && op == std::string_view("If")) ||
                (has("gemm") && op == std::string_view("Gemm")) || has("expand"))
                for (const NodeId id : graph_.nodes())
                    if (graph_.node(id).op_type == op && chance(0.5)) node_ = id;
        if (form_.starts_with("set ") || form_.starts_with("unset "))
            for (const NodeId id : graph_.nodes())
                if (!graph_.node(id).attributes.empty() && chance(0.4)) node_ = id;
        if (form_.starts_with("in "))
            for (const NodeId id : graph_.nodes())
                if (!body_of(graph_.node(id), "").empty() && chance(0.7)) node_ = id;
        return node_;
    }

    std::string node(bool several) {
        const NodeId id = any_node();
        if (!id) return "nothing";
        const Node& node = graph_.node(id);
        if (several && chance(0.15)) return "op:" + edit_word(node.qualified_op());
        if (several && chance(0.05)) return "*";
        if (!node.name.empty() && chance(0.6)) return edit_word(node.name);
        for (const ValueId output : node.outputs)
            if (output && chance(0.4)) return "writes:" + edit_word(graph_.value(output).name);
        return "index:" + std::to_string(id.index);
    }

    /// A value for the attribute that was named before, or any.
    std::string attribute_text() {
        if (const auto* number = std::get_if<std::int64_t>(&attribute_.value))
            return std::to_string(*number + static_cast<std::int64_t>(below(3)) - 1);
        if (std::holds_alternative<float>(attribute_.value)) return "0.25";
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute_.value)) {
            std::string text;
            for (const std::int64_t number : *list)
                text += (text.empty() ? "[" : ",") + std::to_string(number);
            return text.empty() ? "[]" : text + "]";
        }
        return one_of(texts);
    }

    /// The name of the node's first body, which is taken; empty: it has none.
    std::string body_of(const Node& node, const std::string& none) {
        for (const Attribute& attribute : node.attributes)
            if (const auto* body = std::get_if<GraphPtr>(&attribute.value); body && *body) {
                if (attribute.name == "else_branch" && chance(0.5)) continue;
                body_ = *body;
                return attribute.name;
            }
        return none;
    }

    /// An edit of the body that was named before.
    std::string inner_line() {
        if (!body_) return "delete nothing";
        Model body;
        body.opset_imports = model_.opset_imports;
        body.graph = *body_;
        const std::size_t form = below(edit_verbs().size());
        if (edit_verbs()[form].verb == "in") return "delete nothing";
        return RandomEdit(body, edit_verbs()[form].form, random_, folder_).make();
    }

    /// An attribute or an input of the node that was named before.
    std::string member(std::string_view kind) {
        if (!node_) return "0";
        const Node& node = graph_.node(node_);
        if (kind == "BODY") return body_of(node, "body");
        if (kind == "INPUT") return std::to_string(below(node.inputs.size() + 1));
        if (node.attributes.empty() || chance(0.2)) return "axis";
        attribute_ = node.attributes[below(node.attributes.size())];
        return attribute_.name;
    }

    ValueId any_value(const std::function<bool(const Value&)>& fits) {
        std::vector<ValueId> fitting;
        for (const ValueId id : graph_.values())
            if (fits(graph_.value(id))) fitting.push_back(id);
        return fitting.empty() ? ValueId() : fitting[below(fitting.size())];
    }

    std::string named(ValueId id) { return id ? edit_word(graph_.value(id).name) : "nothing"; }
    std::string value() {
        return named(any_value([](const Value&) { return true; }));
    }
    std::string inner_value() {
        return named(any_value([](const Value& v) { return v.kind == ValueKind::node_output; }));
    }
    std::string port(bool output) {
        if (chance(0.05)) return value();
        const auto ports = output ? graph_.outputs() : graph_.inputs();
        if (ports.empty()) return "nothing";
        value_ = ports[below(ports.size())];
        return named(value_);
    }
    std::string weight() {
        value_ = any_value([](const Value& v) { return v.is_constant() && v.constant; });
        return named(value_);
    }

    std::string name() {
        if (has("dim")) return dimension_name();
        if (has("as")) return chance(0.9) ? "fresh_" + std::to_string(below(1000)) : value();
        if (has("weight") || (has("input") && !has("type"))) return weight();
        if (has("softmax") || has("topk") || has("output") || has("outputs")) return port(true);
        if (has("function")) return "nothing";
        if (has("split")) return inner_value();
        if (has("wrap"))
            return port(form_.find("softmax") != std::string_view::npos ||
                        form_.find("topk") != std::string_view::npos);
        return port(false);
    }

    std::string dimension_name() {
        for (const ValueId id : graph_.inputs())
            if (const auto& shape = graph_.value(id).type.shape)
                for (const Dim& dim : *shape)
                    if (dim.is_symbolic()) return edit_word(dim.symbol());
        return "batch";
    }

    std::string list(std::string_view of) {
        if (of == "AXES") return axes();
        std::string text;
        for (std::size_t i = 0, count = 1 + below(2); i < count; ++i) {
            text += i == 0 ? "" : ", ";
            if (of == "NAMES") text += port(has("output") || has("outputs"));
            else if (of == "INPUTS") text += chance(0.5) ? port(false) : inner_value();
            else if (of == "OUTPUTS") text += inner_value();
            else text += name();
        }
        return text;
    }

    std::string axes() {
        const std::size_t rank =
            value_
                ? static_cast<std::size_t>(std::max<int>(
                      1, graph_.value(value_).constant ? graph_.value(value_).constant->rank() : 1))
                : 2;
        std::string text;
        for (std::size_t i = rank; i-- > 0;) text += std::to_string(i) + (i == 0 ? "" : ", ");
        return text;
    }

    std::string pairs() {
        const std::string output = edit_word(joined_);
        return output + " -> joined_in";
    }

    /// A multiple of `step` for each channel of the input that was named, or one for all.
    std::string numbers(std::size_t step) {
        std::size_t count = 1;
        if (value_)
            if (const auto& shape = graph_.value(value_).type.shape; shape && shape->size() > 1)
                count =
                    static_cast<std::size_t>(std::clamp<std::int64_t>((*shape)[1].value(), 1, 32));
        std::string text = "[";
        for (std::size_t i = 0; i < count; ++i)
            text += (i == 0 ? "" : ",") + std::to_string((i + 1) * step);
        return text + "]";
    }

    std::string type_text() {
        if (has("cast") && !has("model")) return one_of(type_names);
        if (has("cast")) return chance(0.5) ? "float" : one_of(type_names);
        Type type = value_ ? graph_.value(value_).type : Type();
        if (!type.is_tensor() || !type.shape) return "float[2,3]";
        for (Dim& dim : *type.shape)
            if (chance(0.3)) dim = chance(0.5) ? Dim::symbolic("n") : Dim(dim.value() + 1);
        std::string text = to_string(type);
        std::erase(text, ' ');
        return text;
    }

    std::string dimension() {
        const std::string input = port(false);
        const std::size_t rank =
            value_ && graph_.value(value_).type.shape ? graph_.value(value_).type.shape->size() : 1;
        return input + "[" + std::to_string(chance(0.6) ? 0 : below(rank + 1)) + "]";
    }

    /// A file that no line before this one reads.
    std::string fresh_file(const std::string& name, const std::string& ending) {
        for (std::size_t number = 0;; ++number)
            if (const std::string file = name + std::to_string(number) + ending;
                !std::filesystem::exists(folder_ / file))
                return file;
    }

    std::string constant() {
        if (!value_ || chance(0.5)) return chance(0.5) ? "0.5" : "1";
        const Type& type = graph_.value(value_).type;
        if (!type.is_static()) return "[1,2]";
        const std::string file = fresh_file("value", ".npy");
        Tensor values(DType::f32, type.static_shape());
        for (float& v : values.mutable_data<float>())
            v = static_cast<float>(below(2001)) / 1000.0f - 1;
        save_npy(folder_ / file, values);
        return file;
    }

    /// A model that reads what some output of this one is, or an array like the weight.
    std::string file() {
        if (has("rules")) {
            save_text(folder_ / "some.rules", rules);
            return "some.rules";
        }
        if (has("weight")) {
            if (!value_ || !graph_.value(value_).constant) return "absent.npy";
            const std::string file = fresh_file("weight", ".npy");
            save_npy(folder_ / file, widen_for_numpy(*graph_.value(value_).constant));
            return file;
        }
        std::string input = "f32[2,3]", second;
        if (has("join") && !graph_.outputs().empty()) {
            const Value& output = graph_.value(graph_.outputs()[below(graph_.outputs().size())]);
            joined_ = output.name;
            if (output.type.is_tensor() && output.type.shape) input = to_string(output.type);
        } else if (node_ && !graph_.node(node_).inputs.empty() && graph_.node(node_).inputs[0]) {
            const Type& type = graph_.value(graph_.node(node_).inputs[0]).type;
            if (type.is_tensor() && type.shape) input = to_string(type);
            if (graph_.node(node_).inputs.size() > 1) second = ", also: f32[1]";
        }
        Model part;
        part.opset_imports[""] = chance(0.5) ? model_.opset() : 13;
        GraphTextOptions options;
        options.opset = part.opset();
        try {
            part.graph = parse_graph("(joined_in: " + input + second +
                                         ") -> (joined_out)\njoined_out = Neg(joined_in) as "
                                         "\"joined\"",
                                     options);
            infer_types(part);
            const std::string file = fresh_file("part", ".onnx");
            save_model(part, folder_ / file);
            return file;
        } catch (const Error&) { return "absent.onnx"; }
    }

    std::string from_or_to(bool to) {
        if (has("cast")) return type_text();
        if (to) return chance(0.9) ? "renamed_" + std::to_string(below(1000)) : value();
        if (has("node")) {
            const NodeId id = any_node();
            return id && !graph_.node(id).name.empty() ? edit_word(graph_.node(id).name) : "*";
        }
        if (has("scope")) return "block";
        return has("value") ? value() : port(has("output"));
    }

    std::string place(std::string_view of) {
        if (of == "NODES") return node(true);
        if (of == "NODE") return node(false);
        if (of == "VALUE" || of == "VALUES") return chance(0.7) ? inner_value() : value();
        if (of == "OPERATOR") return one_of(operators_to_insert);
        if (of == "PLACE") {
            if (has("on")) return value();
            std::string where = node(false);
            return has("before") && chance(0.4) ? where + "." + member("INPUT") : where;
        }
        if (of == "NAME") return name();
        if (of == "FROM" || of == "TO") return from_or_to(of == "TO");
        if (of == "TEXT") return chance(0.8) ? attribute_text() : one_of(texts);
        if (of == "FILE") return file();
        if (of == "SIZE" || of == "COUNT") return std::to_string(1 + below(4));
        if (of == "VERSION") return std::to_string(7 + below(18));
        if (of == "TYPE") return type_text();
        if (of == "VALUE_OR_FILE") return constant();
        if (of == "DIMENSION") return dimension();
        if (of == "MEAN") return numbers(1);
        // Bytes become numbers of about one: masks of -10000 hide only scores that are far above.
        if (of == "DEVIATION") return numbers(100);
        if (of == "BOXES" || of == "SCORES") return port(true);
        const auto same =
            std::ranges::find(same_in_all, of, &std::pair<std::string_view, const char*>::first);
        return same != std::end(same_in_all) ? same->second
                                             : value();  // of a form that this list does not know
    }

    const Model& model_;
    const Graph& graph_;
    std::string_view form_;
    std::mt19937_64& random_;
    const std::filesystem::path& folder_;
    std::vector<std::string> keywords_;  // of the line so far
    NodeId node_;                        // named last
    ValueId value_;                      // likewise
    GraphPtr body_;                      // likewise
    Attribute attribute_;                // likewise
    std::string joined_;                 // the output that a second model reads
};

}  // namespace

std::string random_edit(const Model& model, std::size_t form, std::mt19937_64& random,
                        const std::filesystem::path& folder) {
    return RandomEdit(model, edit_verbs()[form].form, random, folder).make();
}

}  // namespace lapidary::lapgen
