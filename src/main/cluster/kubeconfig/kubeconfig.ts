import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { CredentialSource } from './credential.ts'
import { knownAuthProviders } from './auth-provider.ts'
import { chooseContext } from './kubeconfig-file.ts'
import type { ChosenContext, KubeconfigError } from './kubeconfig-file.ts'
import { UndiciTransport } from '../transport/undici-transport.ts'
import type { UndiciTransportDeps } from '../transport/undici-transport.ts'
import { readKubeconfig } from './kubeconfig-sources.ts'
import type { LoadedKubeconfig } from './kubeconfig-sources.ts'
import { proxyFromEnvironment } from './proxy-from-environment.ts'
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
  /** Ends a run of the plugin that is under way; the next request starts another. */
  readonly endPlugin: () => Promise<void>
  /** For connections that are no requests to the server: terminals, kubelets. */
  readonly credentials: CredentialSource
  readonly proxyUrl: string | undefined
  /** Each has its own connections; all share the credential. */
  readonly createTransport: (
    options?: Pick<
      UndiciTransportDeps,
      'hold' | 'userAgent' | 'requestTimeoutMs' | 'connectTimeoutMs'
    >,
  ) => UndiciTransport
}

interface AccessOptions {
  /** Undefined: the current-context. */
  readonly context?: string | undefined
  /** Credential plugins get a part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called before a credential plugin runs for the first time, with one sentence. */
  readonly printLine?: (sentence: string) => void
  /** See `ExecPluginDeps.onPluginOutput`. */
  readonly onPluginOutput?: (text: string | null) => void
  /** Real ms that a credential plugin may take. Default 60 s. */
  readonly pluginTimeoutMs?: number
  /** See `ExecPluginDeps.keepsFailureMs`. */
  readonly keepsFailureMs?: number
}

export interface KubeconfigPlace extends AccessOptions {
  readonly file: string
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

/** Why a context cannot be used, without contacting anything. Pure. */
export function contextProblem(
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
  const loaded = await readKubeconfig({ kind: 'file', path: place.file }, place)
  return loaded.ok ? accessOfKubeconfig(loaded.value, place) : loaded
}

/** Picks a context of a kubeconfig that was read. Sends nothing and runs no plugin. */
export async function accessOfKubeconfig(
  { config, where }: LoadedKubeconfig,
  options: AccessOptions,
): Promise<Result<ClusterAccess, KubeconfigError>> {
  const chosen = chooseContext(config, { file: where, wanted: options.context })
  if (!chosen.ok) return chosen
  const problem = contextProblem(chosen.value, where)
  if (problem !== undefined) return err(problem)
  const credentials = new UserCredentials({
    ...chosen.value,
    environment: options.environment,
    printLine: options.printLine ?? (() => undefined),
    onPluginOutput: options.onPluginOutput ?? (() => undefined),
    timeoutMs: options.pluginTimeoutMs,
    keepsFailureMs: options.keepsFailureMs,
    now: () => Date.now(),
  })
  try {
    await credentials.checkFiles()
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    return err({ kind: 'incomplete', message: error.message })
  }
  return ok(accessOf(chosen.value, credentials, options))
}

/** The URL of the proxy between this program and a server: of the kubeconfig, else of the environment. Pure. */
export function proxyOf(
  cluster: JsonObject,
  environment: AccessOptions['environment'],
): string | undefined {
  const server = textAt(cluster, 'server')
  const own = textAt(cluster, 'proxy-url')
  return own || (isHttpUrl(server) ? proxyFromEnvironment(server, environment) : undefined)
}

function accessOf(
  chosen: ChosenContext,
  credentials: UserCredentials,
  { environment }: AccessOptions,
): ClusterAccess {
  const { contextName, clusterName, userName, namespace, cluster } = chosen
  const server = textAt(cluster, 'server').replace(/\/+$/, '')
  const proxyUrl = proxyOf(cluster, environment)
  return {
    server,
    contextName,
    clusterName,
    userName,
    namespace,
    isLoopback: isLoopbackServer(server, proxyUrl),
    plugin: credentials.neededPlugin,
    endPlugin: credentials.endPlugin,
    isVerified: server.startsWith('https:') && cluster['insecure-skip-tls-verify'] !== true,
    credentials,
    proxyUrl,
    createTransport: (options = {}) =>
      new UndiciTransport({ server, credentials, proxyUrl, ...options }),
  }
}
