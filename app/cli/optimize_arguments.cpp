// SPDX-License-Identifier: Apache-2.0
#include "cli/optimize_arguments.h"

#include <charconv>

#include <lapidary/error.h>

#include "cli/argument_checks.h"

namespace lapidary::cli {
namespace {

CLI::Option* add_level(CLI::App& command, std::function<void(Level)> take, const std::string& help) {
    return command
        .add_option_function<std::string>("--level", [take = std::move(take)](const std::string& name) { take(*level_from_name(name)); }, help)
        ->type_name("disabled|basic|extended|all")
        ->check(is_level());
}

CLI::Option* add_names(CLI::App& command, const std::string& option, std::vector<std::string>& names, const std::string& help) {
    return command.add_option(option, names, help)->type_name("NAME")->allow_extra_args(false);
}

void add_threads(CLI::App& command, int& threads) {
    command.add_option("--intra", threads, "Threads inside an operator; 0: one per core")->type_name("N")->check(CLI::Range(0, 1024));
}

void add_pass_choice(CLI::App& command, OptimizeOptions& options) {
    add_names(command, "--disable-pass", options.disabled_passes,
              "Leave out a pass, by its name here or in ONNX Runtime; may be repeated")->check(is_pass());
    add_names(command, "--enable-pass", options.enabled_passes, "Run a pass that is off by default; may be repeated")
        ->check(is_pass());
    add_names(command, "--only-pass", options.only_passes, "Run this pass and no other; may be repeated")
        ->check(is_pass());
}

void add_sizes(CLI::App& command, std::map<std::string, std::int64_t>& sizes, const std::string& help) {
    command
        .add_option_function<std::vector<std::string>>("--dim", [&sizes](const std::vector<std::string>& texts) { sizes = parse_sizes("--dim", texts); }, help)
        ->type_name("NAME=N")
        ->allow_extra_args(false);
}

}  // namespace

void add_tolerance(CLI::App& command, double& rtol, double& atol) {
    command.add_option("--rtol", rtol, "Outputs may differ by this share (see check --help), 0.001 unless given")
        ->type_name("X")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--atol", atol, "and by this much, 0.00001 unless given")->type_name("Y")->check(CLI::NonNegativeNumber);
}

std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text, bool at_last) {
    const std::size_t at = at_last ? text.rfind('=') : text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        throw CLI::ValidationError(option, std::string("expected ") + (at_last ? "NAME=N" : "NAME=VALUE") + ", found " + quote(text));
    return {text.substr(0, at), text.substr(at + 1)};
}

std::map<std::string, std::int64_t> parse_sizes(const std::string& option, const std::vector<std::string>& texts) {
    std::map<std::string, std::int64_t> sizes;
    for (const std::string& text : texts) {
        const auto [name, number] = split_assignment(option, text, true);
        std::int64_t size = 0;
        const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), size);
        if (status != std::errc() || end != number.data() + number.size() || size < 0)
            throw CLI::ValidationError(option, "expected NAME=N with a number from 0 on, found \"" + text + '"');
        sizes[name] = size;
    }
    return sizes;
}

void add_channel_block(CLI::App& command, std::int64_t& block) {
    command.add_option("--channel-block", block, "Channels of a block in a file laid out by ONNX Runtime that does not tell: 16 for AVX-512 and 64-bit ARM, else 8")
        ->type_name("8|16")->check(CLI::IsMember({8, 16}).description(""));
}

void add_level_options(CLI::App& command, LevelOptions& options) {
    add_channel_block(command, options.channel_block);
    auto* level = add_level(command, [&options](Level value) { options.level = value; }, "Optimize the model first; as it is unless given");
    auto* passes = add_names(command, "--disable-pass", options.disabled_passes, "Leave out a pass of the level; may be repeated")
                       ->check(is_pass())
                       ->needs(level);
    command.add_option("--recipe", options.recipe, "Optimize by a recipe, as the window copies it: JSON, or a file with it")
        ->type_name("RECIPE")
        ->excludes(level)
        ->excludes(passes);
}

void add_optimize_options(CLI::App& command, OptimizeCommandOptions& options) {
    command.add_option("model", options.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
    auto* output = command.add_option("-o,--output", options.output, "Model file to write; without it nothing is written")->type_name("OUT");
    OptimizeOptions& optimizing = options.exporting.optimize;
    auto* level = add_level(command, [&](Level value) { optimizing.level = value; }, "How far to go; extended unless given, all for --target cpu");
    command
        .add_option_function<std::string>(
            "--target",
            [&, level](const std::string& name) {
                options.exporting.target = target_from_name(name);
                if (level->count() == 0) optimizing.level = info_of(*options.exporting.target).level;
            },
            "What the file is for: any ONNX Runtime, any ONNX implementation, this CPU")
        ->type_name("portable|plain|cpu")
        ->check(CLI::IsMember({"portable", "plain", "cpu"}).description(""));
    add_pass_choice(command, optimizing);
    command.add_option_function<std::size_t>("--stop-after", [&](const std::size_t& n) { optimizing.stop_after = n; }, "Stop after so many rewrites")
        ->type_name("N")->check(is_count());
    command.add_flag("--explain", options.explain, "Print the rewrites by pass and the near misses with their reasons");
    command.add_option("--report", options.report, "Write passes, rewrites and near misses as JSON")->type_name("F.json");
    command.add_flag("--guard", options.guard, "Run original and result on the same inputs and compare; nothing is written when they differ");
    add_channel_block(command, options.channel_block);
    add_tolerance(command, options.rtol, options.atol);
    command.add_option("--seeds", options.seeds, "Sets of generated inputs that the guard tries, 2 unless given")->type_name("N")->check(CLI::Range(1, 1000));
    add_threads(command, options.intra_threads);
    add_sizes(command, optimizing.free_dimensions, "Fix a symbolic dimension, by its name; may be repeated");
    command
        .add_option_function<std::int64_t>("--static-batch", [&](const std::int64_t& n) { options.exporting.static_batch = n; },
                                           "Fix the first dimension of every input")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command.add_option_function<std::int64_t>("--opset", [&](const std::int64_t& n) { options.exporting.opset = n; }, "Convert upwards to this opset of ai.onnx")->type_name("N");
    add_names(command, "--keep-output", optimizing.keep_outputs, "Keep this output and drop those not named; may be repeated");
    command
        .add_option_function<std::uint64_t>("--external-data", [&](const std::uint64_t& n) { options.saving.external_data_min_bytes = n; },
                                            "Write weights of at least so many bytes to OUT.data; above 2 GB that is done anyway")
        ->type_name("MIN_BYTES")
        ->check(is_count())
        ->needs(output);
    command.add_flag("--overwrite", options.saving.overwrite_source, "Allow OUT to be MODEL itself")->needs(output);
    command.footer(
        "Levels are ONNX Runtime's: basic keeps to ONNX operators, extended fuses to those of ONNX Runtime, all adds\n"
        "the memory layout of this CPU. Names of passes may be ONNX Runtime's; \"lapidary-cli passes\" lists them.\n"
        "Targets: portable refuses operators that not every ONNX Runtime has; plain writes ONNX Runtime's operators\n"
        "out in ONNX ones; cpu stamps the metadata with what it is made for. What does not fit is named with its reason.\n"
        "Exit code 1 when the guard finds a difference.\n"
        "Examples:\n"
        "  lapidary-cli optimize net.onnx -o fast.onnx --guard\n"
        "  lapidary-cli optimize net.onnx --explain --disable-pass GeluFusion\n"
        "  lapidary-cli optimize net.onnx -o net.plain.onnx --target plain --dim batch=1 --opset 21");
}

void add_bisect_options(CLI::App& command, BisectCommandOptions& options) {
    command.add_option("model", options.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
    add_level(command, [&](Level value) { options.optimizing.level = value; }, "The optimization to look into; extended unless given");
    command.add_option("-o,--output", options.output, "Folder for the place cut out: before.onnx, after.onnx, inputs.npz")->type_name("DIR");
    add_pass_choice(command, options.optimizing);
    add_channel_block(command, options.channel_block);
    add_tolerance(command, options.rtol, options.atol);
    command.add_option("--inputs", options.inputs.archive, "Inputs by name from one archive; the others are generated")->type_name("F.npz");
    command.add_option("--seed", options.inputs.seed, "Seed of the inputs that are generated, 0 unless given")
        ->type_name("N")->check(is_count());
    add_sizes(command, options.inputs.dimensions, "Size of a symbolic dimension; may be repeated");
    add_threads(command, options.intra_threads);
    command.add_flag("--exhaustive", options.exhaustive, "Try every rewrite from the first on: finds the first even where a later one mends it");
    command.footer(
        "Optimizes again and again, stopping after fewer rewrites, and compares the outputs with those of the original\n"
        "until one rewrite is left: right before it all outputs agree, right after it one does not.\n"
        "Exit code 1 when such a rewrite was found.\n"
        "Example: lapidary-cli bisect net.onnx --level all --rtol 1e-2 -o culprit");
}

}  // namespace lapidary::cli
