import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { stringify } from 'yaml'
import { defined, isJsonObject } from '../../../shared/json.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { parseYaml } from '../../parsing/bounded-yaml.ts'
import { fileErrorCode, fileErrorText } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { replaceFile } from '../../files/replace-file.ts'
import type { KeyedCertificate } from './serving-certificates.ts'

export interface SandboxKubeconfigOptions {
  readonly url: string
  readonly caPem: string
  readonly token: string
  readonly clusterName: string
  /** Default: the name of the cluster. */
  readonly contextName?: string
  readonly userName?: string
  readonly namespace?: string
  /** Of a second user, whom no context has: `kubectl --user NAME`. */
  readonly certificateUser?:
    { readonly name: string; readonly certificate: KeyedCertificate } | undefined
}

/** `foreign-file`: the path is another file, which stays as it is. */
export interface KubeconfigFileError {
  readonly kind: 'foreign-file' | 'failed'
  readonly message: string
}

const firstLine = '# Written by Nodescope for its sandbox; overwritten at every start.\n'

function certificateUsers({ certificateUser }: SandboxKubeconfigOptions): readonly object[] {
  if (certificateUser === undefined) return []
  const { name, certificate } = certificateUser
  const user = {
    'client-certificate-data': base64(certificate.certificatePem),
    'client-key-data': base64(certificate.keyPem),
  }
  return [{ name, user }]
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64')
}

/** A kubeconfig with one cluster, one context, its user and the embedded CA. */
export function sandboxKubeconfig(facts: SandboxKubeconfigOptions): string {
  const { clusterName, contextName = clusterName, userName = clusterName, namespace } = facts
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: clusterName,
        cluster: {
          server: facts.url,
          'certificate-authority-data': base64(facts.caPem),
        },
      },
    ],
    users: [{ name: userName, user: { token: facts.token } }, ...certificateUsers(facts)],
    contexts: [
      {
        name: contextName,
        context: {
          cluster: clusterName,
          user: userName,
          ...defined({ namespace }),
        },
      },
    ],
    'current-context': contextName,
  }
  return firstLine + stringify(config, { lineWidth: 0 })
}

/** A longer file was not written by Nodescope or by kubectl from such a file. */
const maxOldBytes = 1024 * 1024

const sentenceByCode: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a part of the path is a file'],
  ['EEXIST', 'a part of the path is a file'],
  ['EISDIR', 'it is a folder'],
])

function failure(path: string, error: unknown): Result<never, KubeconfigFileError> {
  const reason = sentenceByCode.get(fileErrorCode(error)) ?? fileErrorText(error)
  return err({ kind: 'failed', message: `Cannot write the kubeconfig ${path}: ${reason}.` })
}

/** The clusters and users of a kubeconfig; `undefined` if the text is not a kubeconfig. */
function entriesOf(text: string): readonly string[] | undefined {
  const reading = parseYaml(text)
  const config: unknown = reading.ok ? reading.value.value : undefined
  if (!isJsonObject(config) || config['kind'] !== 'Config') return undefined
  return ['clusters', 'users'].flatMap((list) => {
    const entries = config[list]
    return Array.isArray(entries)
      ? entries.map(
          (entry: unknown) => `${list}/${isJsonObject(entry) ? String(entry['name']) : ''}`,
        )
      : []
  })
}

/** Compares the content: `kubectl config set-context --namespace` rewrites the file and drops comments. */
function isForeign(oldText: string, newText: string): boolean {
  if (oldText.trim() === '') return false
  const ours = entriesOf(newText) ?? []
  return !(entriesOf(oldText)?.every((entry) => ours.includes(entry)) ?? false)
}

async function readIfThere(path: string): Promise<string> {
  try {
    return (await readRegularFile(path, { maxBytes: maxOldBytes })).bytes.toString()
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return ''
    throw error
  }
}

/** Writes a text from `sandboxKubeconfig` and creates missing folders. A file with other content stays as it is. */
export async function writeKubeconfig(
  path: string,
  text: string,
): Promise<Result<undefined, KubeconfigFileError>> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    if (isForeign(await readIfThere(path), text)) {
      const message = `${path} already exists and has other clusters or is not a kubeconfig: choose another file with --sandbox-kubeconfig.`
      return err({ kind: 'foreign-file', message })
    }
    await replaceFile(path, text)
    return ok(undefined)
  } catch (error) {
    return failure(path, error)
  }
}
