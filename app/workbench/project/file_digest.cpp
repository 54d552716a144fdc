// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/file_digest.h"

#include <QCryptographicHash>
#include <QFile>

#include <lapidary/base/error.h>

namespace lapidary::app {

QByteArray sha256Of(const std::filesystem::path& path, const Progress& progress) {
    QFile file(QString::fromStdU16String(path.u16string()));
    const auto broken = [&] {
        throw Error(ErrorCode::io_failure, "cannot be read: " + file.errorString().toStdString())
            .at(path.string());
    };
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure))
        fail(ErrorCode::io_failure, path.string() + ": is no regular file");
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) broken();
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QByteArray chunk(1 << 20, Qt::Uninitialized);
    const double size = double(std::max<qint64>(file.size(), 1));
    double done = 0;
    for (;;) {
        progress.step("check sum", std::min(1.0, done / size));
        const qint64 count = file.read(chunk.data(), chunk.size());
        if (count < 0) broken();
        if (count == 0) return hash.result().toHex();
        hash.addData(QByteArrayView(chunk.constData(), count));
        done += double(count);
    }
}

}  // namespace lapidary::app
