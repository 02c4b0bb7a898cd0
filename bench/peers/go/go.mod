module eddy.bench/peers

go 1.24
