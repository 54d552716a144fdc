// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/code_panel.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"
#include "workbench/jobs/comparison.h"

namespace lapidary::views {
namespace {

struct LanguageInfo {
    const char* name;
    const char* suffix;
};
// as SnippetLanguage
constexpr LanguageInfo languages[] = {
    {"Python", "py"}, {"C", "c"}, {"C++", "cpp"}, {"C#", "cs"}, {"Rust", "rs"}};

/// "a, b" -> a and b.
std::vector<std::string> listed(std::string_view names) {
    std::vector<std::string> list;
    while (!names.empty()) {
        const auto comma = std::min(names.find(','), names.size());
        std::string_view name = names.substr(0, comma);
        while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
        while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
        if (!name.empty()) list.emplace_back(name);
        names.remove_prefix(std::min(comma + 1, names.size()));
    }
    return list;
}

}  // namespace

SnippetSettings snippetSettings(const app::Recipe& recipe, const app::RunSettings& run,
                                const QString& modelFile, bool exported) {
    SnippetSettings settings;
    settings.model_file = modelFile.toStdString();
    settings.optimized_already = exported;
    settings.configuration.level = exported ? Level::disabled : recipe.runLevel();
    settings.configuration.resources.threads = run.resources.threads;
    settings.free_dimensions = recipe.dimensions;
    for (const auto& [name, size] : run.dimensions)
        if (size > 0) settings.free_dimensions[name] = size;
    if (recipe.runs_on && recipe.runs_on->onnxruntime)
        for (const app::ProviderChoice& choice : recipe.runs_on->providers)
            settings.providers.push_back({choice.name, choice.options});
    if (!exported)
        for (const PassInfo& pass : all_passes())
            if (std::ranges::find(recipe.disabled_passes, pass.name) !=
                recipe.disabled_passes.end())
                for (std::string& name : listed(pass.ort_names))
                    if (std::ranges::find(settings.disabled_optimizers, name) ==
                        settings.disabled_optimizers.end())
                        settings.disabled_optimizers.push_back(std::move(name));
    return settings;
}

CodePanel::CodePanel(app::Workbench& workbench, Of of, QWidget* parent)
    : QWidget(parent), workbench_(workbench), of_(of), side_(new QComboBox),
      language_(new QComboBox), version_(new QComboBox),
      exported_(new QCheckBox(tr("The file is the &exported variant"))),
      optimizedModel_(new QCheckBox(tr("&Write its optimized model"))),
      profile_(new QCheckBox(tr("Write a &profile"))), providers_(new QLineEdit),
      options_(new QLineEdit), code_(new CodeText(QStringLiteral("code"))) {
    setObjectName(QStringLiteral("codePanel"));
    side_->setObjectName(QStringLiteral("codeSide"));
    side_->setAccessibleName(tr("Variant"));
    side_->setToolTip(tr("Whose settings the code repeats"));
    side_->addItems({tr("Settings of A"), tr("Settings of B")});
    side_->setCurrentIndex(1);
    language_->setObjectName(QStringLiteral("codeLanguage"));
    language_->setAccessibleName(tr("Programming language"));
    for (const LanguageInfo& language : languages)
        language_->addItem(QString::fromLatin1(language.name));
    version_->setObjectName(QStringLiteral("codeVersion"));
    version_->setAccessibleName(tr("Version of ONNX Runtime"));
    version_->setToolTip(tr("Names and values fit this version of ONNX Runtime"));
    for (const std::string& version : known_onnxruntime_versions())
        version_->addItem(tr("ONNX Runtime %1").arg(exactText(version)), exactText(version));
    exported_->setObjectName(QStringLiteral("codeExported"));
    exported_->setToolTip(
        tr("Off: ONNX Runtime optimizes the model that was opened, at the variant's level. On: it "
           "loads the variant "
           "exported by Lapidary and optimizes no further."));
    optimizedModel_->setObjectName(QStringLiteral("codeOptimizedModel"));
    optimizedModel_->setToolTip(
        tr("optimized_model_filepath: ONNX Runtime writes what it made of the model beside it"));
    profile_->setObjectName(QStringLiteral("codeProfile"));
    profile_->setToolTip(
        tr("enable_profiling: ONNX Runtime writes where its time went; Open … shows such a profile "
           "here"));
    providers_->setObjectName(QStringLiteral("codeProviders"));
    providers_->setAccessibleName(tr("Execution providers"));
    providers_->setPlaceholderText(tr("Execution providers: CUDA:device_id=0"));
    providers_->setToolTip(
        tr("Execution providers that the session asks before the CPU, with their options: "
           "NAME:KEY=VALUE,… with spaces between them. Empty: those that the variant runs on"));
    options_->setObjectName(QStringLiteral("codeOptions"));
    options_->setAccessibleName(tr("Session options"));
    options_->setPlaceholderText(tr("Session options: enable_mem_pattern=0"));
    options_->setToolTip(tr(
        "Attributes of SessionOptions and entries of the session configuration, by their names in "
        "ONNX Runtime: KEY=VALUE with spaces between them"));
    addRows();
    follow();
    refresh();
}

/// The controls in three rows above the code.
void CodePanel::addRows() {
    if (of_ == Of::inForce) {
        side_->setParent(this);
        side_->hide();
    }
    for (QComboBox* combo : {side_, language_, version_}) {
        if (combo == side_ && of_ == Of::inForce) continue;
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(8);
        code_->addControl(combo);
    }
    auto* second = new QHBoxLayout;
    second->setContentsMargins(spacing, 0, spacing, 4);
    for (QCheckBox* box : {exported_, optimizedModel_, profile_}) second->addWidget(box);
    second->addStretch(1);
    code_->addRow(second);
    auto* third = new QHBoxLayout;
    third->setContentsMargins(spacing, 0, spacing, 4);
    for (QLineEdit* edit : {providers_, options_}) third->addWidget(edit);
    code_->addRow(third);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(code_);
}

void CodePanel::follow() {
    connect(code_, &CodeText::statusMessage, this, &CodePanel::statusMessage);
    connect(language_, &QComboBox::currentIndexChanged, this, &CodePanel::proposeName);
    proposeName();
    for (QComboBox* combo : {side_, language_, version_})
        connect(combo, &QComboBox::currentIndexChanged, this, &CodePanel::refresh);
    for (QCheckBox* box : {exported_, optimizedModel_, profile_})
        connect(box, &QCheckBox::toggled, this, &CodePanel::refresh);
    for (QLineEdit* edit : {providers_, options_})
        connect(edit, &QLineEdit::textChanged, this, &CodePanel::refresh);
    if (of_ == Of::sides)
        connect(&workbench_.comparison(), &app::Comparison::pairChanged, this, &CodePanel::refresh);
    else connect(&workbench_, &app::Workbench::documentChanged, this, &CodePanel::refresh);
    connect(&workbench_, &app::Workbench::runSettingsChanged, this, &CodePanel::refresh);
}

CodePanel::~CodePanel() = default;

void CodePanel::refresh() {
    stale_ = true;
    if (isVisible()) write();
}

void CodePanel::showEvent(QShowEvent* event) {
    if (stale_) write();
    QWidget::showEvent(event);
}

void CodePanel::addTyped(SnippetSettings& settings) const {
    const QStringList providers = providers_->text().split(u' ', Qt::SkipEmptyParts);
    if (!providers.isEmpty()) settings.providers.clear();
    for (const QString& text : providers) {
        const app::ProviderChoice choice = app::parse_provider_choice(text.toStdString());
        settings.providers.push_back({choice.name, choice.options});
    }
    for (const QString& text : options_->text().split(u' ', Qt::SkipEmptyParts)) {
        const qsizetype equals = text.indexOf(u'=');
        if (equals <= 0) fail_input("expected KEY=VALUE, found " + quote(text.toStdString()));
        settings.configuration.resources.config.emplace(text.left(equals).toStdString(),
                                                        text.mid(equals + 1).toStdString());
    }
}

std::optional<CodePanel::Subject> CodePanel::subject() const {
    if (!workbench_.opened()) return {};
    if (of_ == Of::inForce) {
        const app::DocumentPtr shown = workbench_.document();
        return Subject{workbench_.recipeInForce(), shown->model,
                       !shown->variant || shown->variant->isOriginal()};
    }
    const app::Comparison& comparison = workbench_.comparison();
    const app::VariantPtr variant = side_->currentIndex() == 0 ? comparison.a() : comparison.b();
    if (!variant) return {};
    return Subject{variant->recipe, variant->model, variant->isOriginal()};
}

/// Runs in a job, because the inputs in the code may be large or impossible to make.
void CodePanel::write() {
    stale_ = false;
    job_.drop();
    const std::optional<Subject> of = subject();
    // no engine has edits, rules of the user and quantized weights: their model is a file first
    const bool isOwn =
        of && (!of->recipe.edits.empty() || !of->recipe.rules.empty() || of->recipe.quantization);
    exported_->setEnabled(of && !of->isOriginal && !isOwn);
    if (!of) return code_->showCode({}, tr("Choose a variant first."));
    const ModelPtr opened = workbench_.opened()->model, model = isOwn ? of->model : opened;
    const QFileInfo file(opened->path.empty() ? workbench_.opened()->title + QStringLiteral(".onnx")
                                              : exactText(opened->path.string()));
    const bool isExport = (exported_->isChecked() || isOwn) && !of->isOriginal;
    const QString name =
        isExport ? file.completeBaseName() + QStringLiteral(".optimized.onnx") : file.fileName();
    SnippetSettings settings =
        snippetSettings(of->recipe, workbench_.runSettings(), name, isExport);
    if (optimizedModel_->isChecked())
        settings.optimized_model_file =
            (QFileInfo(name).completeBaseName() + QStringLiteral(".onnxruntime.onnx"))
                .toStdString();
    if (profile_->isChecked())
        settings.profile_prefix = QFileInfo(name).completeBaseName().toStdString();
    settings.onnxruntime_version = version_->currentData().toString().toStdString();
    try {
        addTyped(settings);
    } catch (const Error& error) { return code_->showCode({}, tipText(error.what())); }
    const auto language = static_cast<SnippetLanguage>(language_->currentIndex());
    job_.start<QString>(
        workbench_.jobs(), tr("Code"),
        [model, language, settings](const Progress&) {
            return exactText(snippet(*model, language, settings));
        },
        [this](const QString& code) { code_->showCode(code, {}); },
        [this](const Error& error) { code_->showCode({}, tipText(error.what())); });
}

void CodePanel::proposeName() {
    const LanguageInfo& language = languages[std::size_t(qMax(0, language_->currentIndex()))];
    const QString suffix = QString::fromLatin1(language.suffix);
    code_->setProposal(QString::fromLatin1(language.name), suffix,
                       QStringLiteral("run_model.") + suffix);
}

}  // namespace lapidary::views
