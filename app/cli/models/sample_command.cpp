// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>

#include "cli/command.h"
#include "cli/output/json_output.h"
#include "cli/options/output_options.h"
#include "cli/options/value_checks.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct SampleOptions {
    std::string name;
    std::filesystem::path output;
    std::uint64_t seed = 1;
    bool list = false;
};

class SampleCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Write one of the built-in architectures with random weights",
                .examples = {"lapidary-cli sample --list",
                             "lapidary-cli sample resnet50 -o resnet50.onnx --seed 7"},
                .program_example = "lapidary-cli sample resnet50 -o resnet50.onnx"};
    }

    void declare(OptionList& options) override {
        Suggestions names;
        for (const SampleInfo& sample : list_samples()) names.words.emplace_back(sample.name);
        Option& name =
            options.value("name", "NAME", options_.name, "Name of the sample").suggest(names);
        Option& output =
            add_output(options, "FILE", options_.output, {"onnx"}, "Model file to write");
        options.value("--seed", "N", options_.seed, "Seed of the weights, 1 unless given")
            .checked_by(count_problem);
        options.flag("--list", options_.list, "List the samples").excludes(name).excludes(output);
        add_json(options, json);
    }

    bool opens_plugins() const override { return false; }

    int run(Terminal& terminal) override {
        if (!options_.list && (options_.name.empty() || options_.output.empty()))
            throw UsageError("NAME with -o FILE, or --list, is required");
        if (options_.list) {
            Json list = Json::array();
            TextTable table({"name", "title", "summary"}, {0, 1, 2});
            for (const SampleInfo& sample : list_samples()) {
                list.push_back(
                    {{"name", sample.name}, {"title", sample.title}, {"summary", sample.summary}});
                table.add({std::string(sample.name), std::string(sample.title),
                           std::string(sample.summary)});
            }
            if (terminal.json) write_json(terminal.out, {{"samples", list}});
            else table.print(terminal.out, "");
            return exit_fine;
        }
        const Model model = build_sample(options_.name, options_.seed);
        terminal.cancel.throw_if_cancelled();
        for (const std::string& note : save_model(model, options_.output, {}, terminal.progress()))
            terminal.note(note);
        if (terminal.json)
            write_json(terminal.out, {{"sample", options_.name},
                                      {"seed", options_.seed},
                                      {"file", options_.output.string()}});
        else
            terminal.out << "wrote " << plain(options_.output.string()) << ": sample "
                         << options_.name << ", seed " << options_.seed << '\n';
        return exit_fine;
    }

private:
    SampleOptions options_;
};

}  // namespace

std::unique_ptr<Command> sample_command() { return std::make_unique<SampleCommand>(); }

}  // namespace lapidary::cli
