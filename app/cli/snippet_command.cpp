// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <ostream>

#include <lapidary/error.h>
#include <lapidary/snippet.h>
#include <lapidary/text_file.h>

#include "cli/command.h"
#include "cli/model_argument.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/options/size_options.h"
#include "cli/options/value_checks.h"

namespace lapidary::cli {
namespace {

struct SnippetCommandOptions {
    std::string model, language;
    std::int64_t channel_block = 0;       // LoadOptions' own
    SnippetSettings settings;
    std::filesystem::path output;         // empty: standard output
};

constexpr std::array<std::pair<std::string_view, SnippetLanguage>, 5> languages{{{"python", SnippetLanguage::python},
                                                                                 {"c", SnippetLanguage::c},
                                                                                 {"cpp", SnippetLanguage::cpp},
                                                                                 {"csharp", SnippetLanguage::csharp},
                                                                                 {"rust", SnippetLanguage::rust}}};

constexpr const char* snippet_notes = R"(
Prints a whole program that opens the model in ONNX Runtime with these settings, runs it once on inputs of zeros and
prints the outputs. What the version or the language's binding cannot express is refused, naming the setting.)";

class SnippetCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Print a program that repeats settings in ONNX Runtime",
            .notes = snippet_notes,
            .examples =
                {"lapidary-cli snippet net.onnx --language python --intra 4 --disable-optimizer GeluFusion",
                 "lapidary-cli snippet net.onnx --language cpp --onnxruntime 1.17 --level extended --dim batch=8 -o "
                 "main.cpp",
                 "lapidary-cli snippet net.onnx --language python --optimized-model net.ort.onnx --profile-prefix net"},
            .program_example = "lapidary-cli snippet model.onnx --language python --intra 4"};
    }

    void declare(OptionList& options) override {
        SnippetSettings& settings = options_.settings;
        add_model(options, options_.model);
        add_channel_block(options, options_.channel_block);
        options.value("--language", "python|c|cpp|csharp|rust", options_.language, "Of the program")
            .required()
            .one_of({"python", "c", "cpp", "csharp", "rust"});
        add_output(options, "FILE", options_.output, {}, "File to write; standard output unless given");
        options
            .value("--onnxruntime", "1.N", settings.onnxruntime_version,
                   "Version that it is for, " + settings.onnxruntime_version + " unless given")
            .suggest({.words = known_onnxruntime_versions()});
        add_level(
            options, "--level", [&settings](Level level) { settings.configuration.level = level; },
            "Optimization level of the session; all unless given");
        settings.configuration.inter = 0;
        add_run_configuration(options, settings.configuration);
        options.flag("--optimized", settings.optimized_already,
                     "The file holds an optimized variant: the session need not optimize");
        options
            .value("--optimized-model", "FILE", settings.optimized_model_file,
                   "Have the session write the model as it optimized it (optimized_model_filepath)")
            .suggest_files({"onnx", "ort"});
        options
            .value("--profile-prefix", "PREFIX", settings.profile_prefix,
                   "Have the session write a profile, to PREFIX_<time>.json (enable_profiling); `profile` of this "
                   "program shows it")
            .suggest_files();
        options
            .value("--disable-optimizer", "NAME", settings.disabled_optimizers,
                   "Optimizer to leave out, by its name in ONNX Runtime or here; may be repeated")
            .repeatable()
            .suggest({.words = pass_names()});
        add_dimensions(options, settings.free_dimensions, "Fix a symbolic dimension; may be repeated");
        options
            .take_all(
                "--config", "KEY=VALUE",
                [&settings](const std::vector<std::string>& entries) {
                    for (const std::string& entry : entries)
                        settings.config_entries.insert(split_assignment("--config", entry, false));
                },
                "Session configuration entry by its key; may be repeated")
            .repeatable();
    }

    int run(Terminal& terminal) override {
        const ModelPtr model = std::make_shared<const Model>(
            load_model_argument(options_.model, options_.channel_block, terminal.progress()));
        SnippetSettings settings = options_.settings;
        if (!model->path.empty()) settings.model_file = model->path.string();
        SnippetLanguage language = SnippetLanguage::python;
        for (const auto& [name, value] : languages)
            if (name == options_.language) language = value;
        const std::string text = snippet(*model, language, settings);
        if (options_.output.empty()) {
            terminal.out << text;
            return exit_fine;
        }
        save_text(options_.output, text);
        return exit_fine;
    }

private:
    SnippetCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> snippet_command() { return std::make_unique<SnippetCommand>(); }

}  // namespace lapidary::cli
