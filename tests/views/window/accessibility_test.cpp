// SPDX-License-Identifier: Apache-2.0
// The window as a screen reader meets it: every page's accessibility tree is walked, and the window
// is driven through it.
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>

#include <functional>
#include <set>

#include "widgets/plot/picture_export.h"
#include "widgets/plot/plot.h"
#include "widgets/table/table_export.h"
#include "widgets/table/table_view.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

bool isInteractive(QAccessible::Role role) {
    switch (role) {
    case QAccessible::Button:
    case QAccessible::ButtonMenu:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::ComboBox:
    case QAccessible::EditableText:
    case QAccessible::SpinBox:
    case QAccessible::Slider:
    case QAccessible::Dial:
    case QAccessible::Table:
    case QAccessible::Tree:
    case QAccessible::List:
    case QAccessible::PageTab:
    case QAccessible::MenuItem:
    case QAccessible::ButtonDropDown:
    case QAccessible::Link:
    case QAccessible::PageTabList: return true;
    default: return false;
    }
}

bool holdsItems(QAccessible::Role role) {
    return role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::List;
}

/// Every visible element with its path of names.
void walk(QAccessibleInterface* element, const QString& path,
          const std::function<void(QAccessibleInterface&, const QString&)>& take) {
    if (!element || !element->isValid() || element->state().invisible) return;
    QString here = element->text(QAccessible::Name);
    if (here.isEmpty() && element->object())
        here = QString::fromLatin1(element->object()->metaObject()->className()) + u'#' +
               element->object()->objectName();
    const QString whole = path + u'/' + here;
    take(*element, whole);
    if (holdsItems(element->role())) return;
    for (int i = 0; i < element->childCount(); ++i) walk(element->child(i), whole, take);
}

/// Parts of a control that is named itself.
bool isPartOfANamedControl(QAccessibleInterface& element) {
    QAccessibleInterface* parent = element.parent();
    if (!parent) return false;
    const auto role = parent->role();
    const bool control = role == QAccessible::SpinBox || role == QAccessible::ComboBox ||
                         role == QAccessible::EditableText;
    return control && !parent->text(QAccessible::Name).isEmpty();
}

class AccessibilityTest : public WindowTest {
protected:
    void SetUp() override {
        QAccessible::setActive(true);
        WindowTest::SetUp();
    }
    QAccessibleInterface* top() { return QAccessible::queryAccessibleInterface(window_.get()); }
    QAccessibleInterface* named(const QString& name, std::set<QAccessible::Role> roles) {
        QAccessibleInterface* found = nullptr;
        walk(top(), {}, [&](QAccessibleInterface& element, const QString&) {
            if (!found && roles.contains(element.role()) && element.text(QAccessible::Name) == name)
                found = &element;
        });
        return found;
    }
    void press(const QString& name) {
        QAccessibleInterface* element =
            named(name, {QAccessible::Button, QAccessible::CheckBox, QAccessible::RadioButton,
                         QAccessible::PageTab, QAccessible::ButtonMenu});
        ASSERT_NE(element, nullptr) << "nothing to press is called " << name.toStdString();
        QAccessibleActionInterface* actions = element->actionInterface();
        ASSERT_NE(actions, nullptr) << name.toStdString();
        const QStringList names = actions->actionNames();
        for (const QString& action : {QAccessibleActionInterface::pressAction(),
                                      QAccessibleActionInterface::toggleAction()})
            if (names.contains(action)) return actions->doAction(action);
        FAIL() << name.toStdString() << " cannot be pressed: " << names.join(u' ').toStdString();
    }
    std::set<std::string> nameless(const QString& page) {
        std::set<std::string> found;
        walk(top(), {}, [&](QAccessibleInterface& element, const QString& path) {
            const auto* widget = qobject_cast<QWidget*>(element.object());
            const bool canvas = widget && (widget->focusPolicy() & Qt::TabFocus) &&
                                element.role() == QAccessible::Client;
            if (!isInteractive(element.role()) && !canvas) return;
            if (!element.text(QAccessible::Name).isEmpty() || isPartOfANamedControl(element))
                return;
            const QString name = element.object() ? element.object()->objectName() : QString();
            if (name.startsWith(QLatin1String("qt_"))) return;  // inner parts of Qt's own widgets
            found.insert((page + path).toStdString());
        });
        return found;
    }
    static std::string listed(const std::set<std::string>& names) {
        std::string text;
        for (const auto& name : names) text += "\n  " + name;
        return text;
    }
};

TEST_F(AccessibilityTest, EveryInteractiveElementHasAName) {
    std::set<std::string> missing;
    const auto visit = [&](const QString& when) {
        for (const QString& id : window_->pageIds()) {
            window_->showPage(id);
            QTest::qWait(50);
            std::vector<QTabWidget*> tabs;
            for (auto* widget : window_->page(id)->findChildren<QTabWidget*>())
                tabs.push_back(widget);
            missing.merge(nameless(when + id));
            for (QTabWidget* widget : tabs) {
                const int shown = widget->currentIndex();
                for (int i = 0; i < widget->count(); ++i) {
                    widget->setCurrentIndex(i);
                    QTest::qWait(20);
                    missing.merge(nameless(when + id));
                }
                widget->setCurrentIndex(shown);
            }
        }
    };
    visit(QStringLiteral("empty "));
    openSample("bert-tiny");
    showDocks();
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(waitFor([&] {
        return workbench_->variants().list().size() >= 4 && workbench_->jobs().jobs().isEmpty();
    }));
    runModel();
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    visit(QStringLiteral("full "));
    EXPECT_TRUE(missing.empty()) << "without a name:" << listed(missing);
}

TEST_F(AccessibilityTest, TheWindowIsDrivenThroughTheTree) {
    openSample("bert-tiny");
    showDocks();
    press(QStringLiteral("Page Optimize"));
    // pressing is animated
    EXPECT_TRUE(waitFor([&] { return window_->currentPage() == QLatin1String("optimize"); }));
    ASSERT_TRUE(waitFor([&] {
        return workbench_->variants().list().size() >= 4 && workbench_->jobs().jobs().isEmpty();
    }));
    press(QStringLiteral("Page Run"));
    ASSERT_TRUE(waitFor([&] { return window_->currentPage() == QLatin1String("run"); }));
    // of the empty page, the toolbar or the settings: all of them run
    press(QStringLiteral("Run"));
    ASSERT_TRUE(waitFor([&] { return runPage()->state() == RunPage::State::done; }));
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));

    QAccessibleInterface* table =
        named(QStringLiteral("Time by operator"), {QAccessible::Table, QAccessible::Tree});
    ASSERT_NE(table, nullptr);
    ASSERT_NE(table->tableInterface(), nullptr);
    ASSERT_GT(table->tableInterface()->rowCount(), 1);
    QAccessibleInterface* cell = table->tableInterface()->cellAt(1, 0);
    ASSERT_NE(cell, nullptr);
    EXPECT_FALSE(cell->text(QAccessible::Name).isEmpty());
    ASSERT_TRUE(table->tableInterface()->selectRow(1));
    const auto* view = qobject_cast<QAbstractItemView*>(table->object());
    ASSERT_NE(view, nullptr);
    ASSERT_FALSE(view->selectionModel()->selectedRows().isEmpty());
    EXPECT_EQ(view->selectionModel()->selectedRows().first().row(), 1);

    press(QStringLiteral("Page Compare"));
    EXPECT_TRUE(waitFor([&] { return window_->currentPage() == QLatin1String("compare"); }));
}

// "Copy and export of any table and plot."
TEST_F(AccessibilityTest, EveryTableAndPlotCanBeCopiedOrExported) {
    openSample("bert-tiny");
    showDocks();
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(waitFor([&] {
        return workbench_->variants().list().size() >= 4 && workbench_->jobs().jobs().isEmpty();
    }));
    runModel();
    std::set<std::string> tables, plots;
    for (auto* view : window_->findChildren<QAbstractItemView*>()) {
        // Lists to choose from are no tables: those of combo boxes and the command palette, trees
        // of places in the graph.
        if (view->parent() && (view->parent()->inherits("QComboBoxPrivateContainer") ||
                               view->window() != window_.get()))
            continue;
        if (view->inherits("QListView") || view->inherits("QHeaderView")) continue;
        if (!offersTable(*view))
            tables.insert(view->metaObject()->className() +
                          (" " + view->objectName().toStdString()));
    }
    for (auto* plot : window_->findChildren<Plot*>())
        if (!offersPicture(*plot)) plots.insert(plot->accessibleName().toStdString());
    for (auto* canvas : window_->findChildren<QWidget*>())
        if (canvas->objectName().endsWith(QLatin1String("Canvas")) &&
            !canvas->objectName().startsWith(QLatin1String("qt_")) && !offersPicture(*canvas))
            plots.insert(canvas->objectName().toStdString());
    EXPECT_TRUE(tables.empty()) << "tables that cannot be exported:" << listed(tables);
    EXPECT_TRUE(plots.empty()) << "pictures that cannot be saved:" << listed(plots);
}

}  // namespace
}  // namespace lapidary::views
