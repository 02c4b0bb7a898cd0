//! Producers and a consumer of a channel; see channel_work in bench/tasks/works.hpp. Tokio's mpsc channel has one
//! receiver.
//!
//!     eddy-bench-channel-tokio THREADS SECONDS PRODUCERS 1
mod measure;

use tokio::sync::mpsc;

const CAPACITY: usize = 1024;
const ITEMS: u64 = 1_000_000;

async fn produce(to: mpsc::Sender<u64>, first: u64, end: u64) {
    for number in first..end {
        to.send(number).await.unwrap();
    }
}

async fn consume(mut from: mpsc::Receiver<u64>) -> (u64, u64) {
    let (mut count, mut sum) = (0, 0);
    while let Some(number) = from.recv().await {
        count += 1;
        sum += number;
    }
    (count, sum)
}

async fn produce_and_consume(producers: u64) -> (u64, u64) {
    let (sender, receiver) = mpsc::channel(CAPACITY);
    let consumer = tokio::spawn(consume(receiver));
    for at in 0..producers {
        tokio::spawn(produce(sender.clone(), ITEMS * at / producers, ITEMS * (at + 1) / producers));
    }
    drop(sender);
    consumer.await.unwrap()
}

fn main() {
    let measurement = measure::parse();
    let words: Vec<String> = std::env::args().skip(3).collect();
    let producers: u64 = match &words[..] {
        [producers, consumers] if consumers == "1" => producers.parse().unwrap(),
        _ => panic!("the arguments are THREADS SECONDS PRODUCERS 1"),
    };
    measurement.repeat(ITEMS, || {
        let got = measurement.runtime.block_on(produce_and_consume(producers));
        assert_eq!(got, (ITEMS, ITEMS * (ITEMS - 1) / 2));
    });
}
