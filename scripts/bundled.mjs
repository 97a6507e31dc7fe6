// Runs a program of the repository as a bundle, like the shipped code.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build as bundle } from 'vite'

const root = resolve(import.meta.dirname, '..')

/** `input`: files by the names that they get, from the repository's root; the first is run. Ends with its exit code. */
export async function runBundled(input, args) {
  const folder = mkdtempSync(join(tmpdir(), 'nodescope-bundled-'))
  let status = 1
  try {
    await bundle({
      root,
      configFile: false,
      logLevel: 'warn',
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir: folder,
        emptyOutDir: true,
        target: 'node20.19',
        rolldownOptions: {
          input: Object.fromEntries(
            Object.entries(input).map(([name, path]) => [name, join(root, path)]),
          ),
        },
      },
    })
    const [name] = Object.keys(input)
    const run = spawnSync(process.execPath, [join(folder, `${name}.js`), ...args], {
      stdio: 'inherit',
    })
    status = run.status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  process.exit(status)
}
