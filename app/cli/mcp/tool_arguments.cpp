// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/tool_arguments.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/file_bounds.h>
#include <lapidary/internal/nearest_name.h>

namespace lapidary::cli::mcp {
namespace {

constexpr std::size_t most_words = 10'000;
constexpr std::string_view output_options[] = {"--json", "--quiet"};  // of each call
constexpr std::string_view overwrite_option = "--overwrite";

std::string text_of(const Json& value, const std::string& member) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text.find('\0') != std::string::npos)
            fail_input("the argument " + quote(member) + " has a character of zero");
        return text;
    }
    if (value.is_number() || value.is_boolean()) return value.dump();
    fail_input("the argument " + quote(member) + " is " + value.type_name() +
               ", expected a text or a number");
}

/// The values of an option that is repeated for each of them. An object gives NAME=VALUE.
std::vector<std::string> texts_of(const Json& value, const OptionInfo& info) {
    const std::string member = member_name(info);
    std::vector<std::string> texts;
    if (!info.is_repeatable && !info.takes_list) return {text_of(value, member)};
    if (value.size() > most_words)
        fail_input("the argument " + quote(member) + " has " + std::to_string(value.size()) +
                   " values, at most " + std::to_string(most_words) + " are taken");
    if (value.is_object() && info.value_name.starts_with("NAME="))
        for (const auto& [name, item] : value.items())
            texts.push_back(name + '=' + text_of(item, member));
    else if (value.is_array())
        for (const Json& item : value) texts.push_back(text_of(item, member));
    else texts.push_back(text_of(value, member));
    return texts;
}

/// The file that a value names; empty: none of the disk.
std::filesystem::path file_of(const std::string& text, const OptionInfo& info) {
    if (info.is_positional() && text.starts_with("sample:")) return {};
    if (!info.value_name.starts_with("NAME=")) return text;
    const std::size_t at = text.find('=');
    return at == std::string::npos ? text : text.substr(at + 1);
}

class Words {
public:
    Words(const Tool& tool, const OptionList& declared,
          const std::vector<std::filesystem::path>& folders)
        : tool_(tool), declared_(declared), folders_(folders) {}

    ToolRequest of(const Json& given) {
        if (!given.is_object())
            fail_input("the arguments of " + quote(tool_.name) + " are " + given.type_name() +
                       ", expected an object");
        request_.tool = tool_.name;
        request_.may_replace = may_replace(given);
        for (const auto& [name, value] : given.items())
            if (name != overwrite_member && !value.is_null()) add(name, value);
        require(given);
        std::vector<std::string>& all = request_.arguments;
        all = {std::string(tool_.command)};
        for (const std::string_view option : output_options) all.emplace_back(option);
        if (!tool_.always.empty()) all.emplace_back(tool_.always);
        std::ranges::move(options_, std::back_inserter(all));
        if (!models_.empty()) all.emplace_back("--");
        std::ranges::move(models_, std::back_inserter(all));
        return std::move(request_);
    }

private:
    bool may_replace(const Json& given) {
        const auto at = given.find(overwrite_member);
        if (at == given.end() || at->is_null()) return false;
        if (!tool_.writes()) fail_unknown(std::string(overwrite_member));
        if (!at->is_boolean())
            fail_input("the argument \"overwrite\" is " + std::string(at->type_name()) +
                       ", expected true or false");
        const bool is_output_given = given.contains("output") && !given["output"].is_null();
        const bool has_flag = std::ranges::any_of(declared_.all(), [](const Option& option) {
            return option.info().name() == overwrite_option;
        });
        if (at->get<bool>() && has_flag && is_output_given) options_.emplace_back(overwrite_option);
        return at->get<bool>();
    }

    std::vector<std::string> members() const {
        std::vector<std::string> names;
        for (const ToolOption& option : tool_.options)
            names.push_back(member_name(option_of(declared_, option.option).info()));
        if (tool_.writes()) names.emplace_back(overwrite_member);
        return names;
    }

    [[noreturn]] void fail_unknown(const std::string& name) const {
        const std::vector<std::string> names = members();
        std::string list;
        for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
        fail_input("the tool " + quote(tool_.name) + " has no argument " + quote(name) +
                   "; it has " + list + did_you_mean(name, names));
    }

    void add(const std::string& name, const Json& value) {
        const auto at = std::ranges::find_if(tool_.options, [&](const ToolOption& option) {
            return member_name(option_of(declared_, option.option).info()) == name;
        });
        if (at == tool_.options.end()) fail_unknown(name);
        const OptionInfo& info = option_of(declared_, at->option).info();
        if (!info.takes_value()) {
            if (!value.is_boolean())
                fail_input("the argument " + quote(name) + " is " + value.type_name() +
                           ", expected true or false");
            if (value.get<bool>()) options_.push_back(info.name());
            return;
        }
        if (info.value_is_optional && value.is_boolean()) {
            if (value.get<bool>()) options_.push_back(info.name());
            return;
        }
        for (const std::string& text : texts_of(value, info)) {
            if (text.empty() && !info.may_be_empty)
                fail_input("the argument " + quote(name) + " is an empty text, expected " +
                           info.value_name + "; leave it out where there is none");
            if (at->access != Access::none) check_place(file_of(text, info));
            // "./" in front: no parser takes the name of a file for an option
            if (info.is_positional()) models_.push_back((text.starts_with('-') ? "./" : "") + text);
            else options_.push_back(info.name() + '=' + text);
        }
    }

    void check_place(const std::filesystem::path& file) const {
        if (file.empty()) return;
        if (!is_below(file.is_relative() ? folders_.front() / file : file, folders_))
            fail_input(outside_text(file, folders_));
    }

    void require(const Json& given) const {
        for (const ToolOption& option : tool_.options) {
            const OptionInfo& info = option_of(declared_, option.option).info();
            if (!info.is_required && info.name() != tool_.also_required) continue;
            const std::string name = member_name(info);
            if (!given.contains(name) || given[name].is_null())
                fail_input("the tool " + quote(tool_.name) + " needs the argument " + quote(name) +
                           ": " + info.help);
        }
    }

    const Tool& tool_;
    const OptionList& declared_;
    const std::vector<std::filesystem::path>& folders_;
    ToolRequest request_;
    std::vector<std::string> options_, models_;
};

}  // namespace

ToolRequest tool_request(const Tool& tool, const OptionList& declared, const Json& given,
                         const std::vector<std::filesystem::path>& folders) {
    return Words(tool, declared, folders).of(given);
}

void require_own_options(const std::string& tool, const OptionList& parsed) {
    const Tool* const found = find_tool(tool);
    if (!found) fail_input("there is no tool " + quote(tool));
    const auto is_own = [&](std::string_view name) {
        return std::ranges::find(output_options, name) != std::end(output_options) ||
               (found->writes() && name == overwrite_option) || name == found->always ||
               std::ranges::find(found->options, name, &ToolOption::option) != found->options.end();
    };
    for (const Option& option : parsed.all())
        if (option.is_given() && !is_own(option.info().name()))
            fail_input("the tool " + quote(tool) + " does not take the option " +
                       quote(option.info().name()));
}

}  // namespace lapidary::cli::mcp
