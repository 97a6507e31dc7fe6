import { execFile } from 'node:child_process'
import { access, constants, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The version of Kubernetes for the suites; go.mod has the same one. */
export const kubernetesVersion = 'v1.34.4'
const kwokVersion = 'v0.7.0'

/** A program of Kubernetes that is built from source. */
export interface Part {
  readonly name: PartName
  /** The folder below test/kube with the go.mod that pins it. */
  readonly module: string
  readonly package: string
  readonly version: string
  readonly needsC: boolean
  /** What makes it print its version. */
  readonly versionArguments: readonly string[]
  /** Which versions, of those already on the machine, serve as well. */
  readonly fits: RegExp
}

export type PartName =
  | 'kube-apiserver'
  | 'etcd'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubectl'
  | 'kubelet'
  | 'kubemark'
  | 'kwok'
  | 'cri-client'
  | OlderKubectl

type OlderKubectl = `kubectl-1.${29 | 30 | 31 | 32 | 33}`

function kubernetesPart(name: PartName, more: Partial<Part> = {}): Part {
  return {
    name,
    module: '.',
    package: `k8s.io/kubernetes/cmd/${name}`,
    version: kubernetesVersion,
    needsC: false,
    versionArguments: ['--version'],
    fits: /\bv1\.34\.\d+/,
    ...more,
  }
}

/** The last patches of the minor versions before ours that have a kubectl of interest. */
const olderVersions: Readonly<Record<OlderKubectl, string>> = {
  'kubectl-1.29': 'v1.29.6',
  'kubectl-1.30': 'v1.30.14',
  'kubectl-1.31': 'v1.31.14',
  'kubectl-1.32': 'v1.32.13',
  'kubectl-1.33': 'v1.33.13',
}

function olderKubectl(name: OlderKubectl): Part {
  const version = olderVersions[name]
  const minor = name.slice('kubectl-'.length)
  return kubernetesPart(name, {
    module: `kubectl/${minor}`,
    package: 'k8s.io/kubernetes/cmd/kubectl',
    version,
    versionArguments: ['version', '--client'],
    fits: new RegExp(String.raw`\bv${minor.replace('.', String.raw`\.`)}\.\d+`),
  })
}

/** In the order in which they are built: what the suites need first comes first. */
export const parts: readonly Part[] = [
  kubernetesPart('kube-apiserver'),
  {
    name: 'etcd',
    module: 'etcd',
    package: 'go.etcd.io/etcd/server/v3',
    version: 'v3.6.4',
    needsC: false,
    versionArguments: ['--version'],
    // Older ones cannot report the progress of a watch, and the API server then refuses watches without a version.
    fits: /\b3\.(4\.(3[1-9]|[4-9]\d)|5\.(1[3-9]|[2-9]\d)|[6-9]\.\d+)/,
  },
  kubernetesPart('kube-controller-manager'),
  kubernetesPart('kube-scheduler'),
  kubernetesPart('kubectl', { versionArguments: ['version', '--client'] }),
  kubernetesPart('kubelet', { needsC: true }),
  // It has no --version; the folder of a built binary has the version as its name.
  kubernetesPart('kubemark', { versionArguments: ['--help'], fits: /--morph\b/ }),
  {
    name: 'kwok',
    module: 'kwok',
    package: 'sigs.k8s.io/kwok/cmd/kwok',
    version: kwokVersion,
    needsC: false,
    versionArguments: ['--version'],
    fits: /\bv?0\.7\.\d+/,
  },
  // Ours, around the kubelet's own client of CRI; its version goes up with each change.
  kubernetesPart('cri-client', {
    package: './cri-client',
    versionArguments: ['-version'],
    fits: /^cri-client 2$/m,
  }),
  olderKubectl('kubectl-1.29'),
  olderKubectl('kubectl-1.31'),
  olderKubectl('kubectl-1.30'),
  olderKubectl('kubectl-1.32'),
  olderKubectl('kubectl-1.33'),
]

/** The part of a name. */
export function partNamed(name: PartName): Part {
  const part = parts.find((candidate) => candidate.name === name)
  if (part === undefined) throw new Error(`no part is named ${name}`)
  return part
}

/** Where built parts are kept, outside the tree, by version. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return join(base, 'nodescope', 'kube')
}

/** The file that a build of the part leaves. */
export function cachedFile(part: Part, environment: NodeJS.ProcessEnv): string {
  return join(cacheFolder(environment), part.version, part.name)
}

/** Whether the file exists and is executable. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether the file is the part, in a version that serves. */
export async function hasFittingVersion(part: Part, file: string): Promise<boolean> {
  try {
    const run = promisify(execFile)
    const { stdout } = await run(file, [...part.versionArguments], { timeout: 20_000 })
    return part.fits.test(stdout)
  } catch {
    // It does not run here, or it is another program of the same name.
    return false
  }
}

function foldersOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const given = environment['KUBEBUILDER_ASSETS'] ?? ''
  const path = (environment['PATH'] ?? '').split(delimiter)
  return [given, ...path, '/usr/bin'].filter((folder) => folder !== '')
}

/** The folders that the kubectl of each folder is a link to. */
async function linkedFolders(folders: readonly string[]): Promise<readonly string[]> {
  const files = await Promise.allSettled(folders.map((folder) => realpath(join(folder, 'kubectl'))))
  return files.flatMap((file) => (file.status === 'fulfilled' ? [dirname(file.value)] : []))
}

/**
 * The file of a part whose version fits: from KUBEBUILDER_ASSETS, then PATH, then what an earlier
 * `npm run kube:build` left. `undefined`: it has to be built.
 */
export async function findPart(
  part: Part,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  // Packages with several versions name them so: kubectl.1.29.
  const names = [part.name, part.name.replace('-1.', '.1.')]
  const folders = foldersOf(environment)
  const linked = part.name.startsWith('kubectl-') ? await linkedFolders(folders) : []
  const files = [...folders, ...linked].flatMap((folder) => names.map((name) => join(folder, name)))
  for (const file of new Set([...files, cachedFile(part, environment)])) {
    if ((await isExecutable(file)) && (await hasFittingVersion(part, file))) return file
  }
  return undefined
}
