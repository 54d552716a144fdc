// SPDX-License-Identifier: Apache-2.0
#include "bench/onnxruntime_session.h"

#include <chrono>
#include <cstring>
#include <utility>

#include <lapidary/error.h>

namespace lapidary {
namespace {

constexpr int severity_error = 3;

/// An object of ONNX Runtime with the function that releases it.
template <typename T>
class Held {
public:
    Held(const ort::Table& table, ort::Slot<void(T*)> release) : table_(&table), release_(release) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    Held(Held&& other) noexcept
        : table_(other.table_), release_(other.release_), object_(std::exchange(other.object_, nullptr)) {}
    ~Held() { reset(); }
    T* get() const { return object_; }
    T** out() {
        reset();
        return &object_;
    }

private:
    void reset() {
        if (object_) (*table_)(release_, object_);
        object_ = nullptr;
    }
    const ort::Table* table_;
    ort::Slot<void(T*)> release_;
    T* object_ = nullptr;
};

int ort_level(Level level) {
    switch (level) {
        case Level::disabled: return 0;
        case Level::basic: return 1;
        case Level::extended: return 2;
        case Level::all:
        case Level::session: break;
    }
    return 99;
}

class OnnxRuntimeSession final : public InProcessEngine {
public:
    OnnxRuntimeSession(std::shared_ptr<const OnnxRuntimeLibrary> library, const BenchConfiguration& configuration)
        : library_(std::move(library)),
          table_(library_->table()),
          memory_(table_, ort::release_memory_info),
          env_(table_, ort::release_env),
          session_(table_, ort::release_session) {
        library_->check(table_(ort::create_env, severity_error, "lapidary", env_.out()), "start");
        library_->check(table_(ort::create_cpu_memory_info, 0, 0, memory_.out()), "describe memory");
        library_->check(table_(ort::get_default_allocator, &allocator_), "allocate");
        Held<ort::SessionOptions> options(table_, ort::release_session_options);
        library_->check(table_(ort::create_session_options, options.out()), "make options");
        library_->check(table_(ort::set_log_severity, options.get(), severity_error), "set its log severity");
        library_->check(table_(ort::set_optimization_level, options.get(), ort_level(configuration.level)),
                        "set its level");
        library_->check(table_(ort::set_intra_threads, options.get(), configuration.intra_threads), "set its threads");
        library_->check(table_(ort::set_inter_threads, options.get(), configuration.inter_threads), "set its threads");
        library_->check(table_(ort::set_execution_mode, options.get(), configuration.inter_threads > 1 ? 1 : 0),
                        "set its mode");
        const auto start = std::chrono::steady_clock::now();
        library_->check(
            table_(ort::create_session, env_.get(), configuration.model.c_str(), options.get(), session_.out()),
            "load the model");
        load_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        for (const auto& [name, value] : configuration.inputs) add_input(name, value);
        name_outputs();
    }

    NamedValues outputs() override {
        run_keeping();
        NamedValues values;
        for (std::size_t i = 0; i < output_values_.size(); ++i)
            values.emplace_back(output_names_[i], tensor_of(output_values_[i]));
        release_outputs();
        return values;
    }

private:
    void run() override {
        run_keeping();
        release_outputs();
    }

    void run_keeping() {
        library_->check(
            table_(ort::run, session_.get(), nullptr, input_name_pointers_.data(), input_values_.data(),
                   input_values_.size(), output_name_pointers_.data(), output_values_.size(), output_values_.data()),
            "run the model");
    }

    void release_outputs() {
        for (ort::Value*& value : output_values_) {
            if (value) table_(ort::release_value, value);
            value = nullptr;
        }
    }

    void add_input(const std::string& name, const RuntimeValue& value) {
        if (!value.is_tensor())
            fail_unsupported("input " + quote(name) + " is no tensor; ONNX Runtime is given tensors only");
        const Tensor& tensor = value.tensor();
        kept_.push_back(tensor);
        Held<ort::Value>& held = inputs_.emplace_back(table_, ort::release_value);
        const int type = static_cast<int>(tensor.dtype());  // both number element types as ONNX does
        const auto rank = static_cast<std::size_t>(tensor.rank());
        if (tensor.dtype() == DType::string) {
            library_->check(table_(ort::create_tensor, allocator_, tensor.shape().data(), rank, type, held.out()),
                            "make an input");
            std::vector<const char*> texts;
            for (const std::string& text : tensor.data<std::string>()) texts.push_back(text.c_str());
            library_->check(table_(ort::fill_string_tensor, held.get(), texts.data(), texts.size()), "fill an input");
        } else {
            library_->check(table_(ort::create_tensor_over, memory_.get(), const_cast<void*>(tensor.raw()),
                                   tensor.byte_size(), tensor.shape().data(), rank, type, held.out()),
                            "make an input");
        }
        input_names_.push_back(name);
        input_values_.push_back(held.get());
        input_name_pointers_.clear();
        for (const std::string& n : input_names_) input_name_pointers_.push_back(n.c_str());
    }

    void name_outputs() {
        std::size_t count = 0;
        library_->check(table_(ort::get_output_count, session_.get(), &count), "count outputs");
        for (std::size_t i = 0; i < count; ++i) {
            char* name = nullptr;
            library_->check(table_(ort::get_output_name, session_.get(), i, allocator_, &name), "name an output");
            output_names_.emplace_back(name);
            library_->check(table_(ort::allocator_free, allocator_, name), "free a name");
        }
        for (const std::string& n : output_names_) output_name_pointers_.push_back(n.c_str());
        output_values_.assign(count, nullptr);
    }

    /// A copy; empty for what is no tensor.
    RuntimeValue tensor_of(ort::Value* value) const {
        int is_tensor = 0;
        if (!value) return {};
        library_->check(table_(ort::is_tensor, value, &is_tensor), "describe an output");
        if (!is_tensor) return {};
        Held<ort::ShapeInfo> info(table_, ort::release_shape);
        library_->check(table_(ort::get_tensor_shape, value, info.out()), "describe an output");
        int type = 0;
        std::size_t rank = 0;
        library_->check(table_(ort::get_element_type, info.get(), &type), "describe an output");
        library_->check(table_(ort::get_rank, info.get(), &rank), "describe an output");
        Shape shape(rank);
        library_->check(table_(ort::get_dimensions, info.get(), shape.data(), rank), "describe an output");
        if (!is_known_dtype(type)) return {};
        Tensor tensor(static_cast<DType>(type), shape);
        if (tensor.dtype() == DType::string) {
            copy_strings(value, tensor);
            return tensor;
        }
        void* data = nullptr;
        library_->check(table_(ort::get_tensor_data, value, &data), "read an output");
        if (tensor.byte_size() > 0) std::memcpy(tensor.mutable_raw(), data, tensor.byte_size());
        return tensor;
    }

    void copy_strings(ort::Value* value, Tensor& tensor) const {
        std::size_t bytes = 0;
        library_->check(table_(ort::get_string_bytes, value, &bytes), "read strings");
        std::string all(bytes, '\0');
        const auto texts = tensor.mutable_data<std::string>();
        std::vector<std::size_t> offsets(texts.size() + 1, bytes);
        library_->check(table_(ort::get_strings, value, all.data(), bytes, offsets.data(), texts.size()),
                        "read strings");
        for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = all.substr(offsets[i], offsets[i + 1] - offsets[i]);
    }

    std::shared_ptr<const OnnxRuntimeLibrary> library_;
    const ort::Table& table_;
    ort::Allocator* allocator_ = nullptr;
    Held<ort::MemoryInfo> memory_;
    Held<ort::Env> env_;
    Held<ort::Session> session_;
    std::vector<Tensor> kept_;  // what the inputs lie in
    std::vector<Held<ort::Value>> inputs_;
    std::vector<std::string> input_names_, output_names_;
    std::vector<const char*> input_name_pointers_, output_name_pointers_;
    std::vector<const ort::Value*> input_values_;
    std::vector<ort::Value*> output_values_;
};

}  // namespace

std::unique_ptr<BenchEngine> open_onnxruntime_session(std::shared_ptr<const OnnxRuntimeLibrary> library,
                                                      const BenchConfiguration& configuration) {
    return std::make_unique<OnnxRuntimeSession>(std::move(library), configuration);
}

}  // namespace lapidary
