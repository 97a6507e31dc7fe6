import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileHandbook, slugOf } from '../../scripts/handbook/compile.ts'
import { picturesOf, readSources } from '../../scripts/handbook/plugin.ts'
import type { HandbookPage } from '../../src/shared/handbook/page.ts'

export const root = join(import.meta.dirname, '../..')
export const handbook = join(root, 'docs/kubelet')

/** Every page of the handbook, in the order of the contents. The first section of each is the page itself. */
export function pages(): readonly HandbookPage[] {
  return compileHandbook(readSources(handbook), new Set(picturesOf(handbook)))
}

/** GitHub's anchors of the headings of a Markdown text, those in code blocks left out. */
export function anchorsIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '')
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugOf(heading))
}

/** The files under a folder of the repository, by their path from the root. */
export function filesUnder(folder: string, names: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => join(folder, name))
}

/** What decides a section, in the sources of Kubernetes. */
export interface Upstream {
  readonly anchor: string
  /** From the root of kubernetes/kubernetes. */
  readonly file: string
  /** Functions, methods, types, constants or variables that the file declares. */
  readonly names: readonly string[]
}

/** One section as it is written, from its heading on. */
function upstreamOf(page: string, section: string): readonly Upstream[] {
  const [title = ''] = /.*/.exec(section) ?? []
  const anchor = `${page}#${slugOf(title)}`
  const [, cited = ''] = /^Upstream: ([^]*?)\.?\n(?:\n|$)/m.exec(section) ?? []
  return [...cited.matchAll(/`([\w/.-]+\.go)`:((?:,?\s+`\w+`)+)/g)].map(
    ([, file = '', names = '']) => ({
      anchor,
      file,
      names: [...names.matchAll(/\w+/g)].map(String),
    }),
  )
}

/** The `Upstream:` lines of all sections. */
export function upstreamCitations(): readonly Upstream[] {
  return pages().flatMap(({ name }) => {
    const [, ...sections] = readFileSync(join(handbook, `${name}.md`), 'utf8').split(/^## /m)
    return sections.flatMap((section) => upstreamOf(name, section))
  })
}
