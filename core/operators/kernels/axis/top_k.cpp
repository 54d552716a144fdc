// SPDX-License-Identifier: Apache-2.0
// TopK of float, i32 and i64 tensors; other types by the reference kernel. A line is scanned once
// by vectors against the least element that is still among the k best so far; what passes is
// collected and cut down to k when the buffer is full, or put in its place where k is small. The
// result is sorted even where the node leaves the order open, so that it is the same each time.
#include <algorithm>

#include "kernels/axis/axis_lines.h"
#include "kernels/axis/element_reason.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/integer/workspace.h"
#include "kernels/movement/small_ints.h"
#include "kernels/vector/reduction/rank_filter.h"

namespace lapidary {
namespace {

template <typename T, typename Candidate>
struct Selection {
    AxisLines lines;
    std::int64_t k;
    bool smallest;
    const RankFilterKernels::Functions<T, Candidate>& functions;
    const T* from;
    T* values;
    std::int64_t* places;

    std::int64_t buffer() const {
        return std::min(lines.length, 2 * k + RankFilterKernels::most_at_once);
    }

    /// The best k of a line's elements [begin, end), or all where there are fewer, to the begin of
    /// `found`, unordered.
    std::int64_t best(const T* line, std::int64_t begin, std::int64_t end, Candidate* found) const {
        const std::int64_t room = buffer(), most = std::min(k, end - begin);
        std::int64_t next = begin, count = functions.filter(line, begin, end, smallest, nullptr,
                                                            found, room, &next);
        for (;;) {
            if (count > most) std::nth_element(found, found + most - 1, found + count);
            count = std::min(count, most);
            if (next == end) return count;
            const Candidate least = found[most - 1];
            count += functions.filter(line, next, end, smallest, &least, found + count,
                                      room - count, &next);
        }
    }

    /// Writes the values and indices of the k candidates of line (o, i).
    void write(std::int64_t o, std::int64_t i, const Candidate* found) const {
        const T* line = from + o * lines.length * lines.inner + i;
        for (std::int64_t j = 0; j < k; ++j) {
            const std::int64_t to = (o * k + j) * lines.inner + i, place = found[j].place();
            values[to] = line[place * lines.inner];
            places[to] = place;
        }
    }

    void one_line(std::int64_t line, Candidate* found, T* copy) const {
        const std::int64_t o = line / lines.inner, i = line % lines.inner;
        const T* source = from + o * lines.length * lines.inner + i;
        if (lines.inner != 1) {
            for (std::int64_t j = 0; j < lines.length; ++j) copy[j] = source[j * lines.inner];
            source = copy;
        }
        if (k <= RankFilterKernels::few) functions.first(source, lines.length, smallest, k, found);
        else {
            best(source, 0, lines.length, found);
            std::sort(found, found + k);
        }
        write(o, i, found);
    }

    void run(KernelContext& context) const {
        constexpr std::int64_t serial = 8192, long_part = 32768;  // elements
        const std::int64_t count = lines.outer * lines.inner, cost = lines.length + 16 * k;
        const std::int64_t threads = count * cost <= serial ? 1 : context.threads().threads();
        const std::int64_t parts =
            lines.inner != 1 || count >= threads
                ? 1
                : std::clamp<std::int64_t>(lines.length / long_part, 1, threads);
        const auto bytes = [](std::int64_t elements, std::size_t each) {
            return static_cast<std::size_t>(elements) * each;
        };
        enum class Part : std::uint8_t { found, copies, of_parts };
        Workspace<Part> work(
            context,
            {{Part::found, bytes(threads * buffer(), sizeof(Candidate))},
             {Part::copies, bytes(lines.inner == 1 ? 0 : threads * lines.length, sizeof(T))},
             {Part::of_parts, bytes(parts == 1 ? 0 : count * parts * k, sizeof(Candidate))}});
        auto *found = work.template part<Candidate>(Part::found),
             *of_parts = work.template part<Candidate>(Part::of_parts);
        T* copies = work.template part<T>(Part::copies);
        if (threads == 1) {
            for (std::int64_t line = 0; line < count; ++line) one_line(line, found, copies);
            return;
        }
        if (parts == 1) {
            const std::int64_t lines_each = std::max<std::int64_t>(1, serial / cost),
                               tasks = (count + lines_each - 1) / lines_each;
            context.threads().parallel_tasks(tasks, [&](std::int64_t task, int worker) {
                context.cancel().throw_if_cancelled();
                for (std::int64_t line = task * lines_each;
                     line < std::min(count, (task + 1) * lines_each); ++line)
                    one_line(line, found + worker * buffer(),
                             copies + (lines.inner == 1 ? 0 : worker * lines.length));
            });
            return;
        }
        // Few long lines: each in parts, then the best of the parts' best.
        const auto part_begin = [&](std::int64_t part) { return lines.length * part / parts; };
        context.threads().parallel_tasks(count * parts, [&](std::int64_t job, int worker) {
            context.cancel().throw_if_cancelled();
            const std::int64_t part = job % parts;
            Candidate* own = found + worker * buffer();
            const std::int64_t kept = best(from + job / parts * lines.length, part_begin(part),
                                           part_begin(part + 1), own);
            std::copy_n(own, kept, of_parts + job * k);
        });
        for (std::int64_t line = 0; line < count; ++line) {
            Candidate* all = of_parts + line * parts * k;
            std::int64_t together = 0;
            for (std::int64_t part = 0; part < parts; ++part) {
                const std::int64_t kept = std::min(k, part_begin(part + 1) - part_begin(part));
                std::copy_n(all + part * k, kept, all + together);
                together += kept;
            }
            if (together > k) std::nth_element(all, all + k - 1, all + together);
            std::sort(all, all + k);
            write(line, 0, all);
        }
    }
};

class TopKKernel final : public Kernel {
public:
    explicit TopKKernel(const Node& node)
        : table_(rank_filter_kernels()), axis_(node.int_attribute("axis", -1)),
          k_(node.version >= 10 ? -1 : node.int_attribute("k", 0)),
          smallest_(node.int_attribute("largest", 1) == 0) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        std::int64_t k = k_;
        if (k < 0) {
            SmallInts given;
            if (!given.read(context.input(1)) || given.count != 1)
                return context.run_on_reference(reference::top_k, "k is not one i64 or i32");
            k = given[0];
        }
        const std::int64_t axis = axis_ < 0 ? axis_ + x.rank() : axis_;
        if (axis < 0 || axis >= x.rank())
            return context.run_on_reference(reference::top_k, fallback::axis_outside);
        if (x.size() == 0) return context.run_on_reference(reference::top_k, fallback::no_elements);
        const std::int64_t length = x.dim(static_cast<std::size_t>(axis));
        if (k < 1 || k > length)
            return context.run_on_reference(reference::top_k, "k is 0 or more than the axis has");
        if (length > INT32_MAX)
            return context.run_on_reference(reference::top_k, fallback::long_line);
        switch (x.dtype()) {
        case DType::f32: return select<float>(context, x, axis, k, table_.of_f32);
        case DType::i32: return select<std::int32_t>(context, x, axis, k, table_.of_i32);
        case DType::i64: return select<std::int64_t>(context, x, axis, k, table_.of_i64);
        default: context.run_on_reference(reference::top_k, fallback::element_type);
        }
    }

private:
    template <typename T, typename Candidate>
    void select(KernelContext& context, const Tensor& x, std::int64_t axis, std::int64_t k,
                const RankFilterKernels::Functions<T, Candidate>& functions) const {
        Shape shape = x.shape();
        shape[static_cast<std::size_t>(axis)] = k;
        auto* values = static_cast<T*>(context.output(0, x.dtype(), shape).mutable_raw());
        auto* places =
            static_cast<std::int64_t*>(context.output(1, DType::i64, shape).mutable_raw());
        Selection<T, Candidate>{AxisLines(x.shape(), axis),     k,      smallest_, functions,
                                static_cast<const T*>(x.raw()), values, places}
            .run(context);
    }

    const RankFilterKernels& table_;
    std::int64_t axis_;
    std::int64_t k_;  // -1: an input
    bool smallest_;
};

}  // namespace

std::unique_ptr<Kernel> make_top_k(const KernelRequest& request, std::string& reason) {
    if (!takes_elements(request, {DType::f32, DType::i32, DType::i64}, reason)) return nullptr;
    return std::make_unique<TopKKernel>(request.node);
}

}  // namespace lapidary
