// SPDX-License-Identifier: GPL-3.0-or-later
#include "language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <memory>
#include <vector>

// A static library's resources are linked only when named, and Q_INIT_RESOURCE must stand outside
// namespaces.
static void initTranslations() {
#ifdef LAPIDARY_TRANSLATIONS
    Q_INIT_RESOURCE(lapidary_translations);
#endif
}

namespace lapidary::views {
namespace {

QString current = QStringLiteral("en");
std::vector<std::unique_ptr<QTranslator>> installed;

/// Texts of Qt's own that the window shows, for the catalogues: Qt's are not installed everywhere.
[[maybe_unused]] constexpr const char* texts_of_qt[] = {
    QT_TRANSLATE_NOOP("QKeySequenceEdit", "Press shortcut"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No")};

QString catalogueOf(const QString& code) {
    return QStringLiteral(":/translations/lapidary_%1.qm").arg(code);
}

/// The first language of the desktop's list that has a catalogue.
QString preferred() {
    for (const QString& name : QLocale::system().uiLanguages()) {
        const QLocale wanted(name);
        if (wanted.language() == QLocale::English) return QStringLiteral("en");
        for (const Language& language : languages())
            if (QLocale have(language.code);
                have.language() == wanted.language() && have.script() == wanted.script())
                return language.code;
    }
    return QStringLiteral("en");
}

}  // namespace

QList<Language> languages() {
    QList<Language> list{{QStringLiteral("en"), QStringLiteral("English")}};
#ifdef LAPIDARY_TRANSLATIONS
    list << Language{QStringLiteral("de"), QStringLiteral("Deutsch")}
         << Language{QStringLiteral("zh_CN"), QStringLiteral("中文")};
#endif
    return list;
}

void applyLanguage(const QString& code) {
    initTranslations();
    for (const auto& translator : installed) QCoreApplication::removeTranslator(translator.get());
    installed.clear();
    const auto known = [](const QString& wanted) {
        for (const Language& language : languages())
            if (language.code == wanted) return true;
        return false;
    };
    const bool chosen = known(code);
    current = chosen ? code : preferred();
    // Uses the desktop's number format unless the user chose a language.
    QLocale::setDefault(chosen ? QLocale(code) : QLocale::system());
    const auto install = [](const QString& file) {
        auto translator = std::make_unique<QTranslator>();
        if (!translator->load(file)) return;
        QCoreApplication::installTranslator(translator.get());
        installed.push_back(std::move(translator));
    };
    if (current != QLatin1String("en"))
        install(QStringLiteral("%1/qtbase_%2.qm")
                    .arg(QLibraryInfo::path(QLibraryInfo::TranslationsPath), current));
    install(catalogueOf(current));  // last: asked first; the English one has plurals alone
}

QString currentLanguage() { return current; }

}  // namespace lapidary::views
