import { join } from 'node:path'

/** `scope-node-1`, `scope-node-2`, …: the first as given, the others numbered from there. */
export function nodeNames(first: string, count: number): readonly string[] {
  const [, stem = `${first}-`, digits = '1'] = /^(.*-)(\d{1,6})$/.exec(first) ?? []
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? first : `${stem}${Number(digits) + index}`,
  )
}

/** The manifest folder of a node of a sandbox, by its place among the nodes: the first has the user's. */
export function manifestFolderOf(
  { manifestsPath, dataFolder }: { readonly manifestsPath: string; readonly dataFolder: string },
  node: string,
  index: number,
): string {
  // Nothing is created next to the user's own manifest folder.
  return index === 0 ? manifestsPath : join(dataFolder, `manifests-${node}`)
}
