// SPDX-License-Identifier: Apache-2.0
#include "passes/user/user_passes.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/passes/user_rules.h>

#include "ops/schemas/schema.h"
#include "passes/pass_list.h"
#include "passes/user/rule_lexer.h"
#include "passes/user/rule_parser.h"
#include "passes/user/rule_pattern.h"
#include "passes/user/rule_plan.h"

namespace lapidary {
namespace {

constexpr std::uint64_t most_rule_bytes = 1 << 20;

Rule rewrite_of(const std::shared_ptr<const user::RewriteRule>& rule) {
    const auto rewrite = [rule](const pattern::Match& match, PassContext& context) -> Outcome {
        user::RuleBindings bindings(*rule, match, context.options().limits, context.cancel());
        std::string problem = bindings.attributes_problem();
        if (problem.empty()) problem = bindings.condition_problem();
        user::RulePlan plan(*rule, bindings, context);
        if (problem.empty()) problem = plan.problem();
        if (!problem.empty()) return declined(std::move(problem));
        std::string remark = rule->summary.empty() ? "replaced " : rule->summary + ": ";
        remark += context.graph().node(match.root()).describe();
        plan.apply();
        return applied(std::move(remark));
    };
    return {.pattern = user::pattern_of(rule), .rewrite = rewrite};
}

/// Without the byte order mark of UTF-8 that some programs write in front.
std::string_view text_of_rules(const RuleText& file) {
    std::string_view text = file.text;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    return text;
}

std::string shown_summary(const user::RewriteRule& rule) {
    const std::string from = "rule of " + rule.file + ", line " + std::to_string(rule.place.line);
    return rule.summary.empty() ? from : rule.summary + " (" + from + ")";
}

std::vector<std::string> operators_of_domain(std::string_view domain) {
    std::vector<std::string> names;
    for (const OpSchema* schema : all_schemas())
        if (schema->domain == domain) names.push_back(schema->name);
    return names;
}

/// Adds a sentence for each operator of `names`, "A|B" or "domain::C", that is not known.
void add_unknown_operators(std::string_view names, const std::string& place,
                           std::vector<std::string>& sentences) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find('|'), names.size());
        const std::string_view written = names.substr(0, end);
        names.remove_prefix(std::min(end + 1, names.size()));
        const std::size_t colons = written.rfind("::");
        const bool has_domain = colons != std::string_view::npos;
        const std::string_view domain = has_domain ? written.substr(0, colons) : "";
        const std::string_view name = has_domain ? written.substr(colons + 2) : written;
        if (name == "*" || newest_version(domain) == 0 || is_known_operator(domain, name)) continue;
        sentences.push_back(place + "no version of " + (has_domain ? std::string(domain) : "ONNX") +
                            " has an operator " + quote(name) +
                            ": only a function of the model could be meant" +
                            did_you_mean(name, operators_of_domain(domain)));
    }
}

void add_unknown_operators(const std::string& file, const user::Expression& e,
                           std::vector<std::string>& sentences) {
    if (e.kind == user::Expression::Kind::call && user::names_operators(e.text))
        add_unknown_operators(
            e.text,
            file + ":" + std::to_string(e.place.line) + ":" + std::to_string(e.place.column) + ": ",
            sentences);
    for (const user::ExpressionPtr& part : e.parts) add_unknown_operators(file, *part, sentences);
    for (const user::NamedArgument& a : e.named) add_unknown_operators(file, *a.value, sentences);
}

}  // namespace

void add_user_passes(std::span<const RuleText> files, UserPasses& passes) {
    std::set<std::string> taken;
    for (const RuleText& file : files)
        for (user::RewriteRule& rule : user::parse_rules(file.file, text_of_rules(file))) {
            if (!taken.insert(rule.name).second)
                user::fail_at(rule.file, rule.place,
                              "there is a rule " + quote(rule.name) + " already");
            const auto shared = std::make_shared<const user::RewriteRule>(std::move(rule));
            PassInfo info;
            info.name = passes.texts.emplace_back(std::string(user_pass_prefix) + shared->name);
            info.summary = passes.texts.emplace_back(shown_summary(*shared));
            info.level = Level::user;
            info.order = static_cast<int>(passes.entries.size());
            info.providers = "all";
            passes.entries.push_back(
                {info, [shared] { return PassBody{.rules = {rewrite_of(shared)}}; }});
        }
}

std::vector<Rule> rewrites_of(const RuleText& file) {
    std::vector<Rule> rules;
    for (user::RewriteRule& rule : user::parse_rules(file.file, text_of_rules(file)))
        rules.push_back(rewrite_of(std::make_shared<const user::RewriteRule>(std::move(rule))));
    return rules;
}

std::set<std::string> roots_of_rules(const RuleText& file) {
    std::set<std::string> roots;
    for (const user::RewriteRule& rule : user::parse_rules(file.file, text_of_rules(file)))
        roots.insert(rule.match.back().value->text);
    return roots;
}

std::vector<PassEntry> entries_with(const UserPasses& user) {
    const std::span<const PassEntry> own = pass_entries();
    std::vector<PassEntry> entries(own.begin(), own.end());
    const auto first = std::ranges::find_if(
        entries, [](const PassEntry& e) { return e.info.level != Level::disabled; });
    entries.insert(first, user.entries.begin(), user.entries.end());
    return entries;
}

std::vector<UserPass> user_passes(std::span<const RuleText> files) {
    UserPasses passes;
    add_user_passes(files, passes);
    std::vector<UserPass> out;
    for (const PassEntry& e : passes.entries)
        out.push_back({std::string(e.info.name), std::string(e.info.summary)});
    return out;
}

std::vector<std::string> unknown_rule_operators(std::span<const RuleText> files) {
    std::vector<std::string> sentences;
    for (const RuleText& file : files)
        for (const user::RewriteRule& rule : user::parse_rules(file.file, text_of_rules(file)))
            for (const auto* lines : {&rule.match, &rule.where, &rule.replace})
                for (const user::Statement& line : *lines)
                    add_unknown_operators(rule.file, *line.value, sentences);
    return sentences;
}

RuleText load_rules(const std::filesystem::path& file) {
    return {file.string(), load_text(file, most_rule_bytes)};
}

}  // namespace lapidary
