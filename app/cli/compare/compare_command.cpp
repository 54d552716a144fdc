// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/internal/output_file.h>
#include <lapidary/base/error.h>
#include <lapidary/bench/regression_gate.h>
#include <lapidary/profile/session_overhead.h>
#include <lapidary/proof/side_matching.h>

#include "cli/command.h"
#include "cli/compare/compare_nodes.h"
#include "cli/output/comparison_text.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/inspect/memory_text.h"
#include "cli/models/model_argument.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/side_options.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct CompareCommandOptions {
    std::vector<std::string> models;  // one or two
    std::int64_t channel_block = 0;   // LoadOptions' own, of both
    std::vector<Level> levels;        // none, one for both, or one for each
    std::vector<RuleText> rules;      // of both, or of B alone: see has_rules_in_b_alone()
    InputOptions inputs;
    SideOptions running;
    std::optional<double> max_regress;  // percent
    double gate_seconds = 60;      // longest time per side to decide whether max_regress is kept
    std::filesystem::path output;  // HTML; empty: none
    NodeCompareOptions nodes;
};

constexpr std::size_t printed_rows = 15;

/// One model at one level: what its rules do is compared.
bool has_rules_in_b_alone(const CompareCommandOptions& options) {
    return !options.rules.empty() && options.models.size() == 1 && options.levels.size() < 2;
}

/// Throws unless every input of B is also one of A.
void check_inputs(const Model& a, const Model& b) {
    for (const ValueId id : b.graph.inputs()) {
        const Value& input = b.graph.value(id);
        if (input.constant) continue;
        const ValueId same = a.graph.find_value(input.name);
        const auto inputs = a.graph.inputs();
        if (!same || std::ranges::find(inputs, same) == inputs.end())
            fail_input("the models cannot run on the same inputs: " + quote(input.name) +
                       " is an input of one of them only");
    }
}

std::vector<SideRequest> requests_of(const CompareCommandOptions& options,
                                     const Progress& progress) {
    const bool in_b_alone = has_rules_in_b_alone(options);
    if (options.models.size() == 1 && options.levels.size() < 2 && !in_b_alone)
        fail_input(
            "nothing to compare: give two models, or one with --level twice or with --rules");
    std::vector<SideRequest> requests;
    const TimedModel first = load_timed(options.models[0], options.channel_block, progress);
    const TimedModel second = options.models.size() == 2
                                  ? load_timed(options.models[1], options.channel_block, progress)
                                  : first;
    for (std::size_t i = 0; i < 2; ++i) {
        SideRequest request;
        const TimedModel& timed = i == 0 ? first : second;
        request.model = timed.model;
        request.load_ns = timed.load_ns;
        request.level = options.levels.empty()
                            ? default_run_level
                            : options.levels[std::min(i, options.levels.size() - 1)];
        if (i == 1 || !in_b_alone) request.rules = options.rules;
        const std::string& model = options.models[std::min(i, options.models.size() - 1)];
        request.command = "lapidary-cli profile " + shell_quoted(model) + " --level " +
                          std::string(name_of(request.level));
        for (const RuleText& rules : request.rules)
            request.command += " --rules " + shell_quoted(rules.file);
        if (options.running.session_passes)
            request.command += std::string(" --session-passes ") +
                               (*options.running.session_passes ? "on" : "off");
        request.name = options.models.size() == 1    ? std::string(name_of(request.level))
                       : request.model->path.empty() ? model
                                                     : request.model->path.filename().string();
        if (options.models.size() == 2)
            request.name += " (" + std::string(name_of(request.level)) + ")";
        if (in_b_alone && i == 1) request.name += " with rules";
        requests.push_back(std::move(request));
    }
    if (requests[0].name == requests[1].name) {
        requests[0].name += " (A)";
        requests[1].name += " (B)";
    }
    return requests;
}

/// Compares B with the limit; empty: there is no limit.
std::optional<GateResult> gate_of(const ReportContent& content,
                                  const std::optional<double>& most_percent) {
    if (!most_percent) return {};
    return hold_to_limit(*content.sides[0].measurement, *content.sides[1].measurement, true,
                         *most_percent);
}

Json interval_json(const MedianEstimate& estimate) {
    return Json::array({json_number(estimate.low), json_number(estimate.high)});
}

template <typename T>
Json optional_json(const std::optional<T>& value) {
    return value ? json_number(*value) : Json();
}

Json side_json(const ReportSide& side) {
    Json json = {{"name", side.name},
                 {"level", name_of(side.passes->level)},
                 {"nodes", count_nodes(side.model->graph)},
                 {"steps", side.executed->graph.node_count()}};
    const ProfileSummary summary = summarize(*side.profile);
    json["profile"] = {{"wall_ms", json_number(summary.wall_ms)},
                       {"verdict", summary.verdict},
                       {"peak_bytes", side.profile->peak_bytes}};
    if (side.process) json["process"] = process_json(*side.process);
    if (!side.measurement) return json;
    const Measurement& m = *side.measurement;
    if (!m.error.empty()) {
        json["error"] = m.error;
        return json;
    }
    json["median_ms"] = json_number(m.wall.median.median);
    json["ci_ms"] = interval_json(m.wall.median);
    json["p95_ms"] = json_number(m.wall.p95);
    json["p99_ms"] = json_number(m.wall.p99);
    json["per_second"] = json_number(m.per_second);
    json["samples"] = m.wall.median.samples;
    json["note"] = m.wall.note;
    return json;
}

Json compared_json(const ReportContent& content, const Matching& matching,
                   const std::optional<GateResult>& gate) {
    Json json = {{"a", side_json(content.sides[0])}, {"b", side_json(content.sides[1])}};
    json.update(conditions_json(content.conditions));
    json["difference"] = nullptr;
    if (content.difference)
        json["difference"] = {{"ratio", json_number(content.difference->ratio.median)},
                              {"ci", interval_json(content.difference->ratio)},
                              {"significant", content.difference->significant},
                              {"sentence", content.difference->sentence}};
    json["regression"] = gate && gate->verdict == GateVerdict::fails;
    if (gate) json["verdict"] = name_of(gate->verdict);
    json["outputs"] = Json::array();
    for (const OutputComparison& compared : content.outputs) {
        Json output = comparison_json(compared.comparison);
        output["name"] = compared.name;
        json["outputs"].push_back(std::move(output));
    }
    json["operators"] = Json::array();
    for (const MatchedOperator& op : matching.operators)
        json["operators"].push_back({{"operator", op.op},
                                     {"a_calls", op.a_calls},
                                     {"b_calls", op.b_calls},
                                     {"a_ms", json_number(op.a_ms)},
                                     {"b_ms", json_number(op.b_ms)},
                                     {"change_ms", json_number(op.change())}});
    json["matched_by"] = matching.by_origin ? "original_node" : "name";
    json["nodes"] = Json::array();
    for (const MatchedNode& node : matching.nodes)
        json["nodes"].push_back({{"name", node.name},
                                 {"operator", node.op},
                                 {"a_ms", optional_json(node.a_ms)},
                                 {"b_ms", optional_json(node.b_ms)},
                                 {"change_ms", json_number(node.change())}});
    return json;
}

std::string ms_text(double ms) { return fmt::format("{:.3f}", ms); }
std::string ms_text(const std::optional<double>& ms) {
    return ms ? ms_text(*ms) : std::string("-");
}
std::string change_text(double ms) { return fmt::format("{:+.3f}", ms); }

void print_result(std::ostream& out, const ReportContent& content, const Matching& matching,
                  const std::optional<GateResult>& gate) {
    print_conditions(out, content.conditions);
    if (content.difference) out << plain(content.difference->sentence) << '\n';
    TextTable sides({"", "variant", "level", "ms", "from", "to", "p95", "profiled ms", "nodes",
                     "steps", "process"},
                    {0, 1, 2});
    for (std::size_t i = 0; i < 2; ++i) {
        const ReportSide& side = content.sides[i];
        std::vector<std::string> row{i == 0 ? "A" : "B", plain(side.name),
                                     std::string(name_of(side.passes->level))};
        if (side.measurement && side.measurement->error.empty()) {
            const SampleSummary& wall = side.measurement->wall;
            for (const double ms :
                 {wall.median.median, wall.median.low, wall.median.high, wall.p95})
                row.push_back(ms_text(ms));
        } else {
            row.insert(row.end(), {"-", "-", "-", "-"});
        }
        row.insert(row.end(),
                   {ms_text(summarize(*side.profile).wall_ms),
                    std::to_string(count_nodes(side.model->graph)),
                    std::to_string(side.executed->graph.node_count()),
                    side.process ? byte_text(static_cast<double>(side.process->total())) : "-"});
        sides.add(std::move(row));
    }
    sides.print(out);
    for (const ReportSide& side : content.sides) {
        if (!side.measurement) continue;
        const std::string& note =
            side.measurement->error.empty() ? side.measurement->wall.note : side.measurement->error;
        if (!note.empty()) out << "  " << plain(side.name) << ": " << plain(note) << '\n';
    }
    out << "outputs\n";
    print_outputs(out, content.outputs);
    out << "operators\n";
    TextTable operators({"operator", "calls A", "calls B", "A ms", "B ms", "change"});
    for (std::size_t i = 0; i < std::min(matching.operators.size(), printed_rows); ++i) {
        const MatchedOperator& op = matching.operators[i];
        const auto calls = [&](std::int64_t n) {
            return op.op == overhead_name ? std::string("-") : std::to_string(n);
        };
        operators.add({plain(op.op), calls(op.a_calls), calls(op.b_calls), ms_text(op.a_ms),
                       ms_text(op.b_ms), change_text(op.change())});
    }
    operators.print(out);
    if (matching.operators.size() > printed_rows)
        out << "  ... " << matching.operators.size() - printed_rows << " more, all with --json\n";
    out << (matching.by_origin ? "original nodes\n" : "nodes, matched by name\n");
    TextTable nodes({"node", "operator", "A ms", "B ms", "change"}, {0, 1});
    for (std::size_t i = 0; i < std::min(matching.nodes.size(), printed_rows); ++i) {
        const MatchedNode& node = matching.nodes[i];
        nodes.add({plain(node.name), plain(node.op), ms_text(node.a_ms), ms_text(node.b_ms),
                   change_text(node.change())});
    }
    nodes.print(out);
    if (matching.nodes.size() > printed_rows)
        out << "  ... " << matching.nodes.size() - printed_rows << " more, all with --json\n";
    if (gate) out << "--max-regress: B takes " << gate->sentence << '\n';
}

constexpr const char* compare_notes = R"(
Runs both on the same inputs in turn, so that what the machine does meanwhile meets both, and says how far the
times lie apart, with the 95 % interval of the ratio from pairs; which operators and nodes it comes from, matched
by the original nodes that they stand for (two files: by name); and whether the outputs agree.
--rules are of both; of one model at one level they are of B alone, so that what they do is seen.
With --by node one model runs in two engines, such as two releases of ONNX Runtime, or at two levels, in pairs of
recorded runs: a row for each node, or group of nodes that one of them runs in one kernel, with the 95 % interval of
B - A, which holds for all rows together; and a sentence that names where B loses. Outputs are compared by diverge.
Exit codes: 0 outputs agree, 1 outputs differ or B is slower than --max-regress allows, 7 measuring cannot tell
whether it is, others as always.)";

class CompareCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary =
                "Measure two models or levels in turn: how far apart, where from, same outputs?",
            .notes = compare_notes,
            .examples = {"lapidary-cli compare net.onnx --level disabled --level all",
                         "lapidary-cli compare old.onnx new.onnx --max-regress 3 --json",
                         "lapidary-cli compare net.onnx --by node --engine onnxruntime",
                         "lapidary-cli compare net.onnx --by node --engine /opt/ort-1.20 --engine "
                         "/opt/ort-1.21"},
            .program_example = "lapidary-cli compare old.onnx new.onnx --max-regress 3"};
    }

    void declare(OptionList& options) override {
        options
            .value("models", "A B", options_.models,
                   "Two ONNX model files, or one with --level twice, --rules or --by node; or "
                   "sample:NAME")
            .required()
            .at_most(2)
            .suggest(model_suggestions());
        add_channel_block(options, options_.channel_block);
        add_two_levels(options, options_.levels,
                       "Of A, then of B; given once: of both. Of two files: all unless given");
        add_rules(options, options_.rules);
        add_side_options(options, options_.running);
        add_node_compare_options(options, options_.nodes);
        options
            .value("--max-regress", "P", options_.max_regress,
                   "Exit code 0 when B is at most so many percent slower than A, 1 when it is "
                   "slower than that, 7 when "
                   "the measurement cannot decide")
            .not_negative();
        add_gate_seconds(options, options_.gate_seconds);
        add_output(options, "F.html", options_.output, {"html"},
                   "Write the HTML report of the comparison too");
        add_input_options(options, options_.inputs);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.nodes.is_by_node() && !options_.rules.empty())
            throw UsageError(
                "--rules: --by node compares a model as it is; write one with its rules by "
                "optimize first");
        if (options_.nodes.is_by_node()) return run_by_node(terminal);
        if (!options_.nodes.engines.empty() || options_.nodes.pairs > 0)
            throw UsageError("--engine and --pairs compare node by node: add --by node");
        const Progress progress = terminal.progress();
        const std::vector<SideRequest> requests = requests_of(options_, progress);
        check_inputs(*requests[0].model, *requests[1].model);
        check_inputs(*requests[1].model, *requests[0].model);
        const GatheredInputs gathered =
            gather_inputs(*requests[0].model, options_.inputs, terminal.cancel);
        check_output_files({options_.output});
        if (options_.max_regress) {
            options_.running.measuring.budget_seconds = options_.gate_seconds;
            options_.running.measuring.is_enough = [this](const std::vector<Measurement>& state) {
                const GateResult gate =
                    hold_to_limit(state.at(0), state.at(1), true, *options_.max_regress);
                return gate.verdict != GateVerdict::unresolved || gate.is_final;
            };
        }
        ReportContent content = run_sides(requests, gathered, options_.running, progress);
        const std::optional<Matching> matching = match_sides(content);
        if (!matching) fail(ErrorCode::internal, "there are no profiles to compare");
        if (!options_.output.empty()) {
            content.title = requests[0].name + " against " + requests[1].name;
            save_html_report(content, options_.output);
        }
        const std::optional<GateResult> gate = gate_of(content, options_.max_regress);
        if (terminal.json) write_json(terminal.out, compared_json(content, *matching, gate));
        else {
            print_result(terminal.out, content, *matching, gate);
            if (!options_.output.empty())
                terminal.out << "report  " << plain(options_.output.string()) << '\n';
        }
        for (const ReportSide& side : content.sides)
            if (side.measurement && !side.measurement->error.empty()) return exit_not_supported;
        if (!all_match(content.outputs) || (gate && gate->verdict == GateVerdict::fails))
            return exit_check_failed;
        return gate && gate->verdict == GateVerdict::unresolved ? exit_unresolved : exit_fine;
    }

private:
    int run_by_node(Terminal& terminal) {
        if (options_.models.size() > 1)
            throw UsageError("--by node compares engines or levels on one model, found two models");
        if (options_.max_regress) throw UsageError("--max-regress is not about single nodes");
        if (!options_.output.empty())
            throw UsageError("-o writes no report of a comparison by node; --json writes it all");
        return compare_by_node(
            options_.nodes,
            {options_.models.front(), options_.channel_block, options_.levels,
             options_.running.session_passes, options_.running.configuration.resources,
             options_.inputs, options_.running.measuring.seconds, custom_operators},
            terminal);
    }

    CompareCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> compare_command() { return std::make_unique<CompareCommand>(); }

}  // namespace lapidary::cli
