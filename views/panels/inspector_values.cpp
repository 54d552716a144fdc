// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes and tensor elements as short text.
#include <QLocale>

#include <algorithm>
#include <type_traits>

#include <lapidary/base/error.h>

#include "canvas/graph_outline.h"
#include "panels/inspector_html.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr std::size_t mostElements = 24;

QString number(double v) { return QString::number(v, 'g', 6); }

template <typename List, typename Format>
QString listText(const List& list, Format&& format) {
    QStringList parts;
    for (std::size_t i = 0; i < list.size() && i < mostElements; ++i) parts << format(list[i]);
    QString all = parts.join(QStringLiteral(", "));
    if (list.size() > mostElements) all += InspectorHtml::tr(", … (%1 in all)").arg(list.size());
    return u'[' + all + u']';
}

QString stringText(const std::string& s) {
    return QStringLiteral("“%1”").arg(InspectorHtml::text(s, 200));
}

QString tensorText(const Tensor& tensor) {
    QString text =
        InspectorHtml::text(std::string(name_of(tensor.dtype())) + to_string(tensor.shape()));
    if (tensor.size() > 0 && !tensor.is_deferred())
        text += QStringLiteral("  ") + firstValues(tensor, 8);
    return text;
}

}  // namespace

QString firstValues(const Tensor& tensor, int most) {
    if (!tensor || tensor.size() == 0) return {};
    const std::int64_t count = std::min<std::int64_t>(most, tensor.size());
    QStringList parts;
    if (tensor.dtype() == DType::string) {
        for (const std::string& s :
             tensor.data<std::string>().subspan(0, static_cast<std::size_t>(count)))
            parts << stringText(s);
    } else if (tensor.dtype() == DType::complex64 || tensor.dtype() == DType::complex128) {
        return {};
    } else {
        Tensor head(tensor.dtype(), {count});  // weights can be large, or not made yet
        try {
            tensor.read(0, head.byte_size(), static_cast<std::byte*>(head.mutable_raw()));
        } catch (const Error& e) { return labelText(e.what()); }
        if (is_integer(tensor.dtype()) || tensor.dtype() == DType::boolean) {
            for (double v : to_doubles(head)) parts << QString::number(v, 'f', 0);
        } else {
            for (double v : to_doubles(head)) parts << number(v);
        }
    }
    return parts.join(QStringLiteral(", ")) +
           (tensor.size() > count ? QStringLiteral(" …") : QString());
}

QString attributeText(const AttributeValue& value) {
    return std::visit(
        [](const auto& v) -> QString {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, std::int64_t>) return QString::number(v);
            else if constexpr (std::is_same_v<T, float>) return number(static_cast<double>(v));
            else if constexpr (std::is_same_v<T, std::string>) return stringText(v);
            else if constexpr (std::is_same_v<T, Tensor>) return tensorText(v);
            else if constexpr (std::is_same_v<T, SparseTensor>)
                return InspectorHtml::tr("sparse %1").arg(InspectorHtml::text(to_string(v.shape)));
            else if constexpr (std::is_same_v<T, GraphPtr>)
                return v ? InspectorHtml::tr("graph of %1").arg(nodeCountText(v->node_count()))
                         : QString();
            else if constexpr (std::is_same_v<T, Type>) return InspectorHtml::text(to_string(v));
            else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
                return listText(v, [](std::int64_t x) { return QString::number(x); });
            else if constexpr (std::is_same_v<T, std::vector<float>>)
                return listText(v, [](float x) { return number(static_cast<double>(x)); });
            else if constexpr (std::is_same_v<T, std::vector<std::string>>)
                return listText(v, stringText);
            else if constexpr (std::is_same_v<T, std::vector<Tensor>>)
                return listText(v, tensorText);
            else if constexpr (std::is_same_v<T, AttributeReference>)
                return InspectorHtml::tr("the caller's attribute %1")
                    .arg(InspectorHtml::text(v.name));
            else return InspectorHtml::tr("list of %1").arg(v.size());
        },
        value);
}

}  // namespace lapidary::views
