// SPDX-License-Identifier: Apache-2.0
// ByteTable of a session: y = table[x], the bytes of x taken as they are.
#include "kernels/integer/quantization_input.h"

namespace lapidary {
namespace {

constexpr std::int64_t table_size = 256;

class ByteTable final : public Kernel {
public:
    explicit ByteTable(Tensor table) : table_(std::move(table)) {}
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1u}; }
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (!is_byte(x.dtype()))
            context.fail("x: expected u8 or i8, found " + std::string(name_of(x.dtype())));
        const auto* from = static_cast<const std::byte*>(x.raw());
        const std::int64_t size = x.size();
        auto* to =
            static_cast<std::byte*>(context.output(0, table_.dtype(), x.shape()).mutable_raw());
        const auto* table = static_cast<const std::uint8_t*>(table_.raw());
        const auto body = [&](std::int64_t begin, std::int64_t end) {
            byte_element_kernels().look_up(table, from + begin, end - begin, to + begin);
        };
        if (size <= converted_grain) body(0, size);
        else context.threads().parallel_for(size, converted_grain, body);
    }

private:
    Tensor table_;
};

}  // namespace

std::unique_ptr<Kernel> make_byte_table(const KernelRequest& request, std::string& reason) {
    const Tensor* table = request.constant(1);
    if (!is_byte(request.input_type(0).dtype)) reason = "x is not known to be u8 or i8";
    else if (!table || !is_byte(table->dtype()) || table->size() != table_size)
        reason = "the table is no constant of 256 bytes";
    return reason.empty() ? std::make_unique<ByteTable>(*table) : nullptr;
}

}  // namespace lapidary
