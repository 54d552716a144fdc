// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/plugin_details.h"

#include <QCoreApplication>
#include <QStringList>

#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(PluginDetails)
};

QString escaped(const std::string& text) { return sentenceText(text).toHtmlEscaped(); }

QString colored(const QString& text, const QColor& color) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(color.name(), text);
}

QString heading(const QString& text) { return QStringLiteral("<h4>%1</h4>").arg(text); }

/// Rows of cells, the first row as heads.
QString table(const QList<QStringList>& rows) {
    QString html = QStringLiteral("<table cellpadding='4' cellspacing='0'>");
    for (qsizetype r = 0; r < rows.size(); ++r) {
        const QString tag = r == 0 ? QStringLiteral("th") : QStringLiteral("td");
        html += QStringLiteral("<tr>");
        for (const QString& cell : rows[r])
            html += QStringLiteral("<%1 align='left'>%2</%1>").arg(tag, cell);
        html += QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

QString usable(const std::string& why, const QPalette& palette) {
    const ThemeColors& colors = themeColors(palette);
    return why.empty() ? Text::tr("usable") : colored(escaped(why), colors.warning);
}

QString operatorsOf(const PluginInfo& info) {
    if (info.operators.empty()) return {};
    QList<QStringList> rows{
        {Text::tr("Operator"), Text::tr("From version"), Text::tr("What it computes")}};
    for (const PluginOperatorInfo& op : info.operators)
        rows << QStringList{escaped(op.domain + "::" + op.name), QString::number(op.since_version),
                            escaped(op.doc)};
    return heading(Text::tr("Operators")) + table(rows);
}

QString optionsOf(const std::vector<PluginOptionInfo>& options) {
    if (options.empty()) return {};
    QList<QStringList> rows{{Text::tr("Option"), Text::tr("May be"), Text::tr("Unless given"),
                             Text::tr("What it means")}};
    for (const PluginOptionInfo& option : options)
        rows << QStringList{escaped(option.key), escaped(option.values), escaped(option.fallback),
                            escaped(option.meaning)};
    return heading(Text::tr("Options")) + table(rows);
}

QString providerOf(const PluginInfo& info, const QPalette& palette) {
    if (info.provider.empty()) return {};
    QString html = heading(Text::tr("Provider %1").arg(escaped(info.provider)));
    if (!info.no_device.empty())
        html += QStringLiteral("<p>%1</p>")
                    .arg(Text::tr("It has no device: %1").arg(escaped(info.no_device)));
    if (!info.devices.empty()) {
        QList<QStringList> rows{
            {Text::tr("Device"), Text::tr("Name"), Text::tr("Memory"), Text::tr("State")}};
        for (const PluginDevice& device : info.devices)
            rows << QStringList{
                escaped(device.id), escaped(device.name),
                device.memory_bytes > 0 ? formatBytes(qint64(device.memory_bytes)) : QString(),
                usable(device.unusable, palette)};
        html += table(rows);
    }
    return html + optionsOf(info.options);
}

QString engineOf(const PluginInfo& info, const QPalette& palette) {
    if (info.engine.empty()) return {};
    QString html =
        heading(Text::tr("Engine %1 %2").arg(escaped(info.engine), escaped(info.engine_version)));
    if (!info.engine_unusable.empty())
        html +=
            QStringLiteral("<p>%1</p>")
                .arg(colored(Text::tr("It cannot be used: %1").arg(escaped(info.engine_unusable)),
                             themeColors(palette).warning));
    return html + optionsOf(info.engine_options);
}

}  // namespace

QString pluginDetails(const app::PluginProbe& probe, const QPalette& palette) {
    const QString file = QStringLiteral("<p>%1</p>").arg(escaped(probe.file.string()));
    if (!probe.info)
        return QStringLiteral("<h3>%1</h3>").arg(escaped(probe.file.filename().string())) + file +
               QStringLiteral("<p>%1</p>")
                   .arg(colored(Text::tr("It cannot be used: %1").arg(escaped(probe.reason)),
                                themeColors(palette).warning));
    const PluginInfo& info = *probe.info;
    return QStringLiteral("<h3>%1 %2</h3><p>%3</p>")
               .arg(escaped(info.name), escaped(info.version), escaped(info.about)) +
           file +
           QStringLiteral("<p>%1</p>")
               .arg(Text::tr("Licence %1, made for plugin interface %2")
                        .arg(escaped(info.licence), escaped(info.interface))) +
           operatorsOf(info) + providerOf(info, palette) + engineOf(info, palette);
}

QString engineDetails(const OnnxRuntimeInfo& engine, const QPalette& palette) {
    QString html = QStringLiteral("<h3>ONNX Runtime %1</h3><p>%2</p>")
                       .arg(escaped(engine.version), escaped(engine.path.string()));
    if (!engine.unusable.empty())
        return html +
               QStringLiteral("<p>%1</p>")
                   .arg(colored(Text::tr("It cannot be used: %1").arg(escaped(engine.unusable)),
                                themeColors(palette).warning));
    if (engine.in_python)
        html += QStringLiteral("<p>%1</p>")
                    .arg(Text::tr("The package holds no C library: it runs in a Python process."));
    QList<QStringList> rows{{Text::tr("Provider"), Text::tr("State")}};
    for (const OnnxRuntimeProviderState& provider : engine.providers)
        rows << QStringList{escaped(provider.name), usable(provider.unusable, palette)};
    html += heading(Text::tr("Providers")) + table(rows);
    if (engine.devices.empty()) return html;
    QList<QStringList> devices{{Text::tr("Device"), Text::tr("Provider")}};
    for (const OnnxRuntimeDevice& device : engine.devices)
        devices << QStringList{escaped(device.kind + ", " + device.vendor),
                               escaped(device.provider)};
    return html + heading(Text::tr("Devices")) + table(devices);
}

}  // namespace lapidary::views
