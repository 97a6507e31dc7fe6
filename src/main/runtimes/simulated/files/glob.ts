import { patternExpression } from '../shell/pattern.ts'
import type { WorkingFolder } from './working-folder.ts'

/** The files that match a pattern, sorted. Names with a leading dot only match a pattern with one. */
export function filesMatching(files: WorkingFolder, pattern: string): readonly string[] {
  const isAbsolute = pattern.startsWith('/')
  let found = [isAbsolute ? '/' : '']
  for (const part of pattern.split('/').filter((name) => name !== '')) {
    const expression = patternExpression(part)
    const isPlain = !/(?<!\\)[*?[]/.test(part)
    found = found.flatMap((folder) => {
      if (isPlain) {
        const path = `${folder}${part.replaceAll(/\\(.)/g, '$1')}`
        return files.node(path, true).ok ? [`${path}/`] : []
      }
      const names = files.tree.list(files.absolute(folder === '' ? '.' : folder))
      const matching = (names.ok ? names.value : []).filter(
        (name) => expression.test(name) && (part.startsWith('.') || !name.startsWith('.')),
      )
      return matching.map((name) => `${folder}${name}/`)
    })
  }
  return found
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => path !== '' && files.node(path, true).ok)
    .toSorted()
}
