import { cpus, totalmem } from 'node:os'

function median(values) {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The median of each figure over the runs, with the least and the most. */
export function summary(runs) {
  return Object.fromEntries(
    Object.keys(runs[0]).map((key) => {
      const values = runs.map((one) => one[key])
      return [key, { median: median(values), min: Math.min(...values), max: Math.max(...values) }]
    }),
  )
}

/** The machine of the measurement. */
export function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
}

/** The median of the slopes between any two points: one that is far off does not count. */
export function slope(points) {
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).map(([laterX, laterY]) => (laterY - y) / (laterX - x)),
  )
  return median(slopes)
}
