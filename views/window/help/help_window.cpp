// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/help_window.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBlock>
#include <QToolBar>
#include <QVBoxLayout>

#include "models/rows_model.h"
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

/// The text of a page; empty: there is no such page.
QString markdownOf(const QString& name) {
    QFile file(fileOf(name));
    return file.open(QIODevice::ReadOnly) ? exactText(file.readAll().toStdString()) : QString();
}

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
    : pages_(new QListWidget), browser_(new HelpBrowser), find_(new QLineEdit),
      search_(new QLineEdit) {
    initHelp();
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Lapidary Help"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/lapidary.svg")));
    setAttribute(Qt::WA_QuitOnClose, false);
    browser_->setObjectName(QStringLiteral("helpText"));
    browser_->setAccessibleName(tr("Help"));
    browser_->setOpenExternalLinks(true);
    browser_->document()->setDocumentMargin(2 * spacing);
    find_->setObjectName(QStringLiteral("helpFind"));
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
    auto* focusSearch = new QAction(this);
    focusSearch->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
    addActions({focusFind, focusSearch, leave});

    auto* split = new QSplitter;
    split->addWidget(makeList());
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
    connect(focusSearch, &QAction::triggered, search_, qOverload<>(&QWidget::setFocus));
    connect(leave, &QAction::triggered, this, &QWidget::close);
    connect(find_, &QLineEdit::returnPressed, this, [this] { search(true); });
    connect(find_, &QLineEdit::textChanged, this, [this] {
        browser_->moveCursor(QTextCursor::Start);
        search(true);
    });
    connect(browser_, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        setCodeBlocksApart(*browser_->document());
        if (url.hasFragment()) showHeading(url.fragment());
        markShownPage();
    });
}

/// The list of pages, with a field above it that searches all of them.
QWidget* HelpWindow::makeList() {
    pages_->setObjectName(QStringLiteral("helpPages"));
    pages_->setAccessibleName(tr("Pages of the help"));
    pages_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // long titles end in dots
    search_->setObjectName(QStringLiteral("helpSearch"));
    search_->setPlaceholderText(tr("Search all pages (Ctrl+K)"));
    search_->setAccessibleName(tr("Search all pages"));
    search_->setClearButtonEnabled(true);
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(spacing, spacing, 0, 0);
    column->addWidget(search_);
    column->addWidget(pages_, 1);
    connect(search_, &QLineEdit::textChanged, this, [this] {
        if (search_->text().trimmed().isEmpty()) listPages();
        else listHits();
    });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        if (pages_->count() == 0) return;
        pages_->setFocus();
        if (!pages_->currentItem()) pages_->setCurrentRow(0);
    });
    connect(pages_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item) chooseListed(*item);
    });
    return side;
}

void HelpWindow::chooseListed(const QListWidgetItem& item) {
    const QString page = item.data(Qt::UserRole).toString();
    if (page.isEmpty()) return;
    if (page != currentPage()) showPage(page);
    const QStringList words = search_->text().split(u' ', Qt::SkipEmptyParts);
    if (words.isEmpty()) return;
    browser_->moveCursor(QTextCursor::Start);
    browser_->find(words.front());
}

/// Marks the shown page in the list, without going there again.
void HelpWindow::markShownPage() {
    const QSignalBlocker quiet(pages_);
    for (int row = 0; row < pages_->count(); ++row)
        if (pages_->item(row)->data(Qt::UserRole) == currentPage()) pages_->setCurrentRow(row);
}

/// The table of contents is a page: the list has its links in their order, under its headings.
void HelpWindow::listPages() {
    if (entries_.empty()) entries_ = helpEntries(markdownOf(QStringLiteral("contents")));
    const QSignalBlocker quiet(pages_);
    pages_->clear();
    QString topic;
    for (const HelpEntry& entry : entries_) {
        if (entry.topic != topic) {
            auto* heading = new QListWidgetItem(entry.topic, pages_);
            heading->setFlags(Qt::NoItemFlags);
            heading->setFont(scaledFont(1.0, true));
            topic = entry.topic;
        }
        auto* item = new QListWidgetItem(entry.title, pages_);
        item->setData(Qt::UserRole, entry.name);
    }
    markShownPage();
}

/// Lists the pages that have the words of the field instead, the best first.
void HelpWindow::listHits() {
    if (!texts_) {
        std::vector<HelpSearch::Page> pages;
        for (const HelpEntry& entry : entries_)
            pages.push_back({entry.name, entry.title, markdownOf(entry.name)});
        texts_ = std::make_unique<HelpSearch>(pages);
    }
    const QSignalBlocker quiet(pages_);
    pages_->clear();
    for (const HelpHit& hit : texts_->find(search_->text())) {
        auto* item = new QListWidgetItem(hit.title + u'\n' + hit.excerpt, pages_);
        item->setData(Qt::UserRole, hit.name);
        item->setToolTip(plainToolTip(hit.excerpt));
    }
    if (pages_->count() > 0) return;
    auto* none = new QListWidgetItem(tr("No page has all of these words."), pages_);
    none->setFlags(Qt::NoItemFlags);
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
