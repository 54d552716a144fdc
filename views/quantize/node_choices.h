// SPDX-License-Identifier: GPL-3.0-or-later
// What the user chooses for single nodes, type of the weights or float, with undo.
#pragma once

#include <QString>
#include <QUndoCommand>

#include <set>
#include <string>
#include <vector>

namespace lapidary::app {
class Quantizing;
}

namespace lapidary::views {

/// The type that entries such as "conv1=s8" (QuantizeOptions::weights_of) give a node by its whole
/// name: "s8"; empty: none does.
std::string ownTypeOf(const std::vector<std::string>& entries, const std::string& node);

/// The entries with another type for the nodes, in front of patterns, of which the first that fits
/// counts. Empty: without types of their own. canBeNamed() holds for each node.
std::vector<std::string> withOwnTypes(std::vector<std::string> entries,
                                      const std::set<std::string>& nodes, const std::string& type);

/// Whether an entry can name the node: the name holds none of the characters of entries.
bool canBeNamed(const std::string& node);

/// Changes which nodes are kept float and which weights have types of their own, and back.
class NodeChoiceChange : public QUndoCommand {
public:
    struct Choice {
        std::vector<std::string> keepFloat, weightsOf;  // as in app::QuantizeChoice
        friend bool operator==(const Choice&, const Choice&) = default;
    };
    NodeChoiceChange(app::Quantizing& quantizing, const QString& text, Choice after);
    void undo() override { apply(before_); }
    void redo() override { apply(after_); }
    int id() const override;
    /// That of Quantizing now.
    static Choice of(const app::Quantizing& quantizing);

private:
    void apply(const Choice& choice);
    app::Quantizing& quantizing_;
    Choice before_, after_;
};

}  // namespace lapidary::views
