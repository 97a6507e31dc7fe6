/** `scope-node-1`, `scope-node-2`, …: the first as given, the others numbered from there. */
export function nodeNames(first: string, count: number): readonly string[] {
  const [, stem = `${first}-`, digits = '1'] = /^(.*-)(\d{1,6})$/.exec(first) ?? []
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? first : `${stem}${Number(digits) + index}`,
  )
}
