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

/** The slope of the line that fits the points best. */
export function slope(points) {
  const mean = (column) => points.reduce((sum, point) => sum + point[column], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const products = points.map(([left, right]) => [(left - x) * (right - y), (left - x) ** 2])
  const sum = (column) => products.reduce((total, one) => total + one[column], 0)
  return sum(0) / sum(1)
}
