// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/earlier_model.h"

#include <QFile>
#include <QFileInfo>

#include <system_error>
#include <utility>

#include "compare/compare_page.h"
#include "widgets/cards/message_banner.h"
#include "window/main_window.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype most_copies = 3;

bool isAsRead(const app::ModelSource& source) {
    std::error_code size, time;
    const auto bytes = std::filesystem::file_size(source.file, size);
    const auto modified = std::filesystem::last_write_time(source.file, time);
    return !size && !time && bytes == source.file_bytes &&
           modified.time_since_epoch().count() == source.file_modified;
}

/// False where the file is another one than was read, before the copy or after it.
bool copyAsRead(const app::ModelSource& source, const std::filesystem::path& to) {
    std::error_code failure;
    return isAsRead(source) && std::filesystem::copy_file(source.file, to, failure) &&
           isAsRead(source);
}

}  // namespace

EarlierModel::EarlierModel(MainWindow& window, app::Workbench& workbench)
    : QObject(&window), window_(window), workbench_(workbench) {
    setObjectName(QStringLiteral("earlierModel"));
    connect(&workbench_, &app::Workbench::openedChanged, this, &EarlierModel::follow);
}

/// Another model is open, or the same file was read again.
void EarlierModel::follow() {
    job_.drop();
    const app::DocumentPtr opened = workbench_.opened();
    std::filesystem::path file;
    if (std::error_code failure; opened && !opened->source.file.empty())  // read again: absolute
        file = std::filesystem::absolute(opened->source.file, failure).lexically_normal();
    const QString before = std::exchange(copy_, {});
    earlier_ = !file.empty() && file == file_ ? before : QString();
    file_ = file;
    if (file_.empty() || opened->source.file_bytes > most_bytes ||
        !opened->model->external_files.empty() || !opened->faults.empty())
        return;
    if (!folder_) folder_ = std::make_unique<QTemporaryDir>();
    if (!folder_->isValid()) return;  // a comparison is not offered then
    const QFileInfo info(exactText(file_.string()));
    const QString copy = folder_->filePath(
        QStringLiteral("%1.before%2.onnx").arg(info.completeBaseName()).arg(++count_));
    written_ << copy;
    while (written_.size() > most_copies) QFile::remove(written_.takeFirst());
    job_.start<bool>(
        workbench_.jobs(), tr("Keep a copy of %1").arg(labelText(info.fileName())),
        [source = opened->source, to = toPath(copy)](const Progress&) {
            return copyAsRead(source, to);
        },
        [this, copy](bool isWhole) { copy_ = isWhole ? copy : QString(); },
        [](const Error&) {});  // cancelled: there is no copy
}

void EarlierModel::offer(MessageBanner& banner) {
    if (earlier_.isEmpty()) return;
    banner
        .addAction(QStringLiteral("split"), tr("Compare with before"),
                   [this, file = earlier_] { compareWith(file); })
        ->setObjectName(QStringLiteral("compareWithBefore"));
}

void EarlierModel::compareWith(const QString& file) {
    window_.showPage(QStringLiteral("compare"));
    if (auto* page = qobject_cast<ComparePage*>(window_.page(QStringLiteral("compare"))))
        page->openSecond(file);
}

}  // namespace lapidary::views
