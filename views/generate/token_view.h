// SPDX-License-Identifier: GPL-3.0-or-later
// The prompt and the tokens behind it, which are added as they come.
#pragma once

#include <QPlainTextEdit>

#include <cstdint>
#include <vector>

#include "worker/protocol/generate_record.h"

namespace lapidary::views {

class TokenView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit TokenView(QWidget* parent = nullptr);
    /// The tokens of the record's first side. Those for which the second would have chosen another
    /// are marked; the tool tip names it.
    void setTokens(const std::vector<std::int64_t>& prompt, const app::GenerateRecord* record);
    std::size_t markedCount() const { return marked_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void append(std::size_t first);
    std::vector<std::int64_t> prompt_, tokens_, other_;
    std::size_t marked_ = 0;
};

}  // namespace lapidary::views
