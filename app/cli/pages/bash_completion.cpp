// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/pages/shell_completion.h"
#include "cli/pages/shell_text.h"

namespace lapidary::cli {
namespace {

constexpr const char* bash_machinery = R"(
# COMMAND WORD: what can stand as the value of an option of a command, or as its argument at a place (1, 2 ... or *), in
# the variables words, files (extensions, or *), folders, listed (values separated by commas) and assigned (NAME=FILE).
# Fails where the option takes no value.
_lapidary_cli_value() {
    words= files= folders= listed= assigned=
    case "$1 $2" in
@values@    *) return 1 ;;
    esac
}

# TEXT: puts into COMPREPLY what can follow TEXT, as the variables of _lapidary_cli_value say.
_lapidary_cli_reply() {
    local kept= text=$1 extension
    if [[ $listed && $text == *,* ]]; then
        kept=${text%,*},
        text=${text##*,}
    fi
    if [[ $assigned ]]; then
        [[ $text == *=* ]] || return 0
        kept=${text%%=*}=
        text=${text#*=}
    fi
    [[ $words ]] && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$words" -- "$text")
    if [[ $files == '*' ]]; then
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$text")
    elif [[ $files ]]; then
        for extension in $files; do
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X "!*.$extension" -- "$text")
        done
    fi
    if [[ ($files && $files != '*') || $folders ]]; then
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$text")
    fi
    if [[ $files || $folders ]]; then
        compopt -o filenames 2>/dev/null
        # Names with quotes or backslashes in them are left to the shell.
        [[ ${#COMPREPLY[@]} -eq 0 ]] && compopt -o default 2>/dev/null
    elif [[ ${#COMPREPLY[@]} -eq 1 && $COMPREPLY == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
    COMPREPLY=("${COMPREPLY[@]/#/"$kept"}")
}

_lapidary_cli() {
    local words files folders listed assigned
    local -a arguments=()
    local word last= command= option= place=0 i
    COMPREPLY=()
    # The shell ends words at "=" and ":" too: joined again as the program sees them.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ ${#arguments[@]} -gt 0 && ($word == [=:]* || $last == *[=:]) ]]; then
            arguments[-1]+=$word
        else
            arguments+=("$word")
        fi
        last=$word
    done
    local current=${arguments[-1]}
    unset 'arguments[-1]'
    for word in "${arguments[@]}"; do
        if [[ ! $command ]]; then
            [[ $word == -* ]] || command=$word
        elif [[ $word == -* ]]; then
            option=
            [[ $word != *=* ]] && _lapidary_cli_value "$command" "$word" && option=$word
        elif [[ $option ]]; then
            option=
        else
            ((++place))
        fi
    done

    local offered=
    case $command in
    '') offered=@program@ ;;
@options@    esac
    if [[ ! $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$current")
    elif [[ $current == --*=* ]]; then
        _lapidary_cli_value "$command" "${current%%=*}" && _lapidary_cli_reply "${current#*=}"
        COMPREPLY=("${COMPREPLY[@]/#/"${current%%=*}="}")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$current")
    elif [[ $option ]]; then
        _lapidary_cli_value "$command" "$option" && _lapidary_cli_reply "$current"
    elif _lapidary_cli_value "$command" $((place + 1)) || _lapidary_cli_value "$command" '*'; then
        _lapidary_cli_reply "$current"
    else
        mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$current")
    fi

    # What stands before the last "=" or ":" of the word is there already.
    local mark cut=
    for mark in = :; do
        if [[ $COMP_WORDBREAKS == *$mark* && $current == *$mark* ]]; then
            word=${current%"${current##*$mark}"}
            ((${#word} > ${#cut})) && cut=$word
        fi
    done
    [[ $cut ]] && COMPREPLY=("${COMPREPLY[@]#"$cut"}")
    return 0
}

complete -F _lapidary_cli lapidary-cli
)";

/// The assignments of variables for one value.
std::string value_text(const Suggestions& suggestions, bool takes_list, WordLists& lists) {
    constexpr std::size_t few = 8;
    std::vector<std::string> assignments;
    if (suggestions.words.size() > few)
        assignments.push_back("words=$" + name_of_list(lists.number_of(suggestions.words)));
    else if (!suggestions.words.empty())
        assignments.push_back("words=" + single_quoted(joined(suggestions.words, " ")));
    if (suggestions.files)
        assignments.push_back("files=" + single_quoted(suggestions.extensions.empty()
                                                           ? std::string("*")
                                                           : joined(suggestions.extensions, " ")));
    if (suggestions.folders) assignments.emplace_back("folders=1");
    if (suggestions.after_equals) assignments.emplace_back("assigned=1");
    if (takes_list) assignments.emplace_back("listed=1");
    return assignments.empty() ? std::string(":") : joined(assignments, " ");
}

/// The cases of _lapidary_cli_value for one command.
std::string values_of(const DeclaredCommand& command, WordLists& lists) {
    std::string cases;
    std::size_t place = 0;
    for (const Option& option : command.options->all()) {
        const OptionInfo& info = option.info();
        if (info.is_hidden || !info.takes_value()) continue;
        std::vector<std::string> names;
        if (info.is_positional())
            names.push_back(single_quoted(command.name + ' ' +
                                          (info.is_repeatable ? "*" : std::to_string(++place))));
        else
            for (const std::string& name : info.names)
                names.push_back(single_quoted(command.name + ' ' + name));
        cases += fmt::format("    {}) {} ;;\n", joined(names, "|"),
                             value_text(info.suggestions, info.takes_list, lists));
    }
    return cases;
}

std::string option_names(const OptionList& options) {
    std::vector<std::string> names;
    for (const Option& option : options.all())
        if (!option.info().is_positional() && !option.info().is_hidden)
            names.insert(names.end(), option.info().names.begin(), option.info().names.end());
    return joined(names, " ");
}

void put(std::string& text, const std::string& mark, const std::string& contents) {
    text.replace(text.find(mark), mark.size(), contents);
}

}  // namespace

std::string bash_completion(const Program& program) {
    WordLists lists;
    std::string values, options, script = bash_machinery;
    std::vector<std::string> names;
    for (const DeclaredCommand& command : program.commands) {
        names.push_back(command.name);
        values += values_of(command, lists);
        options += fmt::format("    {}) offered={} ;;\n", command.name,
                               single_quoted(option_names(*command.options)));
    }
    put(script, "@values@", values);
    put(script, "@options@", options);
    put(script, "@program@",
        single_quoted(joined(names, " ") + ' ' + option_names(program.parser.program_options())));
    std::string head =
        "# bash completion of lapidary-cli, made by \"lapidary-cli completion bash\".\n\n";
    for (std::size_t i = 0; i < lists.lists().size(); ++i)
        head += name_of_list(i) + '=' + single_quoted(joined(lists.lists()[i], " ")) + '\n';
    return head + script;
}

}  // namespace lapidary::cli
