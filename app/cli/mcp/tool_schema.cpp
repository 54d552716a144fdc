// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/tool_schema.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "cli/mcp/schema_files.h"

namespace lapidary::cli::mcp {
namespace {

constexpr std::string_view schema_ending = ".schema.json";

/// "disabled|basic" -> "disabled", "basic"
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('|', begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Json item_schema(const OptionInfo& info) {
    const std::vector<std::string> parts = parts_of(info.value_name);
    if (parts.size() > 1 && parts == info.suggestions.words) return {{"enum", parts}};
    return {{"type", {"string", "number"}}};
}

std::string help_of(const ToolOption& option, const OptionInfo& info) {
    std::string text = info.help.substr(0, info.help.find('\n'));
    if (!info.range.empty()) text += "; " + info.range;
    if (info.is_positional() && option.access == Access::read)
        text += ". A file below the folders of this server, or sample:NAME";
    return text;
}

Json member_schema(const ToolOption& option, const OptionInfo& info) {
    const std::string help = help_of(option, info);
    if (!info.takes_value()) return {{"type", "boolean"}, {"description", help}};
    const Json item = item_schema(info);
    if (!info.is_repeatable && !info.takes_list) {
        Json schema = item;
        schema["description"] = help;
        return schema;
    }
    Json forms = Json::array({{{"type", "array"}, {"items", item}}, item});
    if (info.value_name.starts_with("NAME="))
        forms.push_back(
            {{"type", "object"}, {"additionalProperties", {{"type", {"string", "number"}}}}});
    return {{"anyOf", forms}, {"description", help + " (" + info.value_name + "; one, or a list)"}};
}

/// Puts all that a schema refers to into one document.
class BundledSchema {
public:
    Json of(const std::string& file) {
        Json root = file_of(file);
        const Json own = root.contains("$defs") ? root["$defs"] : Json::object();
        root.erase("$defs");
        point_inwards(root, file, file);
        for (const auto& [name, schema] : own.items()) {
            definitions_[name] = schema;
            point_inwards(definitions_[name], file, file);
        }
        while (!wanted_.empty()) add(wanted_.back(), file);
        for (const char* member : {"$schema", "$comment", "title"}) root.erase(member);
        root["type"] = "object";
        if (!definitions_.empty()) root["$defs"] = definitions_;
        return root;
    }

private:
    struct Target {
        std::string file, name;  // name: in $defs; empty: the whole file
    };

    static Json file_of(const std::string& file) {
        for (const auto& [name, text] : schema_files)
            if (name == file) return parse_json(text, "a schema");
        fail(ErrorCode::internal, "there is no schema " + quote(file));
    }

    static Target target_of(const std::string& reference, const std::string& inside) {
        const std::size_t hash = std::min(reference.find('#'), reference.size());
        std::string file = reference.substr(0, hash);
        if (file.ends_with(schema_ending)) file.resize(file.size() - schema_ending.size());
        constexpr std::string_view place = "#/$defs/";
        const std::string rest = reference.substr(hash);
        if (!rest.empty() && !rest.starts_with(place))
            fail(ErrorCode::internal, "a schema refers to " + quote(reference));
        return {file.empty() ? inside : file, rest.empty() ? "" : rest.substr(place.size())};
    }

    static std::string key_of(const Target& target, const std::string& root) {
        if (target.file == root) return target.name;
        return target.name.empty() ? target.file : target.file + '-' + target.name;
    }

    /// Rewrites the references of a part of `inside`, and notes what they need.
    void point_inwards(Json& part, const std::string& inside, const std::string& root) {
        if (part.is_object()) {
            if (const auto at = part.find("$ref"); at != part.end() && at->is_string()) {
                const Target target = target_of(at->get<std::string>(), inside);
                const std::string key = key_of(target, root);
                if (target.file != root && !definitions_.contains(key)) {
                    definitions_[key] = nullptr;
                    wanted_.push_back(target);
                }
                *at = "#/$defs/" + key;
            }
        }
        if (part.is_structured())
            for (Json& item : part) point_inwards(item, inside, root);
    }

    void add(const Target target, const std::string& root) {
        wanted_.pop_back();
        Json file = file_of(target.file);
        Json schema = target.name.empty() ? file : file.at("$defs").at(target.name);
        if (target.name.empty())
            for (const char* member : {"$defs", "$schema", "$comment", "title"})
                schema.erase(member);
        point_inwards(schema, target.file, root);
        definitions_[key_of(target, root)] = std::move(schema);
    }

    Json definitions_ = Json::object();
    std::vector<Target> wanted_;
};

}  // namespace

std::string member_name(const OptionInfo& info) {
    std::string name = info.name();
    if (name.starts_with("--")) name.erase(0, 2);
    std::ranges::replace(name, '-', '_');
    return name;
}

const Option& option_of(const OptionList& declared, std::string_view name) {
    for (const Option& option : declared.all())
        if (option.info().name() == name) return option;
    fail(ErrorCode::internal, "there is no option " + quote(name));
}

Json input_schema(const Tool& tool, const OptionList& declared) {
    Json properties = Json::object(), required = Json::array();
    for (const ToolOption& option : tool.options) {
        const OptionInfo& info = option_of(declared, option.option).info();
        properties[member_name(info)] = member_schema(option, info);
        if (info.is_required || info.name() == tool.also_required)
            required.push_back(member_name(info));
    }
    if (tool.writes())
        properties[std::string(overwrite_member)] = {
            {"type", "boolean"},
            {"description", "Replace files that exist; without it they are never overwritten"}};
    Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = required;
    return schema;
}

Json output_schema(std::string_view command) { return BundledSchema().of(std::string(command)); }

}  // namespace lapidary::cli::mcp
