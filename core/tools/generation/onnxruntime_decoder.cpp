// SPDX-License-Identifier: Apache-2.0
// A decoder in ONNX Runtime: what a program would write that keeps its caches by an IoBinding.
#include <cstring>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

#include "bench/onnxruntime/onnxruntime_session.h"
#include "generation/decoder_inputs.h"
#include "generation/onnxruntime_decoder.h"
#include "generation/timed_decoder.h"

namespace lapidary {
namespace {

std::size_t bytes_of(ort::Value* value, const OnnxRuntimeLibrary& library, Shape& shape,
                     DType& dtype) {
    const ort::Table& table = library.table();
    const auto check = [&](ort::Status* status) { library.check(status, "describe an output"); };
    OrtHeld<ort::ShapeInfo> info(table, ort::release_shape);
    check(table(ort::get_tensor_shape, value, info.out()));
    int type = 0;
    std::size_t rank = 0;
    check(table(ort::get_element_type, info.get(), &type));
    check(table(ort::get_rank, info.get(), &rank));
    shape.assign(rank, 0);
    check(table(ort::get_dimensions, info.get(), shape.data(), rank));
    dtype = static_cast<DType>(type);
    return static_cast<std::size_t>(element_count(shape)) * Tensor(dtype, Shape{1}).byte_size();
}

class OnnxRuntimeDecoder final : public TimedDecoder {
public:
    OnnxRuntimeDecoder(std::shared_ptr<const OnnxRuntimeLibrary> library,
                       const DecodingSetup& setup, PeerDecoder peer)
        : library_(std::move(library)), table_(library_->table()), peer_(std::move(peer)),
          capacity_(setup.capacity), before_(own_bytes()),
          model_(*library_, setup.model, setup.level, setup.resources),
          memory_(table_, ort::release_memory_info), binding_(table_, ort::release_binding),
          logits_(table_, ort::release_value) {
        library_->check(table_(ort::create_cpu_memory_info, 0, 0, memory_.out()),
                        "describe memory");
        library_->check(table_(ort::get_default_allocator, &allocator_), "allocate");
        library_->check(table_(ort::create_binding, model_.session.get(), binding_.out()),
                        "bind inputs");
        loaded_.load_ms = model_.load_ms;
        loaded_.storage = is_fixed() ? CacheStorage::fixed : CacheStorage::growing;
        loaded_.reason = peer_.growing_reason;
        loaded_.before_bytes = before_;
        loaded_.loaded_bytes = own_bytes();
    }

private:
    bool is_fixed() const { return peer_.is_fixed; }

    OrtHeld<ort::Value> value_over(Tensor& tensor) const {
        OrtHeld<ort::Value> value(table_, ort::release_value);
        library_->check(
            table_(ort::create_tensor_over, memory_.get(), tensor.mutable_raw(), tensor.byte_size(),
                   tensor.shape().data(), static_cast<std::size_t>(tensor.rank()),
                   static_cast<int>(tensor.dtype()), value.out()),
            "make an input");
        return value;
    }

    /// Caches without a row in use. Fixed ones stay where they are: what is behind the rows in use
    /// is not read.
    void forget() override {
        length_ = 0;
        all_.clear();
        if (is_fixed() && !caches_.empty()) return;
        caches_.clear();
        values_.clear();
        for (const DecoderCache& cache : peer_.model.caches) {
            Shape shape = cache.shape;
            if (shape[0] < 0) shape[0] = 1;
            shape[cache.axis] = is_fixed() ? capacity_ : 0;
            Tensor& tensor = caches_.emplace_back(cache.dtype, std::move(shape));
            if (tensor.byte_size() != 0) std::memset(tensor.mutable_raw(), 0, tensor.byte_size());
            values_.push_back(value_over(tensor));
        }
        // Outputs are given in the order in which they are bound first.
        bind(ort::bind_output_to_memory, peer_.model.logits, memory_.get());
        for (std::size_t i = 0; is_fixed() && i < values_.size(); ++i) {
            bind(ort::bind_input, peer_.model.caches[i].input, values_[i].get());
            bind(ort::bind_output, peer_.model.caches[i].output, values_[i].get());
        }
    }

    std::span<const float> feed(std::span<const std::int64_t> tokens) override {
        if (!peer_.model.caches.empty()) return run(tokens, length_);
        all_.insert(all_.end(), tokens.begin(), tokens.end());
        return run(all_, 0);
    }

    std::span<const float> run(std::span<const std::int64_t> tokens, std::int64_t before) {
        const auto count = static_cast<std::int64_t>(tokens.size());
        const std::int64_t rows =
            is_fixed() && peer_.mask_has_capacity ? capacity_ : before + count;
        const TokenPlace place{1, before, count, rows};
        std::vector<Tensor> inputs;
        std::vector<OrtHeld<ort::Value>> held;
        for (const DecoderPort& port : peer_.model.inputs) {
            inputs.push_back(decoder_input(port, place, tokens.data()));
            held.push_back(value_over(inputs.back()));
            bind(ort::bind_input, port.name, held.back().get());
        }
        bind(ort::bind_output_to_memory, peer_.model.logits, memory_.get());
        for (std::size_t i = 0; !is_fixed() && i < values_.size(); ++i) {
            bind(ort::bind_input, peer_.model.caches[i].input, values_[i].get());
            bind(ort::bind_output_to_memory, peer_.model.caches[i].output, memory_.get());
        }
        logits_.reset();
        library_->check(
            table_(ort::run_with_binding, model_.session.get(), nullptr, binding_.get()),
            "run the model");
        take_outputs();
        length_ = before + count;
        return last_logits();
    }

    template <typename T>
    void bind(ort::Slot<ort::Status*(ort::IoBinding*, const char*, const T*)> slot,
              const std::string& name, const T* to) const {
        library_->check(table_(slot, binding_.get(), name.c_str(), to), "bind a value");
    }

    /// The logits, then the caches.
    void take_outputs() {
        ort::Value** values = nullptr;
        std::size_t count = 0;
        library_->check(table_(ort::get_bound_outputs, binding_.get(), allocator_, &values, &count),
                        "give outputs");
        for (std::size_t i = 0; i < count; ++i) {
            if (i == 0) *logits_.out() = values[i];
            else if (!is_fixed()) *values_.at(i - 1).out() = values[i];
            else table_(ort::release_value, values[i]);
        }
        library_->check(table_(ort::allocator_free, allocator_, values), "free a list");
    }

    std::span<const float> last_logits() {
        Shape shape;
        DType dtype = DType::undefined;
        bytes_of(logits_.get(), *library_, shape, dtype);
        if (shape.size() != 3 || shape[2] < 1)
            fail_unsupported("ONNX Runtime's logits have shape " + to_string(shape) +
                             ", expected [sequences,tokens,vocabulary]");
        void* data = nullptr;
        library_->check(table_(ort::get_tensor_data, logits_.get(), &data), "read an output");
        const auto vocabulary = static_cast<std::size_t>(shape[2]);
        const auto from = static_cast<std::size_t>(shape[1] - 1) * vocabulary;
        if (dtype == DType::f32) return {static_cast<const float*>(data) + from, vocabulary};
        widened_.resize(vocabulary);
        const auto widen = [&]<typename T>(const T* all) {
            for (std::size_t i = 0; i < vocabulary; ++i)
                widened_[i] = static_cast<float>(all[from + i]);
        };
        if (dtype == DType::f16) widen(static_cast<const Half*>(data));
        else widen(static_cast<const BFloat16*>(data));
        return widened_;
    }

    std::uint64_t cache_bytes() const override {
        std::uint64_t bytes = 0;
        for (const OrtHeld<ort::Value>& value : values_) {
            Shape shape;
            DType dtype = DType::undefined;
            bytes += bytes_of(value.get(), *library_, shape, dtype);
        }
        return bytes;
    }

    std::shared_ptr<const OnnxRuntimeLibrary> library_;
    const ort::Table& table_;
    PeerDecoder peer_;
    std::int64_t capacity_;
    std::optional<std::uint64_t> before_;
    OrtModel model_;
    OrtHeld<ort::MemoryInfo> memory_;
    OrtHeld<ort::IoBinding> binding_;
    ort::Allocator* allocator_ = nullptr;
    std::vector<Tensor> caches_;
    std::vector<OrtHeld<ort::Value>> values_;  // of the caches
    OrtHeld<ort::Value> logits_;
    std::vector<float> widened_;
    std::vector<std::int64_t> all_;  // tokens so far, where there are no caches
    std::int64_t length_ = 0;
};

}  // namespace

std::unique_ptr<DecodingEngine> open_peer_decoder(const DecodingSetup& setup,
                                                  const std::filesystem::path& place,
                                                  PeerDecoder peer) {
    if (setup.storage == CacheStorage::fixed && !peer.is_fixed)
        fail_unsupported("caches of fixed size in ONNX Runtime: " + peer.growing_reason);
    const OnnxRuntimePlaces places = find_onnxruntime(machine_search(place));
    if (places.libraries.empty())
        fail_unsupported(places.pythons.at(0).string() +
                         " is a Python interpreter; decoders need the C library of ONNX Runtime, "
                         "which the folder of an installed package may hold");
    return std::make_unique<OnnxRuntimeDecoder>(OnnxRuntimeLibrary::load(places), setup,
                                                std::move(peer));
}

std::unique_ptr<DecodingEngine> open_onnxruntime_decoder(const DecodingSetup& setup,
                                                         const std::filesystem::path& place,
                                                         const Progress& progress) {
    return open_peer_decoder(setup, place,
                             peer_decoder(load_model(setup.model, {}, progress), setup.storage));
}

}  // namespace lapidary
