import { execFile } from 'node:child_process'
import { readdir, realpath } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findPart, parts } from '../kube/parts.ts'

/** A kubectl that was found on this machine. */
export interface KubectlProgram {
  readonly path: string
  /** `v1.33.1`. */
  readonly version: string
}

// `kubectl`, and the versioned names that some packages use.
const fileName = /^kubectl(\.\d+\.\d+)?$/
/** 1.27 and 1.28 print other texts in places; they run only by hand. */
function oldestMinor(environment: NodeJS.ProcessEnv): number {
  return environment['NODESCOPE_KUBECTLS'] === 'all' ? 27 : 29
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => fileName.test(name))
  } catch {
    // PATH can name missing folders.
    return []
  }
}

async function candidates(folders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const folder of folders) {
    for (const name of await namesIn(folder)) found.add(await realpath(join(folder, name)))
  }
  return found
}

/** The kubectl at a path; `undefined` if it does not run. */
export async function programAt(path: string): Promise<KubectlProgram | undefined> {
  try {
    const run = promisify(execFile)
    const { stdout } = await run(path, ['version', '--client', '-o', 'json'], { timeout: 20_000 })
    const version: unknown = JSON.parse(stdout).clientVersion?.gitVersion
    return typeof version === 'string' ? { path, version } : undefined
  } catch {
    // Not a kubectl, or it does not run here.
    return undefined
  }
}

/** 33 of v1.33.1, 0 of anything else. */
export function minorOf({ version }: KubectlProgram): number {
  return Number(/^v1\.(\d+)\./.exec(version)?.[1] ?? 0)
}

async function builtKubectls(environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const kubectls = parts.filter(({ name }) => name.startsWith('kubectl'))
  const found = await Promise.all(kubectls.map((part) => findPart(part, environment)))
  return found.filter((file) => file !== undefined)
}

/**
 * A kubectl of every minor version from 1.29 on (with NODESCOPE_KUBECTLS=all from 1.27 on), oldest first: from the folders of PATH, from the
 * folders that their links lead to, from NODESCOPE_TEST_KUBECTL_DIR, and what `npm run kube:build` has built.
 */
export async function findKubectls(
  environment: NodeJS.ProcessEnv,
): Promise<readonly KubectlProgram[]> {
  const own = environment['NODESCOPE_TEST_KUBECTL_DIR'] ?? ''
  const path = environment['PATH'] ?? ''
  const folders = `${own}${delimiter}${path}`.split(delimiter).filter((folder) => folder !== '')
  const direct = await candidates(folders)
  const linked = await candidates([...direct].map((file) => dirname(file)))
  const built = await builtKubectls(environment)
  const programs = await Promise.all([...new Set([...direct, ...linked, ...built])].map(programAt))
  const sorted = programs
    .filter((program) => program !== undefined)
    .filter((program) => minorOf(program) >= oldestMinor(environment))
    .toSorted((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }))
  // The latest patch of each minor version.
  return [...new Map(sorted.map((program) => [minorOf(program), program])).values()]
}
