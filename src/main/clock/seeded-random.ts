import type { Random } from '../kubelet/ports.ts'

// FNV-1a over the name, mixed with the parent's seed: forks do not depend on how many draws were made before.
function mix(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < name.length; index++) {
    hash ^= name.charCodeAt(index)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}

/** mulberry32: small, fast, good enough for jitter; the same seed gives the same run on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    next: () => {
      state = (state + 0x6d2b79f5) >>> 0
      let t = state
      t = Math.imul(t ^ (t >>> 15), t | 1)
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296
    },
    fork: (name) => seededRandom(mix(seed, name)),
  }
}
