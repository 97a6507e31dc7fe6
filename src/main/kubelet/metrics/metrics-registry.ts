import { goFloat } from '../../../shared/go/float.ts'
import { Histogram, MetricFamily, Value } from './metric-family.ts'
import type {
  CollectedFamily,
  LabelledSeries,
  MetricDescription,
  MetricType,
  Sample,
} from './metric-family.ts'

/**
 * Metrics and their text for Prometheus. Counting costs one look-up in a map and an addition. Only the values of labels that are
 * bounded, or are deleted, may be given: every set of values is kept.
 */
export class MetricsRegistry {
  readonly #families: CollectedFamily[] = []

  counter(description: MetricDescription): MetricFamily<Value> {
    return this.#add(new MetricFamily('counter', description, () => new Value()))
  }

  gauge(description: MetricDescription): MetricFamily<Value> {
    return this.#add(new MetricFamily('gauge', description, () => new Value()))
  }

  histogram(description: MetricDescription, bounds: readonly number[]): MetricFamily<Histogram> {
    return this.#add(new MetricFamily('histogram', description, () => new Histogram(bounds)))
  }

  /** Of what is counted elsewhere. `collect`: the series as they are now. */
  collected(
    type: MetricType,
    description: MetricDescription,
    collect: () => readonly LabelledSeries[],
  ): void {
    this.#families.push({
      type,
      description,
      get series() {
        return collect()
      },
    })
  }

  /** In the text format of Prometheus, version 0.0.4: sorted, metrics without a series left out. */
  text(): string {
    const families = this.#families.filter(({ series }) => series.length > 0)
    const inOrder = families.toSorted((a, b) => compare(a.description.name, b.description.name))
    return inOrder.map(familyText).join('')
  }

  #add<F extends MetricFamily<Value> | MetricFamily<Histogram>>(family: F): F {
    // Without labels it is there from the start.
    if (family.description.labels === undefined) family.with()
    this.#families.push(family)
    return family
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function familyText({ type, description, series }: CollectedFamily): string {
  const { name, labels = [] } = description
  const inOrder = series
    .map((one) => ({ ...one, labels: labelPairs(labels, one.values) }))
    .toSorted((a, b) => compareLists(a.labels, b.labels))
  const lines = inOrder.flatMap(({ labels: pairs, series: one }) =>
    one.samples().map((sample) => sampleLine(name, pairs, sample, one.at)),
  )
  return `# HELP ${name} ${helpText(description)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function helpText({ help, stability, deprecated }: MetricDescription): string {
  const since = deprecated === undefined ? '' : `(Deprecated since ${deprecated}) `
  const text = stability === undefined ? help : `[${stability}] ${since}${help}`
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

/** By the names of the labels. */
function labelPairs(names: readonly string[], values: readonly string[]): readonly string[] {
  return names
    .map((name, index) => [name, values[index] ?? ''] as const)
    .toSorted(([a], [b]) => compare(a, b))
    .map(([name, value]) => `${name}="${escaped(value)}"`)
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((item, at) => item !== b[at])
  return index === -1 ? 0 : compare(a[index] ?? '', b[index] ?? '')
}

function sampleLine(
  name: string,
  labels: readonly string[],
  { suffix, le, value }: Sample,
  at: number | undefined,
): string {
  const pairs = le === undefined ? labels : [...labels, `le="${goFloat(le)}"`]
  const braces = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
  const time = at === undefined ? '' : ` ${Math.trunc(at)}`
  return `${name}${suffix}${braces} ${goFloat(value)}${time}\n`
}
