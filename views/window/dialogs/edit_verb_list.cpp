// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/edit_verb_list.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <lapidary/edit/edit_verbs.h>

#include "models/sorted_table_model.h"
#include "theme/theme.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/edit_words.h"

namespace lapidary::views {
namespace {

constexpr int verbFormRole = Qt::UserRole;  // of a group: empty
constexpr int verbHelpRole = Qt::UserRole + 1;

struct VerbGroup {
    const char* name;
    /// What its forms begin with, each with a space behind, one after another.
    std::vector<std::string_view> begins;
};

/// The first group that fits has a form. Forms that no group names are in the first.
const std::vector<VerbGroup>& verbGroups() {
    static const std::vector<VerbGroup> all{
        {QT_TRANSLATE_NOOP("lapidary::views::EditVerbList", "Nodes"), {}},
        {QT_TRANSLATE_NOOP("lapidary::views::EditVerbList", "Names and connections"),
         {"rename ", "connect ", "disconnect "}},
        {QT_TRANSLATE_NOOP("lapidary::views::EditVerbList", "Inputs and outputs"),
         {"output ", "remove ", "keep ", "type ", "constant ", "input ", "order ", "dim ",
          "free "}},
        {QT_TRANSLATE_NOOP("lapidary::views::EditVerbList", "Weights and element types"),
         {"weight ", "cast "}},
        {QT_TRANSLATE_NOOP("lapidary::views::EditVerbList", "Parts of models"),
         {"extract ", "split at ", "join ", "in "}},
        {QT_TRANSLATE_NOOP("lapidary::views::EditVerbList", "Before inputs and behind outputs"),
         {"wrap "}},
        {QT_TRANSLATE_NOOP("lapidary::views::EditVerbList", "The model as a whole"),
         {"opset ", "rules ", "metadata ", "model "}}};
    return all;
}

std::size_t verbGroupOf(std::string_view form) {
    const auto names = [&](const VerbGroup& group) {
        return std::ranges::any_of(group.begins,
                                   [&](std::string_view begin) { return form.starts_with(begin); });
    };
    const auto found = std::ranges::find_if(verbGroups(), names);
    return found == verbGroups().end() ? 0 : static_cast<std::size_t>(found - verbGroups().begin());
}

bool isVerbGroup(const QTreeWidgetItem& row) {
    return row.data(0, verbFormRole).toString().isEmpty();
}

/// How well a form fits words that it or its help has.
int fitOf(const QTreeWidgetItem& row, const QString& words) {
    const QString form = row.text(0);
    if (form.startsWith(words, Qt::CaseInsensitive)) return 2;
    return form.contains(words, Qt::CaseInsensitive) ? 1 : 0;
}

}  // namespace

EditVerbList::EditVerbList(QWidget* parent) : QTreeWidget(parent) {
    setRootIsDecorated(false);
    for (std::size_t i = 0; i < verbGroups().size(); ++i) {
        auto* group = new QTreeWidgetItem(this, {tr(verbGroups()[i].name)});
        QFont bold = font();
        bold.setBold(true);
        group->setFont(0, bold);
        group->setFlags(Qt::NoItemFlags);
        for (const EditVerb& verb : edit_verbs()) {
            if (verbGroupOf(verb.form) != i) continue;
            auto* row = new QTreeWidgetItem(this, {labelText(verb.form)});
            row->setData(0, verbFormRole, exactText(verb.form));
            row->setFont(0, monospaceFont());
            const QString help = app::editHelp(verb.help).replace(u'`', u'"');
            row->setToolTip(0, plainToolTip(help));
            row->setData(0, verbHelpRole, help);
        }
    }
}

QString EditVerbList::form() const {
    const QTreeWidgetItem* row = currentItem();
    return row && !row->isHidden() ? row->data(0, verbFormRole).toString() : QString();
}

QString EditVerbList::help() const {
    const QTreeWidgetItem* row = currentItem();
    return row ? row->data(0, verbHelpRole).toString() : QString();
}

void EditVerbList::filter(const QString& words) {
    const QString wanted = words.trimmed();
    QTreeWidgetItem *best = nullptr, *group = nullptr;
    for (int i = 0; i < topLevelItemCount(); ++i) {
        QTreeWidgetItem* row = topLevelItem(i);
        if (isVerbGroup(*row)) {
            group = row;
            group->setHidden(true);
            continue;
        }
        const QString all = row->text(0) + u' ' + row->data(0, verbHelpRole).toString();
        row->setHidden(!all.contains(wanted, Qt::CaseInsensitive));
        if (row->isHidden()) continue;
        if (group) group->setHidden(false);
        if (!best || fitOf(*row, wanted) > fitOf(*best, wanted)) best = row;
    }
    if (wanted.isEmpty() || !best) return;
    setCurrentItem(best);
    scrollToItem(best);
}

void EditVerbList::enter() {
    for (int i = 0; i < topLevelItemCount() && !currentItem(); ++i)
        if (QTreeWidgetItem* row = topLevelItem(i); !isVerbGroup(*row) && !row->isHidden())
            setCurrentItem(row);
    setFocus();
}

}  // namespace lapidary::views
