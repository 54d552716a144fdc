// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/node_choices.h"

#include <utility>

#include "workbench/jobs/quantizing.h"
#include "workbench/project/project.h"

namespace lapidary::views {

std::string ownTypeOf(const std::vector<std::string>& entries, const std::string& node) {
    const std::string beginning = node + '=';
    for (const std::string& entry : entries)
        if (entry.starts_with(beginning)) return entry.substr(beginning.size());
    return {};
}

std::vector<std::string> withOwnType(std::vector<std::string> entries, const std::string& node,
                                     const std::string& type) {
    const std::string beginning = node + '=';
    std::erase_if(entries, [&](const std::string& entry) { return entry.starts_with(beginning); });
    if (!type.empty()) entries.insert(entries.begin(), beginning + type);
    return entries;
}

bool canBeNamed(const std::string& node) {
    return !node.empty() && node.find_first_of("=,*") == std::string::npos;
}

NodeChoiceChange::NodeChoiceChange(app::Quantizing& quantizing, const QString& text, Choice after)
    : QUndoCommand(text), quantizing_(quantizing), before_(of(quantizing)),
      after_(std::move(after)) {}

int NodeChoiceChange::id() const { return app::cheap_change_id; }

NodeChoiceChange::Choice NodeChoiceChange::of(const app::Quantizing& quantizing) {
    return {quantizing.choice().keepFloat, quantizing.choice().weightsOf};
}

void NodeChoiceChange::apply(const Choice& choice) {
    app::QuantizeChoice changed = quantizing_.choice();
    changed.keepFloat = choice.keepFloat;
    changed.weightsOf = choice.weightsOf;
    quantizing_.setChoice(changed);
}

}  // namespace lapidary::views
