/** Where a problem stands, as the beginning of its sentence; empty where that is not known. */
export function placeText({
  line,
  column,
}: {
  readonly line: number | null
  readonly column: number | null
}): string {
  if (line === null) return ''
  return column === null ? `line ${line}: ` : `line ${line}, column ${column}: `
}
