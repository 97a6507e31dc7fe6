import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '..')

/** A module with its imports, built as in the product, for tests that run from the source. `source`: its path below `src/main`. */
export async function builtModule(source: string): Promise<{
  readonly path: string
  readonly remove: () => void
}> {
  const folder = mkdtempSync(join(tmpdir(), 'nodescope-built-'))
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
        input: { built: join(root, 'src', 'main', source) },
        // Beside no package.json, only this name says that it is a module.
        output: { entryFileNames: '[name].mjs' },
      },
    },
  })
  return {
    path: join(folder, 'built.mjs'),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
