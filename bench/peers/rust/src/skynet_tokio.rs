//! A task with ten children, each with ten, down to a million leaves; see skynet_work in bench/tasks/works.hpp.
//!
//!     eddy-bench-skynet-tokio THREADS SECONDS
mod measure;

use std::future::Future;
use std::pin::Pin;

const LEAVES: u64 = 1_000_000;
const CHILDREN: u64 = 10;

fn skynet(first: u64, leaves: u64) -> Pin<Box<dyn Future<Output = u64> + Send>> {
    Box::pin(async move {
        if leaves == 1 {
            return first;
        }
        let share = leaves / CHILDREN;
        let children: Vec<_> = (0..CHILDREN).map(|child| tokio::spawn(skynet(first + child * share, share))).collect();
        let mut sum = 0;
        for child in children {
            sum += child.await.unwrap();
        }
        sum
    })
}

fn main() {
    let measurement = measure::parse();
    measurement.repeat(LEAVES, || {
        // The root, too, is a task of the runtime's, as block_on alone would run it outside of the workers.
        let sum = measurement.runtime.block_on(async { tokio::spawn(skynet(0, LEAVES)).await.unwrap() });
        assert_eq!(sum, LEAVES * (LEAVES - 1) / 2);
    });
}
