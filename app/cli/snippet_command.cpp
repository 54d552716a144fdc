// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <ostream>

#include <lapidary/error.h>
#include <lapidary/snippet.h>
#include <lapidary/text_file.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/model_argument.h"

namespace lapidary::cli {
namespace {

constexpr std::array<std::pair<std::string_view, SnippetLanguage>, 5> languages{{{"python", SnippetLanguage::python}, {"c", SnippetLanguage::c}, {"cpp", SnippetLanguage::cpp},
                                                                                {"csharp", SnippetLanguage::csharp}, {"rust", SnippetLanguage::rust}}};

}  // namespace

int run_snippet(const SnippetCommandOptions& options, Terminal& terminal) {
    const ModelPtr model = std::make_shared<const Model>(load_model_argument(options.model, options.channel_block, terminal.progress()));
    SnippetSettings settings = options.settings;
    if (!model->path.empty()) settings.model_file = model->path.string();
    SnippetLanguage language = SnippetLanguage::python;
    for (const auto& [name, value] : languages)
        if (name == options.language) language = value;
    const std::string text = snippet(*model, language, settings);
    if (options.output.empty()) {
        terminal.out << text;
        return exit_fine;
    }
    save_text(options.output, text);
    return exit_fine;
}

}  // namespace lapidary::cli
