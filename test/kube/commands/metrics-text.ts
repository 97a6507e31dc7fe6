/** A metric of Prometheus' text format. */
export interface MetricText {
  readonly help: string
  readonly type: string
  /** With labels and values. */
  readonly lines: readonly string[]
}

/** The metrics of a text, by name. */
export function metricsIn(text: string): ReadonlyMap<string, MetricText> {
  const found = new Map<string, MetricText>()
  for (const block of text.split(/^# HELP /m).slice(1)) {
    const [head = '', typeLine = '', ...lines] = block.split('\n')
    const [name = '', ...help] = head.split(' ')
    const type = typeLine.split(' ').at(-1) ?? ''
    found.set(name, { help: help.join(' '), type, lines: lines.filter((line) => line !== '') })
  }
  return found
}

/** The names of the labels of each line, and the bounds of buckets; each once, sorted. */
export function shapeOf({ lines }: MetricText): readonly string[] {
  const shapes = lines.map((line) => {
    const [, name = '', labels = ''] = /^([a-z_:]+)(?:\{(.*)\})? /i.exec(line) ?? []
    const names = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/gi)].map(
      ([, label = '', value = '']) => (label === 'le' ? `le=${value}` : label),
    )
    return `${name}{${names.join(',')}}`
  })
  return [...new Set(shapes)].toSorted()
}
