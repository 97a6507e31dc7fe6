import { join, resolve } from 'node:path'
import { build as bundle } from 'vite'

const thisTree = resolve(import.meta.dirname, '..')

/** Bundles the programs of the measures, of this or another tree, so that they run bundled code, like the program. */
export async function bundlePrograms(folder, names, root = thisTree) {
  await bundle({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20.19',
      rolldownOptions: {
        input: Object.fromEntries(
          names.map((name) => [name, join(root, 'bench', 'measures', `${name}.ts`)]),
        ),
      },
    },
  })
}
