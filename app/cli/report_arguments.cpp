// SPDX-License-Identifier: Apache-2.0
#include "cli/report_arguments.h"

#include "cli/argument_checks.h"
#include "cli/optimize_arguments.h"

namespace lapidary::cli {
namespace {

CLI::Option* add_level(CLI::App& command, const std::string& option, std::function<void(Level)> take, const std::string& help) {
    return command.add_option_function<std::string>(option, [take = std::move(take)](const std::string& name) { take(*level_from_name(name)); }, help)
        ->type_name("disabled|basic|extended|all")
        ->check(is_level());
}

void add_settings(CLI::App& command, RunConfiguration& configuration) {
    command.add_option("--intra", configuration.intra, "Threads inside an operator; 0: one per core")->type_name("N")->check(CLI::Range(0, 1024));
    auto* inter = command.add_option("--inter", configuration.inter, "Operators at the same time, in the parallel mode")->type_name("N")->check(CLI::Range(0, 1024));
    command
        .add_option_function<std::string>(
            "--execution", [&configuration](const std::string& name) { configuration.mode = name == "parallel" ? ExecutionMode::parallel : ExecutionMode::sequential; },
            "One operator at a time, or branches side by side; sequential unless given")
        ->type_name("sequential|parallel")
        ->check(CLI::IsMember({"sequential", "parallel"}).description(""));
    (void)inter;
    command.add_flag_callback("--no-spinning", [&configuration] { configuration.spinning = false; }, "Threads without work sleep at once");
}

void add_running(CLI::App& command, SideOptions& options) {
    options.configuration.intra = 0;
    add_settings(command, options.configuration);
    command.add_option("--runs", options.runs, "Profiled runs, 10 unless given")->type_name("N")->check(CLI::Range(1, 100'000));
    command.add_option("--warmup", options.warmup, "Runs before, 2 unless given")->type_name("N")->check(CLI::Range(0, 100'000));
    command.add_option("--seconds", options.measuring.seconds, "Measuring time per side at most, 10 unless given")->type_name("S")->check(CLI::PositiveNumber);
    command.add_option("--precision", options.measuring.precision, "Stop early when the median is known to this share, 0.02 unless given")
        ->type_name("X")->check(CLI::PositiveNumber);
    add_tolerance(command, options.rtol, options.atol);
}

std::vector<std::string> language_names() { return {"python", "c", "cpp", "csharp", "rust"}; }

}  // namespace

void add_report_options(CLI::App& command, ReportCommandOptions& options) {
    command.add_option("model", options.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
    add_channel_block(command, options.channel_block);
    command.add_option("-o,--output", options.output, "HTML file to write")->type_name("F.html");
    add_level(command, "--level", [&](Level level) { options.level = level; }, "Of the variant shown; all unless given");
    add_level(command, "--against", [&](Level level) { options.against = level; }, "Show the variant beside this level of the same model");
    command.add_option("--disable-pass", options.disabled_passes, "Leave out a pass of the level; may be repeated")
        ->type_name("NAME")->allow_extra_args(false)->check(is_pass());
    add_running(command, options.running);
    command.add_flag_callback("--no-measure", [&options] { options.running.measure = false; }, "Profile only: no clean times with intervals");
    command.add_option("--tables", options.tables, "Write the tables as CSV and everything as report.json into this folder")->type_name("FOLDER");
    command.add_option("--notes", options.notes, "Text file shown in the report")->type_name("FILE")->check(CLI::ExistingFile);
    command.add_option("--title", options.title, "Title of the report; the model's name unless given")->type_name("TEXT");
    command.footer(
        "Optimizes the model, runs it with the profiler, measures it without, and writes one HTML file that needs no other\n"
        "file and no network: verdict, model, graph with times, timeline, operators, nodes, passes, measurements. With\n"
        "--against both levels are measured in turn and compared; the level of --against is A, the other B.\n"
        "Exit code 1 when their outputs differ (the report is written all the same).\n"
        "Examples:\n"
        "  lapidary-cli report net.onnx -o net.html --against disabled\n"
        "  lapidary-cli report sample:bert-base -o bert.html --dim batch=1 --dim sequence=128 --tables tables");
}

void add_compare_options(CLI::App& command, CompareCommandOptions& options) {
    command.add_option("models", options.models, "Two ONNX model files, or one with --level twice; or sample:NAME")->required()->expected(1, 2)->type_name("A B");
    add_channel_block(command, options.channel_block);
    command
        .add_option_function<std::vector<std::string>>(
            "--level",
            [&options](const std::vector<std::string>& names) {
                options.levels.clear();
                for (const std::string& name : names) options.levels.push_back(*level_from_name(name));
            },
            "Of A, then of B; given once: of both. Of two files: as they are unless given")
        ->type_name("disabled|basic|extended|all")
        ->allow_extra_args(false)
        ->expected(1, 2)
        ->check(is_level());
    add_running(command, options.running);
    command.add_option("--max-regress", options.max_regress, "Exit code 1 when B is slower than A by more than so many percent, beyond noise")
        ->type_name("P")->check(CLI::NonNegativeNumber);
    command.add_option("-o,--output", options.output, "Write the HTML report of the comparison too")->type_name("F.html");
    command.footer(
        "Runs both on the same inputs in turn, so that what the machine does meanwhile meets both, and says how far the\n"
        "times lie apart, with the 95 % interval of the ratio from pairs; which operators and nodes it comes from, matched\n"
        "by the original nodes that they stand for (two files: by name); and whether the outputs agree.\n"
        "Exit codes: 0 outputs agree, 1 outputs differ or B is slower than --max-regress allows, others as always.\n"
        "Examples:\n"
        "  lapidary-cli compare net.onnx --level disabled --level all\n"
        "  lapidary-cli compare old.onnx new.onnx --max-regress 3 --json");
}

void add_snippet_options(CLI::App& command, SnippetCommandOptions& options) {
    SnippetSettings& settings = options.settings;
    command.add_option("model", options.model, "ONNX model file, or sample:NAME")->required()->type_name("MODEL");
    add_channel_block(command, options.channel_block);
    command.add_option("--language", options.language, "Of the program")->required()->type_name("python|c|cpp|csharp|rust")->check(CLI::IsMember(language_names()).description(""));
    command.add_option("-o,--output", options.output, "File to write; standard output unless given")->type_name("FILE");
    command.add_option("--onnxruntime", settings.onnxruntime_version, "Version that it is for, " + settings.onnxruntime_version + " unless given")->type_name("1.N");
    add_level(command, "--level", [&](Level level) { settings.configuration.level = level; }, "Optimization level of the session; all unless given");
    settings.configuration.intra = 0;
    settings.configuration.inter = 0;
    add_settings(command, settings.configuration);
    command.add_flag("--optimized", settings.optimized_already, "The file holds an optimized variant: the session need not optimize");
    command
        .add_option("--optimized-model", settings.optimized_model_file,
                    "Have the session write the model as it optimized it (optimized_model_filepath)")
        ->type_name("FILE");
    command
        .add_option("--profile-prefix", settings.profile_prefix,
                    "Have the session write a profile, to PREFIX_<time>.json (enable_profiling); `profile` of this "
                    "program shows it")
        ->type_name("PREFIX");
    command.add_option("--disable-optimizer", settings.disabled_optimizers, "Optimizer to leave out, by its name in ONNX Runtime or here; may be repeated")
        ->type_name("NAME")->allow_extra_args(false);
    command
        .add_option_function<std::vector<std::string>>("--dim", [&](const std::vector<std::string>& texts) { settings.free_dimensions = parse_sizes("--dim", texts); },
                                                       "Fix a symbolic dimension; may be repeated")
        ->type_name("NAME=N")
        ->allow_extra_args(false);
    command
        .add_option_function<std::vector<std::string>>(
            "--config",
            [&](const std::vector<std::string>& entries) {
                for (const std::string& entry : entries) settings.config_entries.insert(split_assignment("--config", entry, false));
            },
            "Session configuration entry by its key; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.footer(
        "Prints a whole program that opens the model in ONNX Runtime with these settings, runs it once on inputs of zeros and\n"
        "prints the outputs. What the version or the language's binding cannot express is refused, naming the setting.\n"
        "Examples:\n"
        "  lapidary-cli snippet net.onnx --language python --intra 4 --disable-optimizer GeluFusion\n"
        "  lapidary-cli snippet net.onnx --language cpp --onnxruntime 1.17 --level extended --dim batch=8 -o main.cpp\n"
        "  lapidary-cli snippet net.onnx --language python --optimized-model net.ort.onnx --profile-prefix net");
}

}  // namespace lapidary::cli
