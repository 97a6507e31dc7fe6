package cm

// NodescopeCPUWeight is cpu.weight of cgroups v2 for an amount of shares.
func NodescopeCPUWeight(shares uint64) uint64 { return cpuSharesToCPUWeight(shares) }
