// SPDX-License-Identifier: GPL-3.0-or-later
// What decoders that were measured side by side say, in sentences.
#pragma once

#include <QString>
#include <QStringList>

#include "worker/protocol/decoders_record.h"

namespace lapidary::views {

/// The names of the sides: the variants', with the precision of their caches and the number of
/// threads where that differs.
QStringList sideNames(const app::DecodersRecord& record, const QStringList& variants);
/// The advice on the side's longest context; empty: none was recorded.
QString decoderAdvice(const app::DecoderSide& side);
/// "could not run: the model has no caches"; empty: it ran.
QString failureText(const app::DecoderSide& side);
/// With so many significant digits and never with an exponent: "< 0.0001" below that.
QString plainNumber(double value, int digits);
/// Which is fastest at the longest context, beside the first, what it costs, and how many variants
/// could not run. Empty: nothing was measured.
QString decodersSentence(const app::DecodersRecord& record, const QStringList& names);
/// Under which conditions: threads, capacity, text. `text`: its file; empty: there was none.
QStringList decodersGrounds(const app::DecodersRecord& record, const QString& text);

}  // namespace lapidary::views
