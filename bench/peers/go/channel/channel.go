// Producers and consumers of a channel; see channel_work in bench/tasks/works.hpp.
//
//	eddy-bench-channel-go THREADS SECONDS PRODUCERS CONSUMERS
package main

import (
	"fmt"
	"os"
	"sync"

	"eddy.bench/peers/measure"
)

const (
	capacity = 1024
	items    = 1_000_000
)

type consumed struct {
	count uint64
	sum   uint64
}

func consume(from <-chan uint64) consumed {
	var got consumed
	for number := range from {
		got.count++
		got.sum += number
	}
	return got
}

func produceAndConsume(producers, consumers uint64) consumed {
	channel := make(chan uint64, capacity)
	results := make(chan consumed, consumers)
	for at := uint64(0); at < consumers; at++ {
		go func() { results <- consume(channel) }()
	}
	var producing sync.WaitGroup
	for at := uint64(0); at < producers; at++ {
		producing.Add(1)
		go func(first, end uint64) {
			defer producing.Done()
			for number := first; number < end; number++ {
				channel <- number
			}
		}(items*at/producers, items*(at+1)/producers)
	}
	producing.Wait()
	close(channel)
	var all consumed
	for at := uint64(0); at < consumers; at++ {
		got := <-results
		all.count += got.count
		all.sum += got.sum
	}
	return all
}

func main() {
	measurement := measure.Parse()
	if len(measurement.Arguments) != 2 {
		fmt.Fprintln(os.Stderr, "the arguments are THREADS SECONDS PRODUCERS CONSUMERS")
		os.Exit(2)
	}
	measurement.Repeat(items, func() {
		all := produceAndConsume(measurement.Arguments[0], measurement.Arguments[1])
		measure.Expect(items, all.count)
		measure.Expect(items*(items-1)/2, all.sum)
	})
}
