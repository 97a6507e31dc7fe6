import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { noGo, runGo, type BuildOptions } from './build.ts'
import { cacheFolder, isExecutable, kubernetesVersion } from './parts.ts'

// The oracle is compiled inside a copy of k8s.io/kubernetes, because many of the functions that it calls are not exported. The
// copy is in the cache and is created again for each build; only the files in oracle/overlay are Nodescope's.

const modules = resolve(import.meta.dirname)
const overlay = join(modules, 'oracle', 'overlay')

/** The sources of a Kubernetes program. */
const compiledFolders = ['api', 'cmd', 'pkg', 'plugin', 'third_party']

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** The name contains a hash of the sources, so that a binary of other sources is not used. */
async function oracleFile(environment: NodeJS.ProcessEnv): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [...(await filesBelow(overlay)), join(modules, 'go.mod')]) {
    hash
      .update(relative(modules, file))
      .update('\0')
      .update(await readFile(file))
      .update('\0')
  }
  const name = `oracle-${hash.digest('hex').slice(0, 12)}`
  return join(cacheFolder(environment), kubernetesVersion, name)
}

/** The oracle of these sources; `undefined`: it has to be built. */
export async function findOracle(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const file = await oracleFile(environment)
  return (await isExecutable(file)) ? file : undefined
}

function isCompiled(path: string): boolean {
  return !path.endsWith('_test.go') && !/[/\\]testdata([/\\]|$)/.test(path)
}

/** A module that replaces k8s.io/kubernetes by a copy with the overlay. */
async function layOut(folder: string, source: string): Promise<void> {
  const copy = join(folder, 'kubernetes')
  await rm(folder, { recursive: true, force: true })
  await mkdir(copy, { recursive: true })
  for (const each of compiledFolders) {
    await cp(join(source, each), join(copy, each), { recursive: true, filter: isCompiled })
  }
  await cp(join(source, 'go.mod'), join(copy, 'go.mod'))
  await cp(overlay, copy, { recursive: true })
  const own = await readFile(join(modules, 'go.mod'), 'utf8')
  const replacing = `${own}\nreplace k8s.io/kubernetes => ./kubernetes\n`
  await writeFile(join(folder, 'go.mod'), replacing)
  await cp(join(modules, 'go.sum'), join(folder, 'go.sum'))
}

async function sourceFolder(options: BuildOptions): Promise<string | undefined> {
  const { environment } = options
  const asked = ['mod', 'download', '-json', 'k8s.io/kubernetes']
  const { code, output } = await runGo(asked, { cwd: modules, environment })
  if (code === null) {
    options.say(noGo)
    return undefined
  }
  if (code !== 0) {
    options.say(`The source of k8s.io/kubernetes could not be had:\n${output}`)
    return undefined
  }
  // What `go mod download -json` prints.
  const downloaded = JSON.parse(output) as { readonly Dir: string }
  return downloaded.Dir
}

/** Builds the oracle unless it exists; returns its file, or `undefined` if it cannot be built. */
export async function bringOracle(options: BuildOptions): Promise<string | undefined> {
  const { environment, say } = options
  const there = await findOracle(environment)
  if (there !== undefined) {
    say(`oracle: ${there} is there.`)
    return there
  }
  const started = performance.now()
  const source = await sourceFolder(options)
  if (source === undefined) return undefined
  const target = await oracleFile(environment)
  // One folder for each process, so that two builds at the same time do not share one.
  const folder = join(cacheFolder(environment), kubernetesVersion, `oracle-source-${process.pid}`)
  try {
    await layOut(folder, source)
    const unfinished = `${target}.${process.pid}`
    const args = ['build', '-trimpath', '-mod=mod', '-ldflags', '-s -w', '-o', unfinished]
    const { code, output } = await runGo([...args, 'k8s.io/kubernetes/nodescope/oracle'], {
      cwd: folder,
      environment,
    })
    if (code !== 0) {
      say(`The oracle could not be built:\n${output}`)
      return undefined
    }
    await rename(unfinished, target)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  say(`oracle: built in ${Math.round((performance.now() - started) / 1000)} s.`)
  return target
}
