// SPDX-License-Identifier: Apache-2.0
// StringConcat, StringSplit, RegexFullMatch.
#include <algorithm>

#include "kernels/reference/movement/element_copy.h"
#include "kernels/reference/sequence/regex_program.h"
#include "kernels/text_room.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

std::span<const std::string> strings_of(KernelContext& context, std::size_t index) {
    const Tensor& tensor = context.input(index);
    if (tensor.dtype() != DType::string)
        context.fail("input " + std::to_string(index) + " must hold strings, found " +
                     describe(tensor));
    return tensor.data<std::string>();
}

constexpr std::string_view white_space = " \t\n\v\f\r";

// Calls `take` with each piece of one string; `most` splits at the most (negative: no bound). An
// empty delimiter means runs of white space, of which none makes an empty piece.
template <typename F>
void for_each_piece(std::string_view text, std::string_view delimiter, std::int64_t most,
                    F&& take) {
    const bool blank = delimiter.empty();
    const auto skip_blank = [&] {
        text.remove_prefix(std::min(text.find_first_not_of(white_space), text.size()));
    };
    if (blank) skip_blank();
    for (std::int64_t splits = 0; most < 0 || splits < most; ++splits) {
        const std::size_t at = blank ? text.find_first_of(white_space) : text.find(delimiter);
        if (at == std::string_view::npos) break;
        take(text.substr(0, at));
        text.remove_prefix(at + (blank ? 0 : delimiter.size()));
        if (blank) skip_blank();
    }
    if (!blank || !text.empty()) take(text);
}

/// Throws cancelled, when asked to, after some thousand pieces.
class PieceClock {
public:
    explicit PieceClock(const CancelToken& cancel) : cancel_(cancel) {}
    void tick() {
        if ((++pieces_ & 0xfff) == 0) cancel_.throw_if_cancelled();
    }

private:
    CancelToken cancel_;
    std::uint64_t pieces_ = 0;
};

}  // namespace

void string_concat(KernelContext& context) {
    const auto left = strings_of(context, 0), right = strings_of(context, 1);
    const Shape shape = broadcast_shapes(context.input(0).shape(), context.input(1).shape());
    const Shape left_strides = broadcast_strides(context.input(0).shape(), shape),
                right_strides = broadcast_strides(context.input(1).shape(), shape);
    auto out = context.output(0, DType::string, shape).mutable_data<std::string>();
    TextRoom room(context);
    PieceClock clock(context.cancel());
    for (std::size_t i = 0; i < out.size(); ++i) {
        clock.tick();
        std::int64_t rest = static_cast<std::int64_t>(i), l = 0, r = 0;
        for (std::size_t d = shape.size(); d-- > 0;) {
            l += rest % shape[d] * left_strides[d];
            r += rest % shape[d] * right_strides[d];
            rest /= shape[d];
        }
        const std::string &a = left[static_cast<std::size_t>(l)],
                          &b = right[static_cast<std::size_t>(r)];
        room.take(a);
        room.take(b);
        out[i] = a + b;
    }
}

void string_split(KernelContext& context) {
    const auto texts = strings_of(context, 0);
    const std::string delimiter = context.node().string_attribute("delimiter", "");
    const std::int64_t most = context.node().int_attribute("maxsplit", -1);
    // Counted first: the pieces themselves are asked for from the limits before they take memory.
    PieceClock clock(context.cancel());
    Shape shape = context.input(0).shape();
    const auto counts = context.output(1, DType::i64, shape).mutable_data<std::int64_t>();
    std::int64_t widest = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        counts[i] = 0;
        for_each_piece(texts[i], delimiter, most, [&](std::string_view) {
            clock.tick();
            ++counts[i];
        });
        widest = std::max(widest, counts[i]);
    }
    shape.push_back(widest);
    const auto out = context.output(0, DType::string, shape).mutable_data<std::string>();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::size_t at = i * static_cast<std::size_t>(widest);
        for_each_piece(texts[i], delimiter, most, [&](std::string_view piece) {
            clock.tick();
            out[at++] = piece;
        });
        const std::size_t end = (i + 1) * static_cast<std::size_t>(widest);
        while (at < end) out[at++].clear();
    }
}

void regex_full_match(KernelContext& context) {
    const auto texts = strings_of(context, 0);
    if (!context.node().has_attribute("pattern"))
        context.fail("attribute \"pattern\" is required but missing");
    const RegexProgram program(context.node().string_attribute("pattern", ""));
    auto out = context.output(0, DType::boolean, context.input(0).shape()).mutable_data<bool>();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        out[i] = program.full_match(texts[i], context.cancel());
    }
}

}  // namespace lapidary::reference
