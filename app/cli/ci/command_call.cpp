// SPDX-License-Identifier: Apache-2.0
#include "cli/ci/command_call.h"

#include <sstream>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "cli/command_line.h"

namespace lapidary::cli {
namespace {

/// The sentence of the error object on the last line; the whole text where there is none.
std::string sentence_of_error(const std::string& printed) {
    const std::size_t end = printed.find_last_not_of('\n');
    if (end == std::string::npos) return "it printed nothing";
    const std::size_t before = printed.rfind('\n', end);
    const std::string line =
        printed.substr(before == std::string::npos ? 0 : before + 1, end - before);
    try {
        const LocatedJson json = parse_located_json(line, "error");
        const LocatedJson* error = json.find("error");
        const LocatedJson* message = error ? error->find("message") : nullptr;
        if (message && message->is(LocatedJson::Kind::text)) return message->text;
    } catch (const Error&) {  // no JSON: it is shown as it is
    }
    return line;
}

}  // namespace

CalledCommand call_command(std::vector<std::string> words, Terminal& terminal) {
    terminal.cancel.throw_if_cancelled();
    words.emplace_back("--json");
    std::vector<const char*> arguments{"lapidary-cli"};
    for (const std::string& word : words) arguments.push_back(word.c_str());
    std::ostringstream out, err;
    TerminalFeatures features;
    const Progress progress = terminal.progress();
    features.on_progress = progress.report;
    CalledCommand called;
    called.code = run_command_line(static_cast<int>(arguments.size()), arguments.data(), out, err,
                                   terminal.cancel, features);
    terminal.cancel.throw_if_cancelled();
    if (called.code != exit_fine && called.code != exit_check_failed &&
        called.code != exit_unresolved)
        fail_input(sentence_of_error(err.str()));
    called.text = out.str();
    called.json = parse_located_json(called.text, words.front());
    return called;
}

const LocatedJson& member_of(const LocatedJson& object, std::string_view name,
                             LocatedJson::Kind kind) {
    const LocatedJson* member = object.find(name);
    if (!member || !member->is(kind))
        fail(ErrorCode::internal,
             fmt::format("{} is missing in what a command printed, or of another kind",
                         quote(name)));
    return *member;
}

double number_of(const LocatedJson& object, std::string_view name) {
    return member_of(object, name, LocatedJson::Kind::number).number;
}

}  // namespace lapidary::cli
