// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/make_place_field.h"

#include <QCoreApplication>

#include "graph/forms/operator_field.h"
#include "graph/forms/place_words.h"
#include "graph/forms/type_field.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

using Names = FormModel::Names;

class FileWords {
    Q_DECLARE_TR_FUNCTIONS(FileWords)
public:
    static QString models() { return tr("Models (*.onnx)"); }
    static QString arrays() { return tr("NumPy arrays (*.npy *.npz)"); }
    static QString words() { return tr("Lists of words (*.txt *.json)"); }
    static QString rules() { return tr("Rewriting rules (*.rules *.txt)"); }
};

/// Which names a place stands for in forms that begin so; the first line that fits counts.
struct PlaceNames {
    const char* form;
    const char* place;
    Names names;
};
constexpr PlaceNames placeNames[] = {
    {"", "NODE", Names::nodes},
    {"", "NODES", Names::nodes},
    {"", "VALUE", Names::values},
    {"", "VALUES", Names::values},
    {"", "INPUTS", Names::values},
    {"", "OUTPUTS", Names::values},
    {"", "BOXES", Names::outputs},
    {"", "SCORES", Names::outputs},
    {"", "KEY", Names::metadata},
    {"remove input", "NAMES", Names::inputs},
    {"", "NAMES", Names::outputs},
    {"replace", "NAME", Names::functions},
    {"in function", "NAME", Names::functions},
    {"constant", "NAME", Names::inputs},
    {"input", "NAME", Names::constants},
    {"weight", "NAME", Names::constants},
    {"split at", "NAME", Names::values},
    {"wrap NAME softmax", "NAME", Names::outputs},
    {"wrap NAME topk", "NAME", Names::outputs},
    {"wrap", "NAME", Names::inputs},
    {"wrap", "INPUT", Names::inputs},
};

/// None: a new name, or none of the model's.
Names namesFor(const QString& form, const QString& place) {
    for (const PlaceNames& line : placeNames)
        if (place == QLatin1String(line.place) && form.startsWith(QLatin1String(line.form)))
            return line.names;
    return Names::none;
}

bool dependsOnKeyword(const QString& form, const QString& place) {
    return (place == QLatin1String("NAME") && (form.startsWith(QLatin1String("type ")) ||
                                               form.startsWith(QLatin1String("order ")))) ||
           (place == QLatin1String("FROM") && form.startsWith(QLatin1String("rename "))) ||
           place == QLatin1String("PLACE");
}

NamedWords floatTypes() {
    NamedWords words;
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f64})
        words.push_back({exactText(onnx_name_of(dtype)), exactText(onnx_name_of(dtype))});
    return words;
}

NamedWords elementTypes() {
    NamedWords words;
    for (const DType dtype :
         {DType::f32, DType::f16, DType::bf16, DType::f64, DType::i8, DType::u8, DType::i16,
          DType::u16, DType::i32, DType::u32, DType::i64, DType::u64, DType::boolean})
        words.push_back({exactText(onnx_name_of(dtype)), exactText(onnx_name_of(dtype))});
    return words;
}

NamedWords bodyNames() {
    NamedWords words;
    for (const char* name : {"then_branch", "else_branch", "body"})
        words.push_back({labelText(name), labelText(name)});
    return words;
}

PlaceField* fileField(const QString& form, const QString& place, const QString& title) {
    using Use = FileField::Use;
    if (place == QLatin1String("VALUE_OR_FILE"))
        return new FileField(title, Use::readOrValue, FileWords::arrays());
    if (place == QLatin1String("FIRST") || place == QLatin1String("SECOND"))
        return new FileField(title, Use::write, FileWords::models());
    if (place == QLatin1String("LABELS") || place == QLatin1String("VOCABULARY"))
        return new FileField(title, Use::read, FileWords::words());
    if (place != QLatin1String("FILE")) return nullptr;
    return new FileField(title, Use::read,
                         form.startsWith(QLatin1String("weight"))  ? FileWords::arrays()
                         : form.startsWith(QLatin1String("rules")) ? FileWords::rules()
                                                                   : FileWords::models());
}

PlaceField* numberField(const QString& place, const QString& title, const FormModel& model) {
    if (place == QLatin1String("VERSION"))
        return new NumberField(title, 7, 28, int(model.model().opset()));
    if (place == QLatin1String("SIZE")) return new NumberField(title, 0, 1 << 30, 1);
    if (place == QLatin1String("LENGTH")) return new NumberField(title, 1, 1 << 30, 128);
    if (place == QLatin1String("COUNT")) return new NumberField(title, 1, 1 << 30, 5);
    if (place == QLatin1String("AXIS")) return new NumberField(title, -8, 8, 1);
    if (place == QLatin1String("OVERLAP")) return new ShareField(title, 0.5);
    if (place == QLatin1String("SCORE")) return new ShareField(title, 0.25);
    return nullptr;
}

PlaceField* textField(const QString& form, const QString& place, const QString& title) {
    const bool isSet = form.startsWith(QLatin1String("set "));
    if (place == QLatin1String("TEXT"))
        return new TextField(title, isSet ? WordStyle::value : WordStyle::text, {});
    if (place == QLatin1String("NAME") || place == QLatin1String("PREFIX"))
        return new TextField(title, WordStyle::name, {});
    if (place == QLatin1String("TO")) return new TextField(title, WordStyle::pattern, {});
    if (place == QLatin1String("PADDING") || place == QLatin1String("UNKNOWN") ||
        place == QLatin1String("SEPARATOR"))
        return new TextField(title, WordStyle::text, {});
    const QString example = place == QLatin1String("MEAN") ? QStringLiteral("[123.7,116.3,103.5]")
                            : place == QLatin1String("DEVIATION")
                                ? QStringLiteral("[58.4,57.1,57.4]")
                            : place == QLatin1String("AXES")  ? QStringLiteral("1, 0")
                            : place == QLatin1String("PAIRS") ? QStringLiteral("a -> b, c -> d")
                                                              : QString();
    return new TextField(title, WordStyle::asWritten, example);
}

PlaceField* nameField(const QString& form, const QString& place, FormPart::Kind kind,
                      const QString& title, const FormModel& model, const EditTarget& target) {
    const bool isSelection = place.startsWith(QLatin1String("NODE")) ||
                             place.startsWith(QLatin1String("VALUE")) ||
                             place == QLatin1String("PLACE");
    const WordStyle style = isSelection ? WordStyle::asWritten : WordStyle::name;
    if (dependsOnKeyword(form, place)) {
        auto* field = new KeywordNameField(title, isSelection ? style : WordStyle::pattern, model);
        if (kind == FormPart::Kind::list) field->takeList();
        return field;
    }
    if (const Names names = namesFor(form, place); names != Names::none) {
        auto* field = new NameField(title, style, model.names(names));
        if (kind == FormPart::Kind::list || place == QLatin1String("NODES") ||
            place == QLatin1String("VALUES"))
            field->takeList();
        return field;
    }
    if (place == QLatin1String("INPUT")) {
        auto* field = new InputField(title, model);
        field->useName(target.nodes.value(0));
        return field;
    }
    if (place == QLatin1String("BODY")) return new NameField(title, WordStyle::name, bodyNames());
    if (place == QLatin1String("DIMENSION"))
        return new NameField(title, WordStyle::asWritten, model.fixedDimensions());
    if (place == QLatin1String("NAME") && form.startsWith(QLatin1String("dim ")))
        return new NameField(title, WordStyle::name, model.namedDimensions());
    if (form.startsWith(QLatin1String("cast model")))
        return new NameField(title, WordStyle::name, floatTypes());
    if (place == QLatin1String("TYPE") && form.startsWith(QLatin1String("weight")))
        return new NameField(title, WordStyle::name, elementTypes());
    return nullptr;
}

/// The first dimension of an input that has a size; empty: it has none.
QString fixedDimensionOf(const QString& input, const FormModel& model) {
    if (input.isEmpty()) return {};
    for (const NamedWord& dimension : model.fixedDimensions())
        if (dimension.word.startsWith(input + u'[')) return dimension.word;
    return {};
}

/// The name of what is selected, or what there is only one of; empty: none.
QString nameFor(const QString& form, const FormModel& model, const EditTarget& target) {
    const Names kind = namesFor(form, QStringLiteral("NAME"));
    if (dependsOnKeyword(form, QStringLiteral("NAME"))) return target.value;
    if (kind == Names::none || kind == Names::functions) return {};
    if (!target.value.isEmpty()) return target.value;
    if (kind == Names::inputs || kind == Names::outputs) {
        const NamedWords names = model.names(kind);
        return names.size() == 1 ? names.front().word : QString();
    }
    const NodeId id = model.node(target.nodes.value(0));
    if (!id) return {};
    const Graph& graph = model.graph();
    const Node& node = graph.node(id);
    for (const ValueId value : kind == Names::constants ? node.inputs : node.outputs)
        if (value && (kind == Names::values || graph.value(value).is_constant()))
            return namedWord(graph.value(value).name).word;
    return {};
}

/// The words of the target that fit a place; empty: none.
QString wordFor(const QString& form, const QString& place, const FormModel& model,
                const EditTarget& target) {
    if (place == QLatin1String("NODES")) return target.nodes.join(QStringLiteral(", "));
    if (place == QLatin1String("NODE")) return target.nodes.value(0);
    if (place == QLatin1String("PLACE")) {
        const bool isAtNode = target.keywords.contains(QLatin1String("before")) ||
                              target.keywords.contains(QLatin1String("after"));
        return target.value.isEmpty() || (isAtNode && !target.nodes.isEmpty())
                   ? target.nodes.value(0)
                   : target.value;
    }
    if (place == QLatin1String("FROM") || place == QLatin1String("TO")) {
        const bool wantsNode = target.keywords.contains(QLatin1String("node")) ||
                               (target.value.isEmpty() && target.keywords.isEmpty());
        return !form.startsWith(QLatin1String("rename ")) ? QString()
               : wantsNode                                ? target.nodes.value(0)
                                                          : target.value;
    }
    if (place == QLatin1String("DIMENSION")) return fixedDimensionOf(target.value, model);
    if (place == QLatin1String("OUTPUTS") || place == QLatin1String("VALUE") ||
        place == QLatin1String("VALUES") || place == QLatin1String("NAMES"))
        return target.value;
    if (place == QLatin1String("NAME")) return nameFor(form, model, target);
    return {};
}

}  // namespace

PlaceField* makePlaceField(const QString& form, const QString& place, FormPart::Kind kind,
                           const FormModel& model, const EditTarget& target) {
    const QString title = placeTitle(form, place);
    PlaceField* field = place == QLatin1String("OPERATOR") ? new OperatorField(title, model)
                                                           : fileField(form, place, title);
    if (!field && form.startsWith(QLatin1String("type ")) && place == QLatin1String("TYPE")) {
        field = new TypeField(title, model);
        field->useName(target.value);
    }
    if (!field) field = numberField(place, title, model);
    if (!field) field = nameField(form, place, kind, title, model, target);
    if (!field) field = textField(form, place, title);
    field->setObjectName(QStringLiteral("place_") + place);
    if (const QString word = wordFor(form, place, model, target); !word.isEmpty())
        field->setWord(word);
    const std::filesystem::path& file = model.model().path;
    if (place == QLatin1String("FIRST") && !file.empty())
        field->setWord(exactText(file.stem().string() + "_first.onnx"));
    if (place == QLatin1String("SECOND") && !file.empty())
        field->setWord(exactText(file.stem().string() + "_second.onnx"));
    return field;
}

}  // namespace lapidary::views
