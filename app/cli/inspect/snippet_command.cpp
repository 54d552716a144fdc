// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/quantize/quantize_snippet.h>
#include <lapidary/export/release.h>
#include <lapidary/export/snippet.h>
#include <lapidary/internal/text_file.h>

#include "cli/command.h"
#include "cli/models/model_argument.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/provider_options.h"
#include "cli/options/release_options.h"
#include "cli/options/session_options.h"
#include "cli/options/size_options.h"
#include "cli/options/value_checks.h"
#include "cli/exit_code.h"
#include "worker/models/quantized_file.h"

namespace lapidary::cli {
namespace {

struct SnippetCommandOptions {
    std::string model, language;
    std::int64_t channel_block = 0;  // LoadOptions' own
    SnippetSettings settings;
    std::filesystem::path output;  // empty: standard output
    // a quantized model whose quantization the program repeats; empty: the program opens a session
    std::filesystem::path quantized;
    SnippetSamples samples;  // samples of the quantizing program
    ReleaseOptions release;  // release that the program is for; empty: the default
    std::vector<std::string> provider_options;  // "CUDA:device_id=1"

    /// Assigns options to their providers. Throws UsageError.
    void settle_providers();
};

void SnippetCommandOptions::settle_providers() {
    std::vector<OnnxRuntimeProvider>& providers = settings.providers;
    for (const std::string& text : provider_options) {
        const std::size_t colon = text.find(':'),
                          equals = text.find('=', std::min(colon, text.size()));
        if (colon == 0 || colon == std::string::npos || equals == std::string::npos ||
            equals == colon + 1)
            throw UsageError("--provider-option: expected NAME:KEY=VALUE, found " + quote(text));
        const std::string name = text.substr(0, colon);
        const auto provider = std::ranges::find(providers, name, &OnnxRuntimeProvider::name);
        if (provider == providers.end())
            throw UsageError("--provider-option: no --provider is called " + quote(name));
        provider->options[text.substr(colon + 1, equals - colon - 1)] = text.substr(equals + 1);
    }
    for (const OnnxRuntimeProvider& provider : providers)
        if (const std::string problem = snippet_provider_problem(provider); !problem.empty())
            throw UsageError("--provider: " + problem);
}

std::string setting_problem(const std::string& entry) {
    const std::size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string::npos)
        return "expected KEY=VALUE, found " + quote(entry);
    return session_setting_problem(entry.substr(0, equals), entry.substr(equals + 1));
}

/// KEY= of each setting.
std::vector<std::string> setting_words() {
    std::vector<std::string> words = session_setting_names();
    for (std::string& word : words) word += '=';
    return words;
}

constexpr std::array<std::pair<std::string_view, SnippetLanguage>, 5> languages{
    {{"python", SnippetLanguage::python},
     {"c", SnippetLanguage::c},
     {"cpp", SnippetLanguage::cpp},
     {"csharp", SnippetLanguage::csharp},
     {"rust", SnippetLanguage::rust}}};

constexpr const char* snippet_notes = R"(
Prints a whole program that opens the model in ONNX Runtime with these settings, runs it once on inputs of zeros and
prints the outputs. What the version or the language's binding cannot express is refused, naming the setting. Programs
in Python and C are run against ONNX Runtime in the tests of Lapidary; those in C++, C# and Rust are not.
With --quantized it prints a program that quantizes MODEL with ONNX Runtime's own tools as the file was that `quantize`
made of it; its first lines tell what these tools do otherwise.)";

QuantizeSnippetSettings quantize_settings(const SnippetCommandOptions& options,
                                          const Progress& progress) {
    if (options.language != "python")
        fail_unsupported("ONNX Runtime's tools that quantize are in Python alone, not in " +
                         options.language);
    QuantizeSnippetSettings settings;
    const Model made =
        load_model_argument(options.quantized.string(), options.channel_block, progress);
    const auto recipe = app::quantization_of(made);
    if (!recipe)
        fail_input(quote(options.quantized.string(), 4096) +
                   " does not say how it was quantized: expected lapidary.quantization in its "
                   "metadata, as `quantize` "
                   "writes it");
    settings.model_file = program_file_of(options.model);
    settings.quantized_file =
        std::filesystem::path(options.quantized).replace_extension(".onnxruntime.onnx").string();
    settings.onnxruntime_version = options.release.version;
    settings.options = *recipe;
    settings.samples = options.samples;
    return settings;
}

class SnippetCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Print a program that repeats settings in ONNX Runtime",
                .notes = snippet_notes,
                .examples = {"lapidary-cli snippet net.onnx --language python --intra 4 "
                             "--disable-optimizer GeluFusion",
                             "lapidary-cli snippet net.onnx --language cpp --release 1.17 --level "
                             "extended --dim batch=8 -o "
                             "main.cpp",
                             "lapidary-cli snippet net.onnx --language python --optimized-model "
                             "net.ort.onnx --profile-prefix net",
                             "lapidary-cli snippet net.onnx --language c --config "
                             "enable_mem_pattern=0 --provider "
                             "CUDA:device_id=1,use_tf32=0",
                             "lapidary-cli snippet net.onnx --language python --quantized "
                             "net.int8.onnx --data samples"},
                .program_example = "lapidary-cli snippet model.onnx --language python --intra 4"};
    }

    void declare(OptionList& options) override {
        SnippetSettings& settings = options_.settings;
        // the same as for the window
        settings.onnxruntime_version = known_onnxruntime_versions().front();
        add_model(options, options_.model);
        add_channel_block(options, options_.channel_block);
        options.value("--language", "python|c|cpp|csharp|rust", options_.language, "Of the program")
            .required()
            .one_of({"python", "c", "cpp", "csharp", "rust"});
        add_output(options, "FILE", options_.output, {},
                   "File to write; standard output unless given");
        add_release(options, options_.release,
                    "Release of ONNX Runtime that it is for, " + settings.onnxruntime_version +
                        " unless given");
        add_release_of_place(options, options_.release);
        Option& quantized = options
                                .value("--quantized", "Q.onnx", options_.quantized,
                                       "Print the program that quantizes MODEL as this file was, "
                                       "which `quantize` made")
                                .suggest(model_suggestions());
        options
            .value("--data", "PATH", options_.samples.data,
                   "Samples that the program reads, as --data of `quantize`; made up unless given")
            .suggest({.files = true, .folders = true, .extensions = {"npz", "npy"}})
            .needs(quantized);
        add_pixel_options(options, options_.samples.images);
        add_level(
            options, "--level", [&settings](Level level) { settings.configuration.level = level; },
            "Optimization level of the session; all unless given");
        settings.configuration.resources.inter_threads = 0;
        add_run_configuration(options, settings.configuration);
        options
            .flag("--optimized", settings.optimized_already,
                  "The file holds an optimized variant: the session need not optimize")
            .excludes(quantized);
        options
            .value("--optimized-model", "FILE", settings.optimized_model_file,
                   "Have the session write the model as it optimized it (optimized_model_filepath)")
            .suggest_files({"onnx", "ort"})
            .excludes(quantized);
        options
            .value("--profile-prefix", "PREFIX", settings.profile_prefix,
                   "Have the session write a profile, to PREFIX_<time>.json (enable_profiling); "
                   "`profile` of this "
                   "program shows it")
            .suggest_files()
            .excludes(quantized);
        options
            .value("--disable-optimizer", "NAME", settings.disabled_optimizers,
                   "Optimizer to leave out, by its name in ONNX Runtime or here; may be repeated")
            .repeatable()
            .suggest({.words = pass_names()})
            .excludes(quantized);
        add_dimensions(options, settings.free_dimensions,
                       "Fix a symbolic dimension; may be repeated");
        options
            .take_all(
                "--config", "KEY=VALUE",
                [&settings](const std::vector<std::string>& entries) {
                    for (const std::string& entry : entries)
                        settings.configuration.resources.config.insert(
                            split_assignment("--config", entry, false));
                },
                "Setting of the session by its name in ONNX Runtime: an attribute of "
                "SessionOptions "
                "(enable_mem_pattern=0), or a key of its configuration; may be repeated")
            .repeatable()
            .checked_by(setting_problem)
            .suggest({.words = setting_words()})
            .excludes(quantized);
        add_providers(options, quantized);
    }

    void add_providers(OptionList& options, Option& quantized) {
        std::string names;
        std::vector<std::string> words;
        for (const std::string& name : snippet_provider_names()) {
            names += (names.empty() ? "" : ", ") + name;
            for (const std::string& key : snippet_provider_options(name))
                words.push_back(name + ":" + key + "=");
        }
        Option& provider =
            options
                .take_all(
                    "--provider", "NAME",
                    [this](const std::vector<std::string>& texts) {
                        for (const std::string& text : texts) {
                            const ProviderChoice choice = provider_choice(text);
                            options_.settings.providers.push_back({choice.name, choice.options});
                        }
                    },
                    "Execution provider that the session asks before the CPU: " + names +
                        "; with options as NAME:KEY=VALUE,... ; may be repeated, the first that "
                        "takes a node has it")
                .repeatable()
                .suggest({.words = snippet_provider_names()})
                .excludes(quantized);
        options
            .value("--provider-option", "NAME:KEY=VALUE", options_.provider_options,
                   "An option of a provider whose value may hold commas; may be repeated")
            .repeatable()
            .suggest({.words = words})
            .needs(provider);
    }

    int run(Terminal& terminal) override {
        options_.settle_providers();
        const ModelPtr model = std::make_shared<const Model>(
            load_model_argument(options_.model, options_.channel_block, terminal.progress()));
        const Progress progress = terminal.progress();
        options_.release.settle(terminal);
        if (!options_.release.version.empty())
            options_.settings.onnxruntime_version = options_.release.version;
        const std::string text =
            options_.quantized.empty()
                ? session_program(*model)
                : quantize_snippet(*model, quantize_settings(options_, progress), progress);
        if (!options_.release.version.empty()) report_misfit(*model, terminal);
        if (options_.output.empty()) {
            terminal.out << text;
            return exit_fine;
        }
        save_text(options_.output, text);
        return exit_fine;
    }

private:
    /// Notes if the release cannot read the model that the program opens.
    void report_misfit(const Model& model, Terminal& terminal) const {
        const int minor = release_minor(options_.release.version);
        for (const ReleaseNeed& need : release_needs(model))
            if (minor >= runtime_releases().front().minor &&
                (need.minor == 0 || need.minor > minor))
                terminal.note(fmt::format(
                    "ONNX Runtime {} does not read the model: {}; `optimize --release {}` writes "
                    "one that it reads, or says why it cannot",
                    options_.release.version, need.reason, options_.release.version));
    }

    std::string session_program(const Model& model) const {
        SnippetSettings settings = options_.settings;
        if (!model.path.empty()) settings.model_file = model.path.string();
        SnippetLanguage language = SnippetLanguage::python;
        for (const auto& [name, value] : languages)
            if (name == options_.language) language = value;
        return snippet(model, language, settings);
    }

    SnippetCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> snippet_command() { return std::make_unique<SnippetCommand>(); }

}  // namespace lapidary::cli
