// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/help_window.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QRegularExpression>
#include <QSplitter>
#include <QTextBlock>
#include <QToolBar>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "window/help/code_blocks.h"
#include "workbench/text/bounded_text.h"

// The macro must be outside of namespaces. Without it the linker leaves out the resources of the
// static library.
static void initHelp() { Q_INIT_RESOURCE(lapidary_help); }

namespace lapidary::views {
namespace {

constexpr int widestPicture = 720;  // pixels

QString fileOf(const QString& name) { return QStringLiteral(":/help/%1.md").arg(name); }

/// Pictures no wider than a page of text.
class HelpBrowser : public QTextBrowser {
public:
    QVariant loadResource(int type, const QUrl& name) override {
        const QVariant resource = QTextBrowser::loadResource(type, name);
        if (type != QTextDocument::ImageResource) return resource;
        const QImage image = resource.metaType().id() == QMetaType::QByteArray
                                 ? QImage::fromData(resource.toByteArray())
                                 : resource.value<QImage>();
        return image.width() > widestPicture
                   ? QVariant(image.scaledToWidth(widestPicture, Qt::SmoothTransformation))
                   : QVariant(image);
    }
};

}  // namespace

HelpWindow::HelpWindow()
    : pages_(new QListWidget), browser_(new HelpBrowser), find_(new QLineEdit) {
    initHelp();
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Lapidary Help"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/lapidary.svg")));
    setAttribute(Qt::WA_QuitOnClose, false);
    pages_->setObjectName(QStringLiteral("helpPages"));
    pages_->setAccessibleName(tr("Pages of the help"));
    pages_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // long titles end in dots
    browser_->setObjectName(QStringLiteral("helpText"));
    browser_->setAccessibleName(tr("Help"));
    browser_->setOpenExternalLinks(true);
    browser_->document()->setDocumentMargin(2 * spacing);
    find_->setPlaceholderText(tr("Find on this page"));
    find_->setAccessibleName(find_->placeholderText());
    find_->setClearButtonEnabled(true);
    find_->setMaximumWidth(280);

    auto* bar = new QToolBar;
    const auto add = [&](const char* icon, const QString& text, QKeySequence shortcut) {
        QAction* action = bar->addAction(themedIcon(QLatin1String(icon)), text);
        action->setShortcut(shortcut);
        return action;
    };
    QAction* contents = add("help", tr("Contents"), QKeySequence(Qt::ALT | Qt::Key_Home));
    QAction* back = add("previous", tr("Back"), QKeySequence::Back);
    QAction* forward = add("next", tr("Forward"), QKeySequence::Forward);
    bar->addSeparator();
    bar->addWidget(find_);
    auto* focusFind = new QAction(this);
    focusFind->setShortcut(QKeySequence::Find);
    auto* leave = new QAction(this);
    leave->setShortcut(QKeySequence(Qt::Key_Escape));
    addActions({focusFind, leave});

    auto* split = new QSplitter;
    split->addWidget(pages_);
    split->addWidget(browser_);
    split->setStretchFactor(1, 1);
    split->setSizes({300, 760});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(split, 1);
    resize(1060, 780);

    listPages();
    back->setEnabled(false);
    forward->setEnabled(false);
    connect(browser_, &QTextBrowser::backwardAvailable, back, &QAction::setEnabled);
    connect(browser_, &QTextBrowser::forwardAvailable, forward, &QAction::setEnabled);
    connect(back, &QAction::triggered, browser_, &QTextBrowser::backward);
    connect(forward, &QAction::triggered, browser_, &QTextBrowser::forward);
    connect(contents, &QAction::triggered, this, [this] { showPage(QStringLiteral("contents")); });
    connect(focusFind, &QAction::triggered, find_, qOverload<>(&QWidget::setFocus));
    connect(leave, &QAction::triggered, this, &QWidget::close);
    connect(find_, &QLineEdit::returnPressed, this, [this] { search(true); });
    connect(find_, &QLineEdit::textChanged, this, [this] {
        browser_->moveCursor(QTextCursor::Start);
        search(true);
    });
    connect(browser_, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        setCodeBlocksApart(*browser_->document());
        if (url.hasFragment()) showHeading(url.fragment());
        for (int row = 0; row < pages_->count(); ++row)
            if (pages_->item(row)->data(Qt::UserRole) == currentPage()) pages_->setCurrentRow(row);
    });
    connect(pages_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item && item->data(Qt::UserRole) != currentPage())
            showPage(item->data(Qt::UserRole).toString());
    });
}

/// The table of contents is a page: the list has its links in their order.
void HelpWindow::listPages() {
    QFile file(fileOf(QStringLiteral("contents")));
    if (!file.open(QIODevice::ReadOnly)) return;
    const QString text = exactText(file.readAll().toStdString());
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]+)\]\(([\w-]+)\.md\))"));
    for (auto it = link.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        auto* item = new QListWidgetItem(match.captured(1), pages_);
        item->setData(Qt::UserRole, match.captured(2));
    }
}

bool HelpWindow::hasPage(const QString& name) {
    initHelp();
    return QFileInfo::exists(fileOf(name));
}

bool HelpWindow::showPage(const QString& name) {
    if (!hasPage(name)) return false;
    browser_->setSource(QUrl(QStringLiteral("qrc:/help/%1.md").arg(name)),
                        QTextDocument::MarkdownResource);
    return true;
}

/// Headings made from Markdown have no anchors.
void HelpWindow::showHeading(const QString& anchor) {
    const auto anchorOf = [](const QString& heading) {
        static const QRegularExpression others(QStringLiteral("[^a-z0-9-]"));
        return heading.toLower().replace(u' ', u'-').remove(others);
    };
    for (QTextBlock block = browser_->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != anchor) continue;
        browser_->moveCursor(QTextCursor::End);  // then the heading comes to the top
        browser_->setTextCursor(QTextCursor(block));
        return;
    }
}

QString HelpWindow::currentPage() const {
    return QFileInfo(browser_->source().path()).completeBaseName();
}

void HelpWindow::search(bool forwards) {
    if (find_->text().isEmpty()) return;
    const auto way = forwards ? QTextDocument::FindFlags() : QTextDocument::FindBackward;
    if (browser_->find(find_->text(), way)) return;
    browser_->moveCursor(forwards ? QTextCursor::Start : QTextCursor::End);  // once around
    browser_->find(find_->text(), way);
}

}  // namespace lapidary::views
