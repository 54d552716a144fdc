// SPDX-License-Identifier: Apache-2.0
// What's This: an answer for every control of every page, by mouse and by keyboard; the glossary
// behind the pages.
#include <QTabWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QWhatsThis>

#include "window/help/help_menu.h"
#include "window/help/help_window.h"
#include "window/dialogs/settings_dialog.h"
#include "window/help/whats_this.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class WhatsThisTest : public WindowTest {
protected:
    static constexpr int leastText = 30;  // characters, more than a name
    static QString pathOf(const QWidget* widget) {
        QStringList names;
        for (; widget; widget = widget->parentWidget())
            names.prepend(QString::fromLatin1(widget->metaObject()->className()) + u'#' +
                          widget->objectName());
        return names.join(u'/');
    }
    /// Every visible control in it has something to say; counts them.
    static int judge(const QWidget& in) {
        int controls = 0;
        for (const QWidget* widget : in.findChildren<QWidget*>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus)) continue;
            ++controls;
            const QString text = WhatsThis::textFor(*widget);
            EXPECT_GE(text.size(), leastText)
                << pathOf(widget).toStdString() << ": " << text.toStdString();
        }
        return controls;
    }
};

TEST_F(WhatsThisTest, EveryControlOfEveryPageHasAnAnswer) {
    openSample("bert-tiny");
    showDocks();
    runModel();
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(waitFor(
        [&] { return workbench_->variants().isIdle() && workbench_->jobs().jobs().isEmpty(); }));
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
        EXPECT_GT(judge(*window_->page(id)), 0) << id.toStdString();
        for (auto* tabs : window_->page(id)->findChildren<QTabWidget*>())
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                judge(*tabs);
            }
    }
    EXPECT_GT(judge(*window_), 10) << "toolbar, rail and docks";
}

TEST_F(WhatsThisTest, LinksLeadToPagesOfTheHelp) {
    openSample("mlp");
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        const QString text = WhatsThis::textFor(*window_->page(id)->findChild<QWidget*>());
        if (!text.isEmpty()) {
            EXPECT_TRUE(text.contains(QStringLiteral("href=\"page-%1\"").arg(id)))
                << text.toStdString();
        }
    }
    SettingsDialog dialog(*workbench_, window_.get());
    dialog.open();
    const QString text =
        WhatsThis::textFor(*dialog.findChild<QWidget*>(QStringLiteral("threadsSetting")));
    EXPECT_TRUE(text.contains(QStringLiteral("href=\"settings\""))) << text.toStdString();
    EXPECT_GT(judge(dialog), 8);
}

TEST_F(WhatsThisTest, ShiftF1ExplainsTheControlWithTheKeyboard) {
    openSample("mlp");
    window_->showPage(QStringLiteral("graph"));
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience_ms));
    auto* canvas = find<QWidget>("graphCanvas");
    canvas->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_F1, Qt::ShiftModifier);
    const auto shown = [] {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (widget->isVisible() && widget->inherits("QWhatsThat")) return widget;
        return static_cast<QWidget*>(nullptr);
    };
    ASSERT_TRUE(waitFor([&] { return shown() != nullptr; }));
    QWhatsThis::hideText();
    command(QStringLiteral("What's this?"))->trigger();
    EXPECT_TRUE(QWhatsThis::inWhatsThisMode());
    QWhatsThis::leaveWhatsThisMode();
}

TEST_F(WhatsThisTest, APopupsLinkOpensTheHelp) {
    openSample("mlp");
    QWhatsThisClickedEvent click(QStringLiteral("page-memory"));
    QCoreApplication::sendEvent(window_.get(), &click);
    ASSERT_TRUE(find<HelpMenu>("helpMenu")->helpWindow());
    EXPECT_EQ(find<HelpMenu>("helpMenu")->helpWindow()->currentPage(),
              QStringLiteral("page-memory"));
}

TEST_F(WhatsThisTest, TheGlossaryIsLinkedFromPagesAndGoesToTheWord) {
    command(QStringLiteral("Glossary"))->trigger();
    HelpWindow* help = find<HelpMenu>("helpMenu")->helpWindow();
    ASSERT_TRUE(help);
    EXPECT_EQ(help->currentPage(), QStringLiteral("glossary"));
    auto* text = help->findChild<QTextBrowser*>(QStringLiteral("helpText"));
    for (const QString& id : window_->pageIds()) {
        ASSERT_TRUE(help->showPage(QStringLiteral("page-") + id));
        EXPECT_TRUE(text->toHtml().contains(QStringLiteral("glossary.md#"))) << id.toStdString();
    }
    text->setSource(QUrl(QStringLiteral("qrc:/help/glossary.md#roofline")),
                    QTextDocument::MarkdownResource);
    EXPECT_EQ(text->textCursor().block().text(), QStringLiteral("roofline"));
}

}  // namespace
}  // namespace lapidary::views
