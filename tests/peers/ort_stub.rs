// SPDX-License-Identifier: Apache-2.0
//! The part of the crate `ort` that snippets use, declared only: to check their syntax and types without the crate.
pub type Result<T> = std::result::Result<T, Error>;
#[derive(Debug)]
pub struct Error;

pub mod session {
    pub mod builder {
        pub enum GraphOptimizationLevel {
            Disable,
            Level1,
            Level2,
            Level3,
            All,
        }
    }
    pub struct SessionBuilder;
    impl SessionBuilder {
        pub fn with_optimization_level(self, _: builder::GraphOptimizationLevel) -> crate::Result<Self> { Ok(self) }
        pub fn with_intra_threads(self, _: usize) -> crate::Result<Self> { Ok(self) }
        pub fn with_inter_threads(self, _: usize) -> crate::Result<Self> { Ok(self) }
        pub fn with_parallel_execution(self, _: bool) -> crate::Result<Self> { Ok(self) }
        pub fn with_dimension_override(self, _: impl AsRef<str>, _: i64) -> crate::Result<Self> { Ok(self) }
        pub fn with_config_entry(self, _: impl AsRef<str>, _: impl AsRef<str>) -> crate::Result<Self> { Ok(self) }
        pub fn with_optimized_model_path(self, _: impl AsRef<std::path::Path>) -> crate::Result<Self> { Ok(self) }
        pub fn with_memory_pattern(self, _: bool) -> crate::Result<Self> { Ok(self) }
        pub fn with_deterministic_compute(self, _: bool) -> crate::Result<Self> { Ok(self) }
        pub fn with_log_id(self, _: impl AsRef<str>) -> crate::Result<Self> { Ok(self) }
        pub fn with_log_level(self, _: crate::logging::LogLevel) -> crate::Result<Self> { Ok(self) }
        pub fn with_log_verbosity(self, _: core::ffi::c_int) -> crate::Result<Self> { Ok(self) }
        pub fn with_execution_providers(self, _: impl AsRef<[crate::ep::ExecutionProviderDispatch]>) -> crate::Result<Self> { Ok(self) }
        pub fn with_profiling(self, _: impl AsRef<std::path::Path>) -> crate::Result<Self> { Ok(self) }
        pub fn commit_from_file(&mut self, _: impl AsRef<std::path::Path>) -> crate::Result<Session> { Ok(Session) }
    }
    pub struct Session;
    impl Session {
        pub fn builder() -> crate::Result<SessionBuilder> { Ok(SessionBuilder) }
        pub fn run(&mut self, _: Vec<(String, crate::value::DynValue)>) -> crate::Result<SessionOutputs> { Err(crate::Error) }
    }
    pub struct SessionOutputs;
    impl std::ops::Index<&str> for SessionOutputs {
        type Output = crate::value::DynValue;
        fn index(&self, _: &str) -> &crate::value::DynValue { unimplemented!() }
    }
}

pub mod logging {
    pub enum LogLevel {
        Verbose,
        Info,
        Warning,
        Error,
        Fatal,
    }
}

pub mod ep {
    pub struct ExecutionProviderDispatch;
    impl ExecutionProviderDispatch {
        pub fn error_on_failure(self) -> Self { self }
    }
    pub trait ArbitrarilyConfigurableExecutionProvider {
        fn with_arbitrary_config(self, key: impl ToString, value: impl ToString) -> Self;
    }
    macro_rules! provider { ($($name:ident),*) => { $(
        #[derive(Default)]
        pub struct $name;
        impl $name {
            pub fn build(self) -> ExecutionProviderDispatch { ExecutionProviderDispatch }
        }
    )* } }
    macro_rules! arbitrary { ($($name:ident),*) => { $(
        impl ArbitrarilyConfigurableExecutionProvider for $name {
            fn with_arbitrary_config(self, _: impl ToString, _: impl ToString) -> Self { self }
        }
    )* } }
    provider!(CPU, CUDA, TensorRT, DirectML, CoreML, OpenVINO, QNN);
    arbitrary!(CUDA, TensorRT, CoreML, OpenVINO, QNN);
    impl CPU {
        pub fn with_arena_allocator(self, _: bool) -> Self { self }
    }
    impl DirectML {
        pub fn with_device_id(self, _: i32) -> Self { self }
        pub fn with_performance_preference(self, _: directml::PerformancePreference) -> Self { self }
        pub fn with_device_filter(self, _: directml::DeviceFilter) -> Self { self }
    }
    pub mod directml {
        pub enum PerformancePreference {
            Default,
            HighPerformance,
            MinimumPower,
        }
        pub enum DeviceFilter {
            Gpu,
            Npu,
            Any,
        }
    }
}

pub mod tensor {
    pub trait PrimitiveTensorElementType {}
    macro_rules! primitive { ($($t:ty),*) => { $(impl PrimitiveTensorElementType for $t {})* } }
    primitive!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool);
}

pub mod value {
    pub struct DynValue;
    impl DynValue {
        pub fn try_extract_tensor<T: crate::tensor::PrimitiveTensorElementType>(&self) -> crate::Result<(&[i64], &[T])> { Err(crate::Error) }
        pub fn dtype(&self) -> &'static str { "" }
    }
    pub struct Tensor;
    impl Tensor {
        pub fn from_array<T: crate::tensor::PrimitiveTensorElementType>(_: (Vec<i64>, Vec<T>)) -> crate::Result<Tensor> { Ok(Tensor) }
        pub fn from_string_array(_: (Vec<i64>, &[&str])) -> crate::Result<Tensor> { Ok(Tensor) }
    }
    impl From<Tensor> for DynValue {
        fn from(_: Tensor) -> DynValue { DynValue }
    }
}

#[macro_export]
macro_rules! inputs {
    ($($name:expr => $value:expr),* $(,)?) => { vec![$((($name).to_string(), $crate::value::DynValue::from($value))),*] };
}
