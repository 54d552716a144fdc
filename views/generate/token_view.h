// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt and the tokens behind it, which are added as they come.
#pragma once

#include <QPlainTextEdit>

#include <cstdint>
#include <string>
#include <vector>

#include "worker/protocol/generate_record.h"

namespace lapidary::views {

class TokenView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit TokenView(QWidget* parent = nullptr);
    /// The tokens of the record's first side, as text where it has one. Those for which the second
    /// would have chosen another are marked; the tool tip names it. `prompt`: the text that the
    /// record's prompt was made of; empty: it was tokens. Null: nothing.
    void setRecord(const app::GenerateRecord* record, const QString& prompt);
    std::size_t markedCount() const { return marked_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void append(std::size_t first);
    QString wordOf(std::size_t token) const;
    QString prompt_;
    std::vector<std::int64_t> tokens_, other_;
    std::vector<std::string> pieces_;  // the tokens as text; empty: as numbers
    std::size_t marked_ = 0;
};

}  // namespace lapidary::views
