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

std::vector<std::string> withOwnTypes(std::vector<std::string> entries,
                                      const std::set<std::string>& nodes, const std::string& type) {
    std::erase_if(entries, [&](const std::string& entry) {
        return nodes.contains(entry.substr(0, entry.find('=')));
    });
    std::vector<std::string> all;
    if (!type.empty())
        for (const std::string& node : nodes) all.push_back(node + '=' + type);
    all.insert(all.end(), entries.begin(), entries.end());
    return all;
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
