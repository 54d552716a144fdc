// SPDX-License-Identifier: Apache-2.0
#include "support/pass_harness.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/session.h>

#include "graph/traversal.h"
#include "proof/held_in_float32.h"

namespace lapidary::test {
namespace {

/// The text behind "# key:" when the line is such a line.
bool header(const std::string& line, std::string_view key, std::string& value) {
    const std::string mark = "# " + std::string(key) + ":";
    if (!line.starts_with(mark)) return false;
    value = line.substr(mark.size());
    value.erase(0, value.find_first_not_of(' '));
    while (!value.empty() && (value.back() == ' ' || value.back() == '\r')) value.pop_back();
    return true;
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string w; in >> w;) out.push_back(w.ends_with(',') ? w.substr(0, w.size() - 1) : w);
    return out;
}

std::vector<std::filesystem::path> graphs_below(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".graph") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// What a line of a case that is no "# case:" says.
void read_line(PassCase& c, const std::string& line, bool& in_after) {
    std::string value;
    if (!line.starts_with('#')) (in_after ? c.after : c.before) += line + "\n";
    else if (header(line, "passes", value)) c.passes = words(value);
    else if (header(line, "level", value)) c.level = value;
    else if (header(line, "enable", value)) c.enable = words(value);
    else if (header(line, "provider", value)) c.provider = value;
    else if (header(line, "opset", value)) c.opset = std::stoll(value);
    else if (header(line, "block", value)) c.block = std::stoi(value);
    else if (header(line, "tolerance", value)) c.tolerance = std::stod(value);
    else if (header(line, "dimension", value))
        c.dimensions[words(value).at(0)] = std::stoll(words(value).at(2));
    else if (header(line, "applied", value)) c.applied.push_back(value);
    else if (header(line, "missed at most", value)) c.missed_at_most = std::stoi(value);
    else if (header(line, "missed", value)) c.missed.push_back(value);
    else if (line.starts_with("# not run")) c.runs = false;
    else if (line.starts_with("# unchanged")) c.unchanged = true;
    else if (line.starts_with("# after")) in_after = true;
    else (in_after ? c.after : c.before) += line + "\n";
}

std::vector<PassCase> cases_of(const std::filesystem::path& file) {
    std::vector<PassCase> cases;
    std::ifstream stream(file);
    bool in_after = false;
    int number = 0;
    for (std::string line, value; std::getline(stream, line);) {
        ++number;
        if (header(line, "case", value)) {
            cases.emplace_back();
            cases.back().name = file.stem().string() + ": " + value;
            cases.back().file = file;
            cases.back().line = number;
            in_after = false;
        } else if (!cases.empty()) {
            read_line(cases.back(), line, in_after);
        }
    }
    return cases;
}

class StructurePrinter {
public:
    explicit StructurePrinter(const Graph& graph) : graph_(graph) {}

    std::string print() {
        for (ValueId id : graph_.inputs()) names_[id] = "%" + graph_.value(id).name;
        std::string outputs;
        for (ValueId id : graph_.outputs()) outputs += " " + name_of_value(id);
        std::set<std::string> stray;
        for (NodeId id : graph_.nodes())
            if (!printed_.contains(id))
                stray.insert("not needed by any output: " + graph_.node(id).qualified_op() + "\n");
        for (const std::string& s : stray) text_ += s;
        return text_ + "outputs" + outputs + "\n";
    }

private:
    std::string constant_text(const Tensor& t) {
        std::string text = std::string(name_of(t.dtype())) + to_string(t.shape());
        const bool is_float = t.dtype() == DType::f32 || t.dtype() == DType::f64 ||
                              t.dtype() == DType::f16 || t.dtype() == DType::bf16;
        if (t.dtype() == DType::string || t.size() > 64 || (is_float && t.size() != 1)) return text;
        text += "{";
        for (double v : to_doubles(t)) text += fmt::format("{:.5g},", v);
        return text + "}";
    }

    std::string attribute_text(const Attribute& a) {
        const auto list = [](const auto& values) {
            std::string text = "[";
            for (const auto& v : values) text += fmt::format("{},", v);
            return text + "]";
        };
        if (const auto* i = std::get_if<std::int64_t>(&a.value)) return std::to_string(*i);
        if (const auto* f = std::get_if<float>(&a.value)) return fmt::format("{:.5g}", *f);
        if (const auto* s = std::get_if<std::string>(&a.value)) return "\"" + *s + "\"";
        if (const auto* is = std::get_if<std::vector<std::int64_t>>(&a.value)) return list(*is);
        if (const auto* fs = std::get_if<std::vector<float>>(&a.value)) return list(*fs);
        if (const auto* ss = std::get_if<std::vector<std::string>>(&a.value)) return list(*ss);
        if (const auto* t = std::get_if<Tensor>(&a.value)) return constant_text(*t);
        if (const auto* g = std::get_if<GraphPtr>(&a.value))
            return "graph {\n" + structure_of(**g) + "}";
        return std::string(kind_of(a.value));
    }

    const std::string& name_of_value(ValueId id) {
        static const std::string omitted = "_";
        if (!id) return omitted;
        if (const auto known = names_.find(id); known != names_.end()) return known->second;
        const Value& v = graph_.value(id);
        if (v.kind == ValueKind::initializer)
            return names_[id] = v.constant ? constant_text(*v.constant) : "sparse";
        if (v.kind == ValueKind::captured) return names_[id] = "^" + v.name;
        const Node& node = graph_.node(v.producer);
        print_node(node);
        return names_.at(id);
    }

    void print_node(const Node& node) {
        std::string inputs;
        for (ValueId in : node.inputs) inputs += (inputs.empty() ? "" : ", ") + name_of_value(in);
        while (inputs.ends_with(", _")) inputs.resize(inputs.size() - 3);
        printed_.insert(node.id);
        std::string line;
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            if (!node.outputs[i]) continue;
            names_[node.outputs[i]] = "v" + std::to_string(count_++);
            line += (line.empty() ? "" : ", ") + names_[node.outputs[i]];
        }
        std::map<std::string, std::string> attributes;
        for (const Attribute& a : node.attributes) attributes[a.name] = attribute_text(a);
        line += " = " + node.qualified_op() + "(" + inputs + ")";
        for (const auto& [name, value] : attributes) line += " " + name + "=" + value;
        text_ += line + "\n";
    }

    const Graph& graph_;
    std::map<ValueId, std::string> names_;
    std::set<NodeId> printed_;
    std::string text_;
    int count_ = 0;
};

std::string list(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& l : lines) text += "  " + l + "\n";
    return text.empty() ? "  (none)\n" : text;
}

bool is_of_session(const PassCase& c) {
    return std::ranges::any_of(c.passes, [](const std::string& name) {
        return std::ranges::any_of(find_passes(name),
                                   [](const PassInfo* p) { return p->level == Level::session; });
    });
}

std::string check(const PassCase& c) {
    const Model before = model_of(c.before, c.opset);
    const OptimizeOptions options = options_of(c);
    const OptimizeResult result = optimize(before, options);
    std::string problems;

    const std::string expected =
        structure_of(model_of(c.unchanged ? c.before : c.after, c.opset).graph);
    const std::string found = structure_of(result.model.graph);
    if (expected != found) problems += "expected structure:\n" + expected + "found:\n" + found;

    if (!c.applied.empty()) {
        std::vector<std::string> applied;
        for (std::size_t i = 0; i < result.report.rewrites.size(); ++i) {
            const Rewrite& r = result.report.rewrites[i].rewrite;
            const bool short_form =
                i < c.applied.size() && c.applied[i].find(':') == std::string::npos;
            applied.push_back(short_form ? r.pass : r.pass + ": " + r.remark);
        }
        if (applied != c.applied)
            problems += "applied, expected:\n" + list(c.applied) + "found:\n" + list(applied);
    }
    std::vector<std::string> missed;
    for (const NearMiss& m : result.report.near_misses) missed.push_back(m.pass + ": " + m.reason);
    if ((!c.missed.empty() || (c.unchanged && c.missed_at_most < 0)) && missed != c.missed)
        problems += "missed, expected:\n" + list(c.missed) + "found:\n" + list(missed);
    if (c.missed_at_most >= 0 && static_cast<int>(missed.size()) > c.missed_at_most)
        problems +=
            fmt::format("missed at most {} expected, found:\n", c.missed_at_most) + list(missed);

    const OptimizeResult again = optimize(result.model, options);
    if (!again.report.rewrites.empty())
        problems += "optimizing the result again applied " + again.report.rewrites[0].rewrite.pass +
                    ": " + again.report.rewrites[0].rewrite.remark + "\n";

    const std::optional<Model> held =
        keeps_excess_precision(result.model) ? held_in_float32(before) : std::nullopt;
    const SessionPasses::Set set =
        is_of_session(c) ? SessionPasses::Set::none : SessionPasses::Set::all;
    if (c.runs)
        for (int threads : {1, 2})
            if (std::string d =
                    compare_runs(held.value_or(before), result.model, {c.tolerance, c.tolerance},
                                 threads, c.dimensions, 1, set);
                !d.empty())
                problems += fmt::format("run at {} threads: {}\n", threads, d);
    return problems;
}

}  // namespace

void PrintTo(const PassCase& c, std::ostream* out) { *out << c.name; }
void PrintTo(const PassCasePlace& place, std::ostream* out) { *out << place.name; }

std::vector<PassCase> read_pass_cases(const std::filesystem::path& folder) {
    std::vector<PassCase> cases;
    for (const auto& file : graphs_below(folder))
        for (PassCase& c : cases_of(file)) cases.push_back(std::move(c));
    return cases;
}

std::vector<PassCasePlace> find_pass_cases(const std::filesystem::path& folder) {
    std::vector<PassCasePlace> places;
    for (const auto& file : graphs_below(folder)) {
        std::ifstream stream(file);
        int number = 0;
        for (std::string line, value; std::getline(stream, line);) {
            ++number;
            if (line.starts_with("# case") && header(line, "case", value))
                places.push_back({file.stem().string() + ": " + value, file.string(), number});
        }
    }
    return places;
}

PassCase read_pass_case(const PassCasePlace& place) {
    std::vector<PassCase> cases = cases_of(place.file);
    return std::move(*std::ranges::find(cases, place.line, &PassCase::line));
}

OptimizeOptions options_of(const PassCase& c) {
    OptimizeOptions options;
    options.level = c.level.empty() ? Level::all : *level_from_name(c.level);
    options.only_passes = c.passes;
    if (is_of_session(c)) options.session_passes = SessionPasses::Set::all;
    options.enabled_passes = c.enable;
    options.provider = c.provider;
    options.channel_block = c.block;
    options.verify = true;
    return options;
}

std::string check_pass_case(const PassCase& c) {
    try {
        return check(c);
    } catch (const Error& error) { return std::string("threw ") + error.what() + "\n"; }
}

Model model_of(std::string_view text, std::int64_t opset) {
    Model model;
    model.ir_version = 10;
    model.opset_imports[""] = opset;
    GraphTextOptions options;
    options.opset = opset;
    model.graph = parse_graph(text, options);
    for_each_graph(model.graph, [&](const Graph& g, const std::string&) {
        for (NodeId id : g.nodes()) {
            const Node& n = g.node(id);
            if (!n.domain.empty())
                model.opset_imports.emplace(n.domain, std::max<std::int64_t>(1, n.version));
        }
    });
    infer_types(model);
    return model;
}

std::string structure_of(const Graph& graph) { return StructurePrinter(graph).print(); }

std::string compare_runs(const Model& before, const Model& after, const Tolerance& tolerance,
                         int threads, const std::map<std::string, std::int64_t>& dimensions,
                         std::uint64_t seed, SessionPasses::Set passes) {
    GenerateOptions generate;
    generate.seed = seed;
    generate.dimensions = dimensions;
    const NamedValues inputs = generate_inputs(before, {}, generate);
    SessionOptions options;
    options.resources.threads = threads;
    options.session_passes.set = passes;
    // graphs are compared, not algorithms: its rounding has bounds and tests of its own
    options.winograd = false;
    const auto run = [&](const Model& m) {
        return Session::compile(std::make_shared<const Model>(m), options).run(inputs).outputs;
    };
    const NamedValues expected = run(before), found = run(after);
    if (expected.size() != found.size())
        return fmt::format("{} outputs became {}", expected.size(), found.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i].first != found[i].first)
            return "output " + quote(expected[i].first) + " became " + quote(found[i].first);
        const Comparison c = compare(found[i].second, expected[i].second, tolerance);
        if (!c.matches) return "output " + quote(expected[i].first) + ": " + c.reason;
    }
    return {};
}

}  // namespace lapidary::test
