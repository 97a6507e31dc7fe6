import { stat } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeconfigSource } from '../../../shared/model/seen/kubeconfigs.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText, isMissing } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { parseKubeconfig } from './kubeconfig-file.ts'
import type { KubeconfigError } from './kubeconfig-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A kubeconfig as kubectl has it in memory: its files are merged and its relative paths are absolute. */
export interface LoadedKubeconfig {
  /** For sentences: the file, or `$KUBECONFIG`. */
  readonly where: string
  /** `changedAt`: ms since 1970; null: the file does not exist. */
  readonly files: readonly { readonly path: string; readonly changedAt: number | null }[]
  readonly config: JsonObject
}

interface SourcePlaces {
  readonly environment: Environment
  /** Default: where Kubernetes mounts it. */
  readonly serviceAccountFolder?: string
}

/** Some kubeconfigs are stored as Secrets, for which etcd's limit is 1.5 MiB. */
const maxKubeconfigBytes = 4 * 1024 * 1024
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

async function readText(file: string): Promise<Result<string, KubeconfigError>> {
  try {
    // `--kubeconfig <(…)` is a pipe from a program that may send requests first.
    const limits = { maxBytes: maxKubeconfigBytes, takesPipes: true, deadlineMs: 30_000 }
    const { bytes } = await readRegularFile(file, limits)
    return ok(bytes.toString())
  } catch (error) {
    if (isMissing(error))
      return err({ kind: 'missing', message: `The kubeconfig ${file} does not exist.` })
    const message = `The kubeconfig ${file} cannot be read: ${fileErrorText(error)}.`
    return err({ kind: 'unreadable', message })
  }
}

async function changedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs
  } catch {
    return null
  }
}

/** client-go's ResolveLocalPaths: a relative path starts at the folder of its file. */
function absolutePaths(entry: JsonObject, fields: readonly string[], folder: string): JsonObject {
  const paths = fields.flatMap((field) => {
    const path = textAt(entry, field)
    return path === '' || isAbsolute(path) ? [] : [[field, join(folder, path)] as const]
  })
  return { ...entry, ...Object.fromEntries(paths) }
}

function absoluteUser(user: JsonObject, folder: string): JsonObject {
  const own = absolutePaths(user, ['client-certificate', 'client-key', 'tokenFile'], folder)
  const { exec } = user
  // A command without a separator is looked for in the PATH.
  if (!isJsonObject(exec) || !/[\\/]/.test(textAt(exec, 'command'))) return own
  return { ...own, exec: absolutePaths(exec, ['command'], folder) }
}

function withAbsolutePaths(config: JsonObject, folder: string): JsonObject {
  const entries = (list: string, field: string, change: (entry: JsonObject) => JsonObject) =>
    objectsAt(config, list).map((entry) => ({ ...entry, [field]: change(objectAt(entry, field)) }))
  return {
    ...config,
    clusters: entries('clusters', 'cluster', (cluster) =>
      absolutePaths(cluster, ['certificate-authority'], folder),
    ),
    users: entries('users', 'user', (user) => absoluteUser(user, folder)),
  }
}

/**
 * client-go's merge (tools/clientcmd ClientConfigLoadingRules.Load): of entries with one name and of current-context, the
 * first file's is taken whole.
 */
function merged(configs: readonly JsonObject[]): JsonObject {
  const list = (name: string): readonly JsonObject[] => {
    const byName = new Map<string, JsonObject>()
    for (const entry of configs.flatMap((config) => objectsAt(config, name)))
      if (!byName.has(textAt(entry, 'name'))) byName.set(textAt(entry, 'name'), entry)
    return [...byName.values()]
  }
  return {
    'current-context':
      configs.map((config) => textAt(config, 'current-context')).find((name) => name !== '') ?? '',
    contexts: list('contexts'),
    clusters: list('clusters'),
    users: list('users'),
  }
}

async function readFiles(
  paths: readonly string[],
  where: string,
): Promise<Result<LoadedKubeconfig, KubeconfigError>> {
  const configs: JsonObject[] = []
  for (const path of paths) {
    const text = await readText(path)
    if (!text.ok) {
      // Like kubectl, which starts with files that it may create.
      if (text.error.kind === 'missing' && paths.length > 1) continue
      return text
    }
    const parsed = parseKubeconfig(text.value, path, { isPart: paths.length > 1 })
    if (!parsed.ok) return parsed
    configs.push(withAbsolutePaths(parsed.value, dirname(path)))
  }
  const files = await Promise.all(
    paths.map(async (path) => ({ path, changedAt: await changedAt(path) })),
  )
  const [only] = configs
  const config = configs.length === 1 && only !== undefined ? only : merged(configs)
  return ok({ where, files, config })
}

/** The files that $KUBECONFIG names; none if it is not set. Pure. */
export function environmentFiles({ KUBECONFIG = '' }: Environment): readonly string[] {
  const named = KUBECONFIG.split(delimiter).filter((path) => path !== '')
  return [...new Set(named.map((path) => resolve(path)))]
}

/** The kubeconfig of the service account of a pod; undefined outside a cluster. Source: client-go rest.InClusterConfig. */
function inClusterConfig({
  environment: { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' },
  serviceAccountFolder: folder = serviceAccountFolder,
}: SourcePlaces): JsonObject | undefined {
  if (host === '' || port === '') return undefined
  const name = 'in-cluster'
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const cluster = { server, 'certificate-authority': join(folder, 'ca.crt') }
  return {
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster }],
    users: [{ name, user: { tokenFile: join(folder, 'token') } }],
  }
}

/** Whether this program runs in a pod that may use its service account. Pure. */
export function isInCluster(environment: Environment): boolean {
  return inClusterConfig({ environment }) !== undefined
}

/** Reads a kubeconfig. Sends nothing and runs no program. */
export async function readKubeconfig(
  source: KubeconfigSource,
  places: SourcePlaces,
): Promise<Result<LoadedKubeconfig, KubeconfigError>> {
  switch (source.kind) {
    case 'file': {
      const path = resolve(source.path)
      return readFiles([path], path)
    }
    case 'environment': {
      const paths = environmentFiles(places.environment)
      if (paths.length === 0)
        return err({ kind: 'missing', message: 'The variable KUBECONFIG names no file.' })
      return readFiles(paths, paths.length === 1 ? (paths[0] ?? '') : '$KUBECONFIG')
    }
    case 'inCluster': {
      const config = inClusterConfig(places)
      const message = 'This program does not run in a pod: KUBERNETES_SERVICE_HOST is not set.'
      return config === undefined
        ? err({ kind: 'missing', message })
        : ok({ where: 'the service account of this pod', files: [], config })
    }
    case 'text': {
      const where = source.name === '' ? 'the pasted kubeconfig' : source.name
      const parsed = parseKubeconfig(source.text, where)
      return parsed.ok ? ok({ where, files: [], config: parsed.value }) : parsed
    }
  }
}
