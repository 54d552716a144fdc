// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a newer Lapidary exists, by a file that the user names (on a share where packages are
// put, say). Off by default; it never uses a network itself.
#pragma once

#include <QString>

namespace lapidary::app {

struct NewerVersionSettings {
    bool look = false;
    QString file;  // a changelog of Lapidary, or a text whose first line is a version
};

NewerVersionSettings loadNewerVersionSettings();
void saveNewerVersionSettings(const NewerVersionSettings& settings);

/// The version that the file names: "0.2.0" of a first line "0.2.0", or of the first "## 0.2.0 (…)"
/// of a changelog. Throws io_failure; invalid_input where it names none in its first lines;
/// limit_exceeded above 4 MB.
QString versionNamedBy(const QString& file);
/// By numbers: 0.10.0 is newer than 0.9.1.
bool isNewer(const QString& named, const QString& own);

}  // namespace lapidary::app
