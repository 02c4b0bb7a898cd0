//! fib(25), whose two calls run at the same time; see fib_work in bench/tasks/works.hpp.
//!
//!     eddy-bench-fib-tokio THREADS SECONDS
mod measure;

use std::future::Future;
use std::pin::Pin;

const NUMBER: u64 = 25;
const RESULT: u64 = 75_025;
const CALLS: u64 = 242_785;

fn fib(number: u64) -> Pin<Box<dyn Future<Output = u64> + Send>> {
    Box::pin(async move {
        if number < 2 {
            return number;
        }
        let larger = tokio::spawn(fib(number - 1));
        let smaller = fib(number - 2).await;
        smaller + larger.await.unwrap()
    })
}

fn main() {
    let measurement = measure::parse();
    measurement.repeat(CALLS, || {
        let result = measurement.runtime.block_on(async { tokio::spawn(fib(NUMBER)).await.unwrap() });
        assert_eq!(result, RESULT);
    });
}
