/** One value of a metric. `le` is among the labels of a bucket. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?[ \t]+(\S+)/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g

const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }

function labelsOf(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(label)].map(([, name = '', value = '']) => [
    name,
    value.replace(/\\[n"\\]/g, (escape) => escapes[escape] ?? escape),
  ])
  return Object.fromEntries(pairs)
}

function numberOf(text: string): number {
  if (text === '+Inf' || text === 'Inf') return Infinity
  return text === '-Inf' ? -Infinity : Number(text)
}

/**
 * The samples of the wanted metrics in Prometheus' text format; a histogram's are `_bucket`, `_sum` and `_count`. Other lines
 * are passed over without being taken apart: a kubelet's text has thousands.
 */
export function samplesIn(text: string, wanted: ReadonlySet<string>): readonly Sample[] {
  const found: Sample[] = []
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const row = text.slice(start, end)
    start = end + 1
    if (row.startsWith('#') || !wanted.has(nameOf(row))) continue
    const [, name = '', labels = '', value = ''] = line.exec(row) ?? []
    if (name !== '') found.push({ name, labels: labelsOf(labels), value: numberOf(value) })
  }
  return found
}

/** A metric's own name: of `x_bucket{…}`, `x`. */
function nameOf(row: string): string {
  const end = row.search(/[{ \t]/)
  return row.slice(0, end === -1 ? undefined : end).replace(/_(?:bucket|sum|count)$/, '')
}
