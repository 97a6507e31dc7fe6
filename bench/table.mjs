function text(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

/** The report as lines of columns: figure, median, range, unit, aim. */
export function table(report, measures) {
  const lines = []
  for (const measure of measures) {
    const result = report.results[measure.name]
    if (result === undefined) continue
    lines.push(`${measure.title} (${result.runs} runs)`)
    for (const [key, { title, unit, aim }] of Object.entries(measure.figures)) {
      const { median, min, max } = result.figures[key]
      const range = `${text(min)} to ${text(max)}`
      lines.push(
        `  ${title.padEnd(44)} ${text(median).padStart(10)} ${unit.padEnd(8)} ${range.padEnd(24)} ${aim === undefined ? '' : `aim ${aim}`}`.trimEnd(),
      )
    }
  }
  return lines.join('\n')
}

/** The report as a table in Markdown: a row for each figure, a column for each contender, `median (range)`. */
export function comparison(report, title, contenders, figures) {
  const cell = ({ median, min, max }, unit) => {
    const range = min === max ? '' : ` (${text(min)} to ${text(max)})`
    return `${text(median)} ${unit}`.trimEnd() + range
  }
  const row = (cells) => `| ${cells.join(' | ')} |`
  const columns = contenders.map(({ name }) => report.results[name].figures)
  return [
    row([title, ...contenders.map((contender) => contender.title)]),
    row(['---', ...columns.map(() => '---')]),
    ...Object.entries(figures).map(([key, figure]) =>
      row([figure.title, ...columns.map((results) => cell(results[key], figure.unit))]),
    ),
  ].join('\n')
}
