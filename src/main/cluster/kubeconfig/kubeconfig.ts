import { dirname, resolve } from 'node:path'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText, isMissing } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { knownAuthProviders } from './auth-provider.ts'
import { chooseContext } from './kubeconfig-file.ts'
import type { ChosenContext, KubeconfigError } from './kubeconfig-file.ts'
import { UndiciTransport } from '../transport/undici-transport.ts'
import type { UndiciTransportDeps } from '../transport/undici-transport.ts'
import type { CredentialSource } from './credential.ts'
import { UserCredentials } from './user-credentials.ts'

/** How to reach a cluster, from one context of a kubeconfig. */
export interface ClusterAccess {
  readonly server: string
  readonly contextName: string
  readonly clusterName: string
  readonly userName: string
  /** Of the context. */
  readonly namespace: string
  /** Whether the server is on this machine. A tunnel to another machine looks the same. */
  readonly isLoopback: boolean
  /** False if the kubeconfig sets insecure-skip-tls-verify, or the server is plain http. */
  readonly isVerified: boolean
  /** The command line of the credential plugin; undefined if none has to run. */
  readonly plugin?: string | undefined
  /** For requests that go elsewhere than to the server: to kubelets. */
  readonly credentials: CredentialSource
  /** Each has its own connections; all share the credential. */
  readonly createTransport: (
    options?: Pick<UndiciTransportDeps, 'hold' | 'userAgent' | 'requestTimeoutMs'>,
  ) => UndiciTransport
}

export interface KubeconfigPlace {
  readonly file: string
  /** Undefined: the file's current-context. */
  readonly context?: string | undefined
  /** Credential plugins get a part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called before a credential plugin runs for the first time, with one sentence. */
  readonly printLine?: (sentence: string) => void
}

/** Some kubeconfigs are stored as Secrets, for which etcd's limit is 1.5 MiB. */
const maxKubeconfigBytes = 4 * 1024 * 1024

async function read(file: string): Promise<Result<string, KubeconfigError>> {
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

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

function contextProblem(
  { cluster, clusterName, user, userName }: ChosenContext,
  file: string,
): KubeconfigError | undefined {
  const incomplete = (message: string) => ({ kind: 'incomplete', message }) as const
  const unsupported = (message: string) => ({ kind: 'unsupported', message }) as const
  const server = textAt(cluster, 'server')
  const ofCluster = `The cluster "${clusterName}" in ${file}`
  if (server === '') return incomplete(`${ofCluster} has no server.`)
  if (!isHttpUrl(server))
    return incomplete(
      `${ofCluster} names the server "${server}", which is not a URL with https://.`,
    )
  const proxy = textAt(cluster, 'proxy-url')
  if (proxy !== '' && !isHttpUrl(proxy))
    return unsupported(
      `${ofCluster} sets the proxy "${proxy}"; only http:// and https:// proxies are supported.`,
    )
  const ofUser = `The user "${userName}" in ${file}`
  if (isJsonObject(user['exec']) && textAt(user['exec'], 'command').trim() === '')
    return incomplete(
      `${ofUser} has a credential plugin without a program: name one in exec.command.`,
    )
  const provider = objectAt(user, 'auth-provider')
  const program = textAt(objectAt(provider, 'config'), 'cmd-path')
  if (program !== '')
    return unsupported(
      `${ofUser} gets its credential by running "${program}" through an auth provider, which kubectl no longer supports: use a credential plugin (exec).`,
    )
  const name = textAt(provider, 'name')
  if (name !== '' && !knownAuthProviders.has(name))
    return unsupported(`${ofUser} uses the auth provider "${name}", which is not supported.`)
  return undefined
}

/** Whether a server is on this machine and reached directly. */
export function isLoopbackServer(server: string, proxyUrl: string | undefined): boolean {
  const { hostname } = new URL(server)
  // A proxy resolves names itself.
  if (proxyUrl !== undefined) return false
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

/**
 * Reads a kubeconfig and picks a context. Sends nothing and runs no plugin. The Kubernetes client does not parse it,
 * because that ignores tokenFile and as-groups, refuses plain http and reports no line numbers.
 */
export async function loadKubeconfig(
  place: KubeconfigPlace,
): Promise<Result<ClusterAccess, KubeconfigError>> {
  const file = resolve(place.file)
  const text = await read(file)
  if (!text.ok) return text
  const chosen = chooseContext(text.value, { file, wanted: place.context })
  if (!chosen.ok) return chosen
  const problem = contextProblem(chosen.value, file)
  if (problem !== undefined) return err(problem)
  const credentials = new UserCredentials({
    ...chosen.value,
    folder: dirname(file),
    environment: place.environment,
    printLine: place.printLine ?? (() => undefined),
    now: () => Date.now(),
  })
  try {
    await credentials.checkFiles()
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    return err({ kind: 'incomplete', message: error.message })
  }
  return ok(accessOf(chosen.value, credentials))
}

function accessOf(chosen: ChosenContext, credentials: UserCredentials): ClusterAccess {
  const { contextName, clusterName, userName, namespace, cluster } = chosen
  const server = textAt(cluster, 'server').replace(/\/+$/, '')
  const proxyUrl = textAt(cluster, 'proxy-url') || undefined
  return {
    server,
    contextName,
    clusterName,
    userName,
    namespace,
    isLoopback: isLoopbackServer(server, proxyUrl),
    plugin: credentials.neededPlugin,
    isVerified: server.startsWith('https:') && cluster['insecure-skip-tls-verify'] !== true,
    credentials,
    createTransport: (options = {}) =>
      new UndiciTransport({ server, credentials, proxyUrl, ...options }),
  }
}
