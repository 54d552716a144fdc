// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/tool_list.h"

#include <algorithm>

namespace lapidary::cli::mcp {
namespace {

constexpr Access read = Access::read, write = Access::write;

std::vector<ToolOption> joined(std::vector<ToolOption> first,
                               const std::vector<ToolOption>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// Options of inputs that runs get.
const std::vector<ToolOption> of_inputs{
    {"--input", read}, {"--inputs", read}, {"--dim"}, {"--seed"}};

std::vector<Tool> look_tools() {
    return {
        {.name = "open",
         .command = "info",
         .description =
             "Reads a model: inputs, outputs, operators, size, metadata, and what is odd "
             "about it. Begin with this.",
         .options = {{"model", read}, {"--channel-block"}}},
        {.name = "summarize",
         .command = "checklist",
         .description = "Says what is worth doing with a model, ranked by estimated gain. Nothing "
                        "is run.",
         .always = "--no-run",
         .options =
             {{"model", read}, {"--all"}, {"--level"}, {"--disable-pass"}, {"--target-opset"}}},
        {.name = "checklist",
         .command = "checklist",
         .description = "Says what is worth doing with a model, ranked by gain, measured where a "
                        "measurement can tell. Runs the model.",
         .options = joined({{"model", read},
                            {"--all"},
                            {"--level"},
                            {"--disable-pass"},
                            {"--target-opset"},
                            {"--float", read},
                            {"--intra"},
                            {"--runs"},
                            {"--seconds"}},
                           of_inputs)},
        {.name = "near_misses",
         .command = "optimize",
         .description = "Says what each optimizing pass rewrites, and where it almost could, with "
                        "the condition that failed. Writes nothing.",
         .options = {{"model", read},
                     {"--level"},
                     {"--target"},
                     {"--disable-pass"},
                     {"--enable-pass"},
                     {"--only-pass"},
                     {"--rules", read},
                     {"--dim"},
                     {"--static-batch"},
                     {"--stop-after"}}},
        {.name = "passes",
         .command = "passes",
         .description = "Lists the optimizing passes with their levels and ONNX Runtime's names.",
         .options = {{"--rules", read}}},
        {.name = "memory",
         .command = "memory",
         .description = "Says what memory a run takes and why, without running: what is alive at "
                        "the peak, and what each switch would change.",
         .options = {{"model", read},
                     {"--level"},
                     {"--disable-pass"},
                     {"--dim"},
                     {"--intra"},
                     {"--step"},
                     {"--top"},
                     {"--no-pattern"},
                     {"--no-arena"},
                     {"--no-in-place"}}},
    };
}

std::vector<Tool> run_tools() {
    return {
        {.name = "profile",
         .command = "profile",
         .description = "Runs a model and measures where the time goes: verdict, operators, nodes "
                        "with their shares, phases, memory. Finds bottlenecks.",
         .options = joined({{"model", read},
                            {"--level"},
                            {"--disable-pass"},
                            {"--session-passes"},
                            {"--runs"},
                            {"--warmup"},
                            {"--intra"},
                            {"--roofline"},
                            {"--by"},
                            {"--output", write}},
                           of_inputs)},
        {.name = "inspect",
         .command = "inspect",
         .description =
             "Runs a model once and looks at values inside: range, NaN, zeros, elements.",
         .options = joined({{"model", read},
                            {"--value"},
                            {"--node"},
                            {"--scope"},
                            {"--slice"},
                            {"--runs"},
                            {"--level"},
                            {"--save", write}},
                           of_inputs)},
        {.name = "diverge",
         .command = "diverge",
         .description = "Finds the first node at which two models, two levels, or a model and a "
                        "recording of its framework compute different values.",
         .options = joined({{"models", read},
                            {"--level"},
                            {"--rules", read},
                            {"--recorded", read},
                            {"--of-output"},
                            {"--rtol"},
                            {"--atol"}},
                           of_inputs)},
        {.name = "check",
         .command = "check",
         .description = "Compares a model's outputs with reference outputs, such as those of the "
                        "framework that it was exported from.",
         .options = {{"model", read},
                     {"--inputs", read},
                     {"--expected", read},
                     {"--recorded", read},
                     {"--level"},
                     {"--rtol"},
                     {"--atol"}}},
        {.name = "compare",
         .command = "compare",
         .description = "Measures two models, or two levels of one, in turn: times with intervals, "
                        "nodes that make the difference, whether outputs agree.",
         .options = joined({{"models", read},
                            {"--level"},
                            {"--rules", read},
                            {"--intra"},
                            {"--runs"},
                            {"--seconds"},
                            {"--rtol"},
                            {"--atol"},
                            {"--max-regress"}},
                           of_inputs)},
    };
}

std::vector<Tool> change_tools() {
    return {
        {.name = "edit",
         .command = "edit",
         .description = "Changes a model by lines of edits and compares its outputs with the "
                        "original's. With dry_run it only says what would be done. The tool help "
                        "with {\"tool\": \"edit\"} lists the forms of edits.",
         .options =
             {{"model", read}, {"--edit"}, {"--script", read}, {"--output", write}, {"--dry-run"}}},
        {.name = "export",
         .command = "optimize",
         .description = "Writes an optimized model after running original and result on the same "
                        "inputs. Nothing is written where their outputs differ.",
         .always = "--guard",
         .options = {{"model", read},
                     {"--output", write},
                     {"--level"},
                     {"--target"},
                     {"--disable-pass"},
                     {"--enable-pass"},
                     {"--only-pass"},
                     {"--rules", read},
                     {"--dim"},
                     {"--static-batch"},
                     {"--opset"},
                     {"--release"},
                     {"--keep-output"},
                     {"--external-data"},
                     {"--seeds"},
                     {"--rtol"},
                     {"--atol"},
                     {"--input", read},
                     {"--inputs", read}},
         .also_required = "--output"},
        {.name = "quantize",
         .command = "quantize",
         .description = "Quantizes a model to 16, 8 or 4 bits, and says what that costs in "
                        "accuracy, on samples or on generated inputs.",
         .options =
             {{"model", read},  {"--output", write}, {"--mode"},          {"--format"},
              {"--placement"},  {"--weights"},       {"--act"},           {"--block"},
              {"--bits"},       {"--data", read},    {"--labels", read},  {"--vocabulary", read},
              {"--samples"},    {"--generate"},      {"--seed"},          {"--range"},
              {"--percentile"}, {"--equalize"},      {"--smooth"},        {"--compensate"},
              {"--keep-float"}, {"--weights-alone"}, {"--search"},        {"--sensitivity"},
              {"--diagnose"},   {"--layers"},        {"--explain"},       {"--budget"},
              {"--floor"},      {"--intra"},         {"--report", write}, {"--release"}}},
    };
}

std::vector<Tool> all_tools() {
    std::vector<Tool> all = look_tools();
    for (auto* more : {&run_tools, &change_tools})
        for (Tool& tool : more()) all.push_back(std::move(tool));
    return all;
}

}  // namespace

bool Tool::writes() const {
    return std::ranges::any_of(
        options, [](const ToolOption& option) { return option.access == Access::write; });
}

std::span<const Tool> tools() {
    static const std::vector<Tool> all = all_tools();
    return all;
}

const Tool* find_tool(std::string_view name) {
    const auto at = std::ranges::find(tools(), name, &Tool::name);
    return at == tools().end() ? nullptr : &*at;
}

}  // namespace lapidary::cli::mcp
