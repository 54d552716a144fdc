// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <filesystem>

#include <lapidary/base/progress.h>

namespace lapidary::app {

/// SHA-256 of a file's bytes as 64 hexadecimal digits. Call it on a worker thread. Throws
/// io_failure with the file, cancelled.
QByteArray sha256Of(const std::filesystem::path& file, const Progress& progress = {});

}  // namespace lapidary::app
