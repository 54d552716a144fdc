// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "advice/advice_checks.h"

namespace lapidary {
namespace {

// before it, axes are attributes and many fusions of others do not match
constexpr std::int64_t old_opset = 13;
// that the command of the check raises a model to where the target is not known
constexpr std::int64_t usual_opset = 21;

/// The check with a command that raises the opset to what the target reads.
Advice raised_for(Advice advice, std::int64_t target) {
    const std::string usual = "--opset " + std::to_string(usual_opset);
    if (const std::size_t at = advice.command.find(usual); target > 0 && at != std::string::npos)
        advice.command.replace(at, usual.size(),
                               "--opset " + std::to_string(std::min(target, usual_opset)));
    return with_page(std::move(advice), "optimize");
}

/// Operators that the opset lacks and the target's has; null: there are none.
const ExportFinding* missing_operators(const AdviceInput& in) {
    // operators that a level put in their place need no newer opset
    const bool is_fused = !in.is_original && in.report && in.report->level >= Level::extended;
    const ExportFinding* missing =
        in.triage && !is_fused ? in.triage->find(ExportDefect::older_than_operator) : nullptr;
    const auto is_read = [&](const ExportPlace& place) {
        return place.words.size() < 2 || std::stoll(place.words[1]) <= in.target_opset;
    };
    const bool are_read =
        missing && (in.target_opset <= 0 || std::ranges::all_of(missing->places, is_read));
    return are_read ? missing : nullptr;
}

std::string portability_text(const Requirement& requirement, const AdviceTexts& texts) {
    if (requirement.kind == Requirement::Kind::onnx)
        return texts.finding("portability", "onnx", {sentence(requirement.sentence)});
    std::vector<std::string> names;
    std::size_t count = 0;
    for (const auto& [name, nodes] : requirement.operators) names.push_back(name), count += nodes;
    return texts.finding("portability", "others",
                         {count_of(count), few_words(names), sentence(requirement.sentence)});
}

}  // namespace

std::string portability_finding(const Requirement& requirement, const AdviceLanguage& language) {
    return portability_text(requirement, AdviceTexts(language));
}

Advice check_portability(const AdviceCase& about) {
    const Requirement& requirement = about.in.facts->requirement;
    const bool anywhere = requirement.kind == Requirement::Kind::onnx;
    Advice found = about.found(
        "portability", anywhere ? AdviceState::done : AdviceState::worth_doing,
        anywhere ? "onnx" : "others", {count_of(0), words({}), sentence(requirement.sentence)});
    found.finding = portability_text(requirement, about.texts);
    return anywhere ? found : with_page(std::move(found), "optimize");
}

Advice check_opset(const AdviceCase& about) {
    const auto number = [](std::int64_t opset) {
        return count_of(static_cast<std::size_t>(opset));
    };
    const std::int64_t opset = about.in.facts->opset, target = about.in.target_opset;
    if (opset <= 0) return about.found("opset", AdviceState::no_gain, "none");
    if (target > 0 && opset > target) {
        Advice found = about.found("opset", AdviceState::worth_doing, "too_new",
                                   {number(opset), number(target)});
        found.how = about.texts.finding("opset", "too_new_how", {number(target)});
        found.command.clear();  // none of ours lowers an opset
        return found;
    }
    if (opset < old_opset && (target <= 0 || target >= old_opset))
        return raised_for(about.found("opset", AdviceState::worth_doing, "old",
                                      {number(opset), number(old_opset)}),
                          target);
    if (const ExportFinding* missing = missing_operators(about.in)) {
        Advice found = raised_for(about.found("opset", AdviceState::worth_doing, "missing",
                                              {count_of(missing->count), number(opset),
                                               words(missing->places.front().text)}),
                                  target);
        about.add_places(found, *missing);
        found.finding += " " + found.places.front().reason;
        return found;
    }
    if (target > 0)
        return about.found("opset", AdviceState::done, "fits", {number(opset), number(target)});
    return about.found("opset", AdviceState::no_gain, "recent", {number(opset)});
}

Advice check_endings(const AdviceCase& about) {
    const ModelFacts& facts = *about.in.facts;
    if (facts.unread_inputs.empty() && facts.idle_outputs.empty())
        return about.found("endings", AdviceState::no_gain,
                           facts.unread_defaults > 0 ? "unread_defaults" : "fine",
                           {count_of(facts.unread_defaults)});
    const bool both = !facts.unread_inputs.empty() && !facts.idle_outputs.empty();
    return with_page(about.found("endings", AdviceState::worth_doing,
                                 both                          ? "both"
                                 : facts.unread_inputs.empty() ? "idle"
                                                               : "unread",
                                 {few_words(facts.unread_inputs), few_words(facts.idle_outputs)}),
                     "graph");
}

Advice check_precision(const AdviceCase& about) {
    const ModelFacts& facts = *about.in.facts;
    const std::size_t all = facts.double_values + facts.half_values + facts.float_values;
    if (all == 0) return about.found("precision", AdviceState::no_gain, "none");
    if (facts.double_values > 0) {
        Advice found = about.found("precision", AdviceState::worth_doing, "double",
                                   {count_of(facts.double_values), count_of(all)});
        if (about.in.triage)
            if (const ExportFinding* begin = about.in.triage->find(ExportDefect::double_precision))
                about.add_places(found, *begin);
        if (!found.places.empty())
            found.finding +=
                " " +
                about.texts.finding("precision", "first", {words(found.places.front().text)}) +
                " " + found.places.front().reason;
        return found.places.empty() ? with_page(std::move(found), "graph") : found;
    }
    if (facts.half_values > 0)
        return with_page(about.found("precision", AdviceState::worth_doing, "half",
                                     {count_of(facts.half_values), count_of(all)}),
                         "run");
    return about.found("precision", AdviceState::no_gain, "single", {count_of(all)});
}

}  // namespace lapidary
