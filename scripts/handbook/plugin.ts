import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { HandbookSource } from './compile.ts'
import { compileHandbook } from './compile.ts'

const id = 'virtual:handbook'
const resolvedId = `\0${id}`

/** The pages in the order of the contents in README.md, which is for readers on GitHub. */
export function readSources(folder: string): readonly HandbookSource[] {
  const contents = readFileSync(join(folder, 'README.md'), 'utf8')
  return [...contents.matchAll(/^- \[[^\]]+\]\((\w[\w-]*)\.md\)/gm)].map(([, name = '']) => ({
    name,
    text: readFileSync(join(folder, `${name}.md`), 'utf8'),
  }))
}

/** Paths within the folder, with slashes. */
function filesOf(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.map((path) => path.replaceAll('\\', '/'))
}

/** The file names of the pictures. */
export function picturesOf(folder: string): readonly string[] {
  return filesOf(folder).flatMap((path) => /^pictures\/([^/]+\.svg)$/.exec(path)?.[1] ?? [])
}

/** The data of the handbook, and the address of each picture, which the bundler takes over as a file of its own. */
function moduleText(folder: string): string {
  const pictures = picturesOf(folder)
  const pages = compileHandbook(readSources(folder), new Set(pictures))
  const imports = pictures.map((name, at) => {
    const path = JSON.stringify(`${join(folder, 'pictures', name)}?no-inline`)
    return `import picture${at} from ${path}`
  })
  const addresses = pictures.map((name, at) => `${JSON.stringify(name)}: picture${at}`)
  return [
    ...imports,
    // Text that is parsed as JSON is faster to load than the same text as code.
    `export const pages = JSON.parse(${JSON.stringify(JSON.stringify(pages))})`,
    `export const pictures = { ${addresses.join(', ')} }`,
  ].join('\n')
}

/** Gives the page `virtual:handbook`: docs/kubelet, whose absolute path `folder` is, as data (`HandbookPage`), made while building. */
export function handbook(folder: string): Plugin {
  return {
    name: 'handbook',
    resolveId: (source) => (source === id ? resolvedId : undefined),
    load(module) {
      if (module !== resolvedId) return undefined
      for (const path of filesOf(folder))
        if (/\.(md|svg)$/.test(path)) this.addWatchFile(join(folder, path))
      return moduleText(folder)
    },
  }
}
