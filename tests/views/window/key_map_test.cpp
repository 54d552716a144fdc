// SPDX-License-Identifier: Apache-2.0
// Keys of commands are changed in the sheet of keys, remembered, and never mean two things.
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>

#include "views/window_fixture.h"
#include "window/help/key_editor.h"
#include "window/help/shortcut_sheet.h"

namespace lapidary::views {
namespace {

class KeyMapTest : public WindowTest {
protected:
    /// Opens the sheet and shows this command in its editor.
    void edit(const QString& name) {
        command(QStringLiteral("Keyboard shortcuts"))->trigger();
        sheet_ = window_->findChild<ShortcutSheet*>();
        ASSERT_TRUE(sheet_);
        action_ = command(name);
        auto* table = sheet_->findChild<TableView*>(QStringLiteral("shortcutTable"));
        for (int line = 0; line < sheet_->model().rowCount(); ++line)
            if (sheet_->model().row(line).action == action_)
                table->setCurrentIndex(sheet_->model().index(line, 0));
        ASSERT_TRUE(button("setKey")->isEnabled());
    }
    void restart() {
        window_.reset();
        window_ = std::make_unique<MainWindow>(*workbench_);
    }
    QPushButton* button(const char* name) const {
        return sheet_->findChild<QPushButton*>(QString::fromLatin1(name));
    }
    void press(const QKeySequence& key) {
        sheet_->findChild<QKeySequenceEdit*>(QStringLiteral("keyField"))->setKeySequence(key);
        button("setKey")->click();
    }
    /// Why the key was refused; empty: it was not.
    QString refusal() const {
        const auto* label = sheet_->findChild<QLabel*>(QStringLiteral("keyProblem"));
        return label->isHidden() ? QString() : label->text();
    }
    QString listedKeys() const {
        for (int line = 0; line < sheet_->model().rowCount(); ++line)
            if (sheet_->model().row(line).action == action_) return sheet_->model().row(line).keys;
        return QStringLiteral("not listed");
    }
    ShortcutSheet* sheet_ = nullptr;
    QAction* action_ = nullptr;
};

const QString changed_command = QStringLiteral("Save trace …");
const QKeySequence usual_key(Qt::CTRL | Qt::Key_T);
const QKeySequence new_key(Qt::CTRL | Qt::Key_F9);

TEST_F(KeyMapTest, AChangedKeyIsShownAndRemembered) {
    edit(changed_command);
    EXPECT_FALSE(button("usualKey")->isEnabled());
    press(new_key);
    EXPECT_EQ(refusal(), QString());
    EXPECT_EQ(action_->shortcuts(), QList<QKeySequence>{new_key});
    EXPECT_EQ(listedKeys(), new_key.toString(QKeySequence::NativeText));
    EXPECT_TRUE(action_->toolTip().contains(new_key.toString(QKeySequence::NativeText)))
        << action_->toolTip().toStdString();
    restart();
    EXPECT_EQ(command(changed_command)->shortcut(), new_key) << "in the next window";
    edit(changed_command);
    EXPECT_TRUE(button("usualKey")->isEnabled());
    button("usualKey")->click();
    EXPECT_EQ(action_->shortcut(), usual_key);
    restart();
    EXPECT_EQ(command(changed_command)->shortcut(), usual_key);
}

TEST_F(KeyMapTest, ACommandWithoutAKeyStaysListed) {
    edit(changed_command);
    press({});
    EXPECT_TRUE(action_->shortcuts().isEmpty());
    EXPECT_EQ(listedKeys(), QString());
    restart();
    EXPECT_TRUE(command(changed_command)->shortcuts().isEmpty());
    edit(changed_command);
    button("allUsualKeys")->click();
    EXPECT_EQ(action_->shortcut(), usual_key);
}

TEST_F(KeyMapTest, KeysThatAreTakenAreRefused) {
    edit(changed_command);
    press(QKeySequence::Open);
    EXPECT_TRUE(refusal().contains(QStringLiteral("Open …"))) << refusal().toStdString();
    for (const QKeySequence& key :
         {QKeySequence(Qt::Key_X), QKeySequence(Qt::ALT | Qt::Key_F),
          QKeySequence(Qt::CTRL | Qt::Key_C), QKeySequence(Qt::SHIFT | Qt::Key_Delete)}) {
        press(new_key);
        EXPECT_EQ(refusal(), QString());
        press(key);
        EXPECT_NE(refusal(), QString()) << key.toString().toStdString();
        EXPECT_EQ(action_->shortcut(), new_key);
    }
    press(QKeySequence(Qt::Key_F12));
    EXPECT_EQ(refusal(), QString());
}

TEST_F(KeyMapTest, AUsualKeyThatAnotherHasNowIsNotTakenBack) {
    edit(changed_command);
    press(new_key);
    QAction* save = command(QStringLiteral("Save project"));
    sheet_->findChild<KeyEditor*>()->edit(save);
    press(usual_key);
    EXPECT_EQ(save->shortcut(), usual_key);
    sheet_->findChild<KeyEditor*>()->edit(action_);
    button("usualKey")->click();
    EXPECT_TRUE(refusal().contains(QStringLiteral("Save project"))) << refusal().toStdString();
    EXPECT_EQ(action_->shortcut(), new_key);
    button("allUsualKeys")->click();
    EXPECT_EQ(action_->shortcut(), usual_key);
    EXPECT_EQ(save->shortcut(), QKeySequence(QKeySequence::Save));
}

// A key that a later version gives another command: both may be in the settings.
TEST_F(KeyMapTest, SettingsWithAKeyOfTwoCommandsGiveItToOne) {
    QAction one(QStringLiteral("one")), two(QStringLiteral("two"));
    one.setShortcut(Qt::Key_F6);
    two.setShortcut(Qt::Key_F7);
    QSettings settings;
    settings.setValue(QStringLiteral("keys/window-F6"), QStringLiteral("F8"));
    settings.setValue(QStringLiteral("keys/window-F7"), QStringLiteral("F8"));
    KeyMap keys;
    keys.add(&one, {});
    keys.add(&two, {});
    keys.load();
    EXPECT_NE(one.shortcut(), two.shortcut());
    EXPECT_TRUE(keys.isChanged(&one) != keys.isChanged(&two));
}

// A line of the settings with commas in it is read as a list.
TEST_F(KeyMapTest, SettingsWithAListInPlaceOfAKeyChangeNothing) {
    QAction save(QStringLiteral("save"));
    save.setShortcut(Qt::CTRL | Qt::Key_S);
    QSettings().setValue(QStringLiteral("keys/window-Ctrl+S"),
                         QStringList{QStringLiteral("Ctrl+S"), QStringLiteral("Ctrl+S")});
    KeyMap keys;
    keys.add(&save, {});
    keys.load();
    EXPECT_EQ(save.shortcut(), QKeySequence(Qt::CTRL | Qt::Key_S));
    EXPECT_FALSE(keys.isChanged(&save));
}

TEST_F(KeyMapTest, PagesMayHaveTheSameKey) {
    QAction one(QStringLiteral("one")), two(QStringLiteral("two")), all(QStringLiteral("all"));
    one.setShortcut(Qt::Key_F6);
    two.setShortcut(Qt::Key_F7);
    all.setShortcut(Qt::Key_F8);
    KeyMap keys;
    keys.add(&one, QStringLiteral("graph"));
    keys.add(&two, QStringLiteral("run"));
    keys.add(&all, {});
    EXPECT_EQ(keys.setKey(&two, QKeySequence(Qt::Key_F6)), QString());
    EXPECT_NE(keys.setKey(&two, QKeySequence(Qt::Key_F8)), QString());
    EXPECT_EQ(two.shortcut(), QKeySequence(Qt::Key_F6));
}

}  // namespace
}  // namespace lapidary::views
