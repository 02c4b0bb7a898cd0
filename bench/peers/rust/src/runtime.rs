//! Tokio's runtime as the options say.
use tokio::runtime::{Builder, Runtime};

/// The multi-thread runtime with so many workers, or the current-thread runtime.
pub fn of(threads: Option<usize>) -> std::io::Result<Runtime> {
    let mut builder = match threads {
        Some(count) => {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(count);
            builder
        }
        None => Builder::new_current_thread(),
    };
    builder.enable_io().build()
}
