// SPDX-License-Identifier: Apache-2.0
// The words of a profile. A node that ran a thousand times has a thousand spans and one label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// What a span says in words. Only views: the text belongs to a LabelTable or to the caller.
struct SpanText {
    std::string_view name;    // node name (or a made one), phase name
    std::string_view op;      // "Conv", "com.microsoft::Gelu", "MatMul + Add + Gelu (fused)"
    std::string_view kernel;  // "reference.conv"
    std::string_view shapes;  // "f32[1,3,224,224] x f32[64,3,7,7] -> f32[1,64,112,112]"
    std::string_view provider = "CPU";  // that ran it; of a copy: the one that is not the CPU
    /// why it ran on the plain reference kernel, chosen or handed to; empty: it did not
    std::string_view fallback;
    friend bool operator==(const SpanText&, const SpanText&) = default;  // letter by letter
};

/// A label of a LabelTable. The value 0 is the label of SpanText().
enum class LabelId : std::uint32_t {};

/// Each text once, and each combination of texts once: equal texts have equal labels. Labels and
/// references to texts stay valid while the table lives. A copy has the same labels.
class LabelTable {
public:
    /// Places of its texts in words().
    struct Label {
        /// of SpanText's members
        std::uint32_t name = 0, op = 0, kernel = 0, shapes = 0, provider = 0, fallback = 0;
        friend bool operator==(const Label&, const Label&) = default;  // number by number
    };

    LabelTable();  // has the label of SpanText()
    /// A table as it was: words() and labels() of another one. Throws invalid_input for a label
    /// that names a text which is not there, and where the label of SpanText() is missing.
    LabelTable(std::vector<std::string> words, std::vector<Label> labels);

    /// The label of this text, which is added where it is new.
    LabelId add(const SpanText& text);
    bool has(LabelId id) const { return index_of(id) < labels_.size(); }  // whether it is of here

    // The texts of a label, as in SpanText.
    const std::string& name(LabelId id) const { return words_[label(id).name]; }
    const std::string& op(LabelId id) const { return words_[label(id).op]; }
    const std::string& kernel(LabelId id) const { return words_[label(id).kernel]; }
    const std::string& shapes(LabelId id) const { return words_[label(id).shapes]; }
    const std::string& provider(LabelId id) const { return words_[label(id).provider]; }
    const std::string& fallback(LabelId id) const { return words_[label(id).fallback]; }
    SpanText text(LabelId id) const;  // all of them

    /// Of labels of one table: the numbers are equal where the texts are.
    const Label& label(LabelId id) const { return labels_[index_of(id)]; }
    const std::deque<std::string>& words() const { return words_; }  // the first is empty
    const std::vector<Label>& labels() const { return labels_; }     // by LabelId

private:
    static std::size_t index_of(LabelId id) { return static_cast<std::size_t>(id); }
    std::uint32_t word(std::string_view text);

    std::deque<std::string> words_;  // which stay where they are when others are added
    std::vector<Label> labels_;
    // Hash tables of places in the lists above; empty until something is added.
    std::vector<std::uint32_t> word_slots_, label_slots_;
};

}  // namespace lapidary
