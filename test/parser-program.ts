import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '..')

/** The program of a parser's thread, built as in the product, for tests that run from the source. */
export async function builtParserProgram(): Promise<{
  readonly path: string
  readonly remove: () => void
}> {
  const folder = mkdtempSync(join(tmpdir(), 'nodescope-parser-'))
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20.19',
      rolldownOptions: {
        input: { parser: join(root, 'src', 'main', 'parsing', 'parser-program.ts') },
        // Beside no package.json, only this name says that it is a module.
        output: { entryFileNames: '[name].mjs' },
      },
    },
  })
  return {
    path: join(folder, 'parser.mjs'),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
