// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/key_map.h"

#include <QCoreApplication>
#include <QSettings>

#include <algorithm>

#include "widgets/text/mnemonics.h"

namespace lapidary::views {
namespace {

QString key_words(const char* text) { return QCoreApplication::translate("KeyMap", text); }

QString shown(const QKeySequence& key) { return key.toString(QKeySequence::NativeText); }

bool overlap(const QKeySequence& one, const QKeySequence& two) {
    return one.matches(two) != QKeySequence::NoMatch || two.matches(one) != QKeySequence::NoMatch;
}

/// Whether fields, tables and menus leave the key to commands.
bool isFree(const QKeySequence& key) {
    const QKeyCombination first = key[0];
    const Qt::KeyboardModifiers held = first.keyboardModifiers() & ~Qt::KeypadModifier;
    if (first.key() >= Qt::Key_F1 && first.key() <= Qt::Key_F35) return true;
    if (!(held & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) return false;
    const bool isLetter = first.key() >= Qt::Key_A && first.key() <= Qt::Key_Z;
    if (held == Qt::AltModifier && isLetter) return false;  // opens a menu
    return std::ranges::none_of(
        std::initializer_list<QKeySequence::StandardKey>{
            QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste, QKeySequence::SelectAll},
        [&key](QKeySequence::StandardKey standard) {
            return QKeySequence::keyBindings(standard).contains(key);
        });
}

}  // namespace

/// Texts of commands are translated: the usual key names a command in all languages. "/" would
/// divide the name in the settings.
QString KeyMap::Entry::id() const {
    return (page.isEmpty() ? QStringLiteral("window") : page) + u'-' +
           usual.first().toString(QKeySequence::PortableText).replace(u'/', QStringLiteral("%2F"));
}

void KeyMap::add(QAction* action, const QString& page) {
    if (!action->shortcuts().isEmpty() && !has(action))
        entries_.push_back({action, page, action->shortcuts()});
}

void KeyMap::load() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("keys"));
    for (const Entry& entry : entries_) {
        const QVariant kept = settings.value(entry.id());
        // a list, which a comma makes of a line that was written by hand, is no key
        if (kept.typeId() != QMetaType::QString) continue;
        const auto key = QKeySequence::fromString(kept.toString(), QKeySequence::PortableText);
        apply(entry, key.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{key});
    }
    for (bool again = true; again;) {
        again = false;
        for (const Entry& entry : entries_) {
            if (!entry.isChanged() || whyNot(entry, entry.action->shortcuts()).isEmpty()) continue;
            apply(entry, entry.usual);
            again = true;
        }
    }
}

bool KeyMap::has(const QAction* action) const { return find(action) != nullptr; }

bool KeyMap::isChanged(const QAction* action) const {
    const Entry* entry = find(action);
    return entry && entry->isChanged();
}

QString KeyMap::setKey(QAction* action, const QKeySequence& key) {
    const Entry* entry = find(action);
    if (!entry) return key_words(QT_TRANSLATE_NOOP("KeyMap", "This key cannot be changed."));
    QList<QKeySequence> keys;
    if (!key.isEmpty()) keys << key;
    if (QString why = whyNot(*entry, keys); !why.isEmpty()) return why;
    apply(*entry, keys);
    QSettings settings;
    settings.beginGroup(QStringLiteral("keys"));
    if (entry->isChanged())
        settings.setValue(entry->id(), key.toString(QKeySequence::PortableText));
    else settings.remove(entry->id());
    return {};
}

QString KeyMap::reset(QAction* action) {
    const Entry* entry = find(action);
    if (!entry) return {};
    if (QString why = whyNot(*entry, entry->usual); !why.isEmpty()) return why;
    apply(*entry, entry->usual);
    QSettings settings;
    settings.beginGroup(QStringLiteral("keys"));
    settings.remove(entry->id());
    return {};
}

void KeyMap::resetAll() {
    for (const Entry& entry : entries_) apply(entry, entry.usual);
    QSettings settings;
    settings.beginGroup(QStringLiteral("keys"));
    settings.remove(QString());  // all of the group
}

const KeyMap::Entry* KeyMap::find(const QAction* action) const {
    const auto at = std::ranges::find(entries_, action, &Entry::action);
    return at == entries_.end() ? nullptr : &*at;
}

/// The command that has this key, or one that begins with it, where the other one works too; null:
/// there is none.
const QAction* KeyMap::ownerOf(const QKeySequence& key, const Entry& besides) const {
    for (const Entry& entry : entries_) {
        if (&entry == &besides) continue;
        if (!entry.page.isEmpty() && !besides.page.isEmpty() && entry.page != besides.page)
            continue;
        for (const QKeySequence& taken : entry.action->shortcuts())
            if (overlap(key, taken)) return entry.action;
    }
    return nullptr;
}

QString KeyMap::whyNot(const Entry& entry, const QList<QKeySequence>& keys) const {
    for (const QKeySequence& key : keys) {
        if (!entry.usual.contains(key) && !isFree(key))
            return key_words(QT_TRANSLATE_NOOP("KeyMap",
                                               "%1 is left to fields, tables and menus: choose "
                                               "a key with Ctrl, or one of F1 to F12."))
                .arg(shown(key));
        if (const QAction* owner = ownerOf(key, entry))
            return key_words(QT_TRANSLATE_NOOP("KeyMap",
                                               "%1 is the key of “%2”: give that another one "
                                               "first."))
                .arg(shown(key), withoutMnemonic(owner->text()));
    }
    return {};
}

/// Sets the keys, and names the new one in the tool tip where that named the old one.
void KeyMap::apply(const Entry& entry, const QList<QKeySequence>& keys) {
    QAction& action = *entry.action;
    const auto named = [](const QKeySequence& key) {
        return key.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(shown(key));
    };
    const QString before = named(action.shortcut());
    action.setShortcuts(keys);
    QString tip = action.toolTip();
    const QString after = named(action.shortcut());
    if (before.isEmpty() && action.statusTip() == tip) action.setToolTip(tip + after);
    else if (!before.isEmpty() && tip.contains(before))
        action.setToolTip(tip.replace(before, after));
}

}  // namespace lapidary::views
