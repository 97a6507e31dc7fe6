/** The handbook (docs/kubelet), its table of anchors, and everything that cites it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsIn, filesUnder, handbook, pages, root, upstreamCitations } from './handbook.ts'

const all = pages()
const sections = all.flatMap((page) => page.sections.slice(1))
const anchors = new Set(sections.map(({ anchor }) => anchor))
const documents = [...filesUnder('docs', /\.md$/), 'README.md', 'CONTRIBUTING.md']
const code = ['src', 'test', 'e2e', 'scripts', 'bench'].flatMap((folder) =>
  filesUnder(folder, /\.(ts|tsx|mjs|go)$/),
)

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** `PAGE#HEADING`, not as part of an address or a path. */
const citation = /(?<![\w./-])[a-z][a-z-]{2,}#[a-z][a-z0-9-]*/g

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`\'`)}'`
}

/** Lines of an object, as Prettier writes them. */
function entries(of: readonly (readonly [key: string, title: string])[]): string {
  const keyed = (key: string): string => (/^\w+$/.test(key) ? key : quoted(key))
  return of.map(([key, title]) => `  ${keyed(key)}: ${quoted(title)},\n`).join('')
}

/** The text of src/shared/handbook/anchors.ts. */
function table(): string {
  return `/**
 * The sections of the handbook (docs/kubelet) by their anchors, in the order of its contents. Made from
 * the headings: \`npx vitest run --project fast test/handbook -u\`.
 */
export const anchors = {
${entries(sections.map(({ anchor, title }) => [anchor, title]))}} as const

/** \`pod-workers#states\`: the page's file without its extension, and the heading's anchor. */
export type Anchor = keyof typeof anchors

/** The pages of the handbook by their files' names without extension. */
export const pages = {
${entries(all.map(({ name, title }) => [name, title]))}} as const
`
}

describe('the handbook', () => {
  it('has its anchors in a table', async () => {
    await expect(table()).toMatchFileSnapshot(join(root, 'src/shared/handbook/anchors.ts'))
  })

  it('lists every page and every heading in its contents', () => {
    const contents = readFileSync(join(handbook, 'README.md'), 'utf8')
    const files = filesUnder('docs/kubelet', /\.md$/).map((file) => file.replace(/^.*\//, ''))
    const linked = all.map(({ name }) => `${name}.md`)
    expect(files.filter((file) => file !== 'README.md').toSorted()).toEqual(linked.toSorted())
    const unlisted = sections
      .map(({ anchor, title }) => `[${title}](${anchor.replace('#', '.md#')})`)
      .filter((link) => !contents.includes(link))
    expect(unlisted).toEqual([])
  })

  it('names the deciding file and function of Kubernetes in every section', () => {
    const cited = new Set(upstreamCitations().map(({ anchor }) => anchor))
    // A kubelet has no code for its exit: it just stops.
    expect([...anchors].filter((anchor) => !cited.has(anchor))).toEqual(['node#exit'])
  })
})

describe('a citation', () => {
  it('names an existing section of the handbook', () => {
    const unknown = [...code, ...documents].flatMap((file) =>
      (read(file).match(citation) ?? [])
        .filter((cited) => !anchors.has(cited))
        .map((cited) => `${file}: ${cited}`),
    )
    expect(unknown).toEqual([])
  })

  it('is never a section number of a document outside the repository', () => {
    const numbered = [...code, ...documents].flatMap((file) =>
      (read(file).match(/semantics,? \d+\b[^\n]*/gi) ?? []).map((found) => `${file}: ${found}`),
    )
    expect(numbered).toEqual([])
  })

  it('in a document links to an existing file and heading', () => {
    const broken = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, path = '', heading]) => !leads(file, path, heading))
        .map(([link]) => `${file}: ${link}`),
    )
    expect(broken).toEqual([])
  })
})

function leads(from: string, path: string, heading: string | undefined): boolean {
  const target = path === '' ? from : join(dirname(from), path)
  if (!existsSync(join(root, target))) return false
  return heading === undefined || anchorsIn(read(target)).includes(heading)
}
