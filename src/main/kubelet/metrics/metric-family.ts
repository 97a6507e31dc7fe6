/** What a metric is called and what its HELP line says. `labels`: in the order in which their values are given. */
export interface MetricDescription {
  readonly name: string
  readonly help: string
  /** Written in front of the help, as Kubernetes' components do. Absent: nothing is. */
  readonly stability?: 'ALPHA' | 'BETA' | 'STABLE'
  /** The Kubernetes version since which it is deprecated. */
  readonly deprecated?: string
  readonly labels?: readonly string[]
}

/** One number of a metric, as the text has it. `suffix`: of a histogram. `le`: the upper bound of a bucket. */
export interface Sample {
  readonly suffix: '' | '_bucket' | '_sum' | '_count'
  readonly le?: number
  readonly value: number
}

/** The value of a metric for one set of labels. */
interface Series {
  readonly samples: () => readonly Sample[]
  /** ms since the epoch; undefined: none is written. */
  readonly at?: number | undefined
}

export type MetricType = 'counter' | 'gauge' | 'histogram'

/** A series with the values of its labels. */
export interface LabelledSeries<S extends Series = Series> {
  readonly values: readonly string[]
  readonly series: S
}

/** A metric as its text needs it. */
export interface CollectedFamily {
  readonly type: MetricType
  readonly description: MetricDescription
  /** In no particular order. */
  readonly series: readonly LabelledSeries[]
}

/** Separates label values in a key: no value of Kubernetes has it. */
const separator = '\u0000'

/** A metric with its series, one for each set of label values. */
export class MetricFamily<S extends Series> implements CollectedFamily {
  readonly type: MetricType
  readonly description: MetricDescription
  readonly #make: () => S
  readonly #series = new Map<string, LabelledSeries<S>>()

  constructor(type: MetricType, description: MetricDescription, make: () => S) {
    this.type = type
    this.description = description
    this.#make = make
  }

  /** The series of these label values; made when it is first asked for. */
  with(...values: readonly string[]): S {
    const key = values.length === 1 ? (values[0] ?? '') : values.join(separator)
    const found = this.#series.get(key)
    if (found !== undefined) return found.series
    const series = this.#make()
    this.#series.set(key, { values, series })
    return series
  }

  delete(...values: readonly string[]): void {
    this.#series.delete(values.join(separator))
  }

  get series(): readonly LabelledSeries<S>[] {
    return [...this.#series.values()]
  }
}

/** A number that only grows, or (as a gauge) any. */
export class Value implements Series {
  at: number | undefined
  #value = 0

  increment(by = 1): void {
    this.#value += by
  }

  /** `at`: when the value was measured, in ms. */
  set(value: number, at?: number): void {
    this.#value = value
    this.at = at
  }

  samples(): readonly Sample[] {
    return [{ suffix: '', value: this.#value }]
  }
}

/** Counts values by upper bounds. */
export class Histogram implements Series {
  readonly #bounds: readonly number[]
  /** Up to the last bucket that has a value; without spare capacity, as each probe has a histogram. */
  #counts: number[] = []
  #sum = 0
  #count = 0

  /** `bounds`: ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
  }

  observe(value: number): void {
    this.#sum += value
    this.#count++
    const index = this.#bounds.findIndex((bound) => value <= bound)
    if (index === -1) return
    if (index >= this.#counts.length)
      this.#counts = this.#counts.concat(Array<number>(index + 1 - this.#counts.length).fill(0))
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
  }

  samples(): readonly Sample[] {
    let total = 0
    const buckets = this.#bounds.map((le, index): Sample => {
      total += this.#counts[index] ?? 0
      return { suffix: '_bucket', le, value: total }
    })
    return [
      ...buckets,
      { suffix: '_bucket', le: Number.POSITIVE_INFINITY, value: this.#count },
      { suffix: '_sum', value: this.#sum },
      { suffix: '_count', value: this.#count },
    ]
  }
}
