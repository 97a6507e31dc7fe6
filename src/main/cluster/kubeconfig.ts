import { dirname, resolve } from 'node:path'
import { isJsonObject, objectAt, textAt } from '../../shared/json.ts'
import { TransportError } from '../../shared/kubernetes/request.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorText, isMissing } from '../files/file-error.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { knownAuthProviders } from './auth-provider.ts'
import { chooseContext } from './kubeconfig-file.ts'
import type { ChosenContext, KubeconfigError } from './kubeconfig-file.ts'
import { UndiciTransport } from './undici-transport.ts'
import type { UndiciTransportDeps } from './undici-transport.ts'
import { UserCredentials } from './user-credentials.ts'

/** A way into a cluster, as one context of a kubeconfig describes it. */
export interface ClusterAccess {
  readonly server: string
  readonly contextName: string
  readonly clusterName: string
  readonly userName: string
  /** Whether the server is on this machine. A tunnel to elsewhere looks the same. */
  readonly isLoopback: boolean
  /** False where the kubeconfig says insecure-skip-tls-verify, or the server is plain http. */
  readonly isVerified: boolean
  /** The command line of the program that has to run for a credential; undefined where none has. */
  readonly plugin?: string | undefined
  /** Each has its own connections; all share the credential. */
  readonly createTransport: (
    options?: Pick<UndiciTransportDeps, 'hold' | 'userAgent' | 'requestTimeoutMs'>,
  ) => UndiciTransport
}

export interface KubeconfigPlace {
  readonly file: string
  /** Undefined: the file's current-context. */
  readonly context?: string | undefined
  /** For credential plugins, which get a part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called before a credential plugin runs for the first time, with one sentence. Default: it runs unannounced. */
  readonly tell?: (sentence: string) => void
}

/** Longer ones are no kubeconfigs; etcd, where some are kept as Secrets, takes 1.5 MiB. */
const maxKubeconfigBytes = 4 * 1024 * 1024

async function read(file: string): Promise<Result<string, KubeconfigError>> {
  try {
    // `--kubeconfig <(…)` is a pipe from a program that may ask a server first.
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

function serverComplaint(chosen: ChosenContext, file: string): KubeconfigError | undefined {
  const server = textAt(chosen.cluster, 'server')
  const where = `The cluster "${chosen.clusterName}" in ${file}`
  if (server === '') return { kind: 'incomplete', message: `${where} has no server.` }
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    const message = `${where} names the server "${server}", which is not a URL with https://.`
    return { kind: 'incomplete', message }
  }
  const proxy = textAt(chosen.cluster, 'proxy-url')
  if (proxy !== '' && !(/^https?:\/\//.test(proxy) && URL.canParse(proxy))) {
    const message = `${where} sets the proxy "${proxy}"; only http:// and https:// proxies are supported.`
    return { kind: 'unsupported', message }
  }
  const { exec } = chosen.user
  if (isJsonObject(exec) && textAt(exec, 'command').trim() === '') {
    const message = `The user "${chosen.userName}" in ${file} has a credential plugin without a program: name one in exec.command.`
    return { kind: 'incomplete', message }
  }
  const provider = textAt(objectAt(chosen.user, 'auth-provider'), 'name')
  const program = textAt(objectAt(objectAt(chosen.user, 'auth-provider'), 'config'), 'cmd-path')
  if (program !== '') {
    const message = `The user "${chosen.userName}" in ${file} gets its credential by running "${program}" through an auth provider, which kubectl no longer supports: use a credential plugin (exec).`
    return { kind: 'unsupported', message }
  }
  if (provider !== '' && !knownAuthProviders.has(provider)) {
    const message = `The user "${chosen.userName}" in ${file} uses the auth provider "${provider}", which is not supported.`
    return { kind: 'unsupported', message }
  }
  return undefined
}

/** True for a server that can only be this machine, reached directly. */
export function isLoopbackServer(server: string, proxyUrl: string | undefined): boolean {
  const { hostname } = new URL(server)
  // A proxy decides by itself where a name leads.
  if (proxyUrl !== undefined) return false
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

/**
 * Reads a kubeconfig and picks a context. Nothing is sent and no plugin is run. The file is parsed
 * here and not by the Kubernetes client, which ignores tokenFile and as-groups, refuses plain http
 * and knows no line numbers.
 */
export async function loadKubeconfig(
  place: KubeconfigPlace,
): Promise<Result<ClusterAccess, KubeconfigError>> {
  const file = resolve(place.file)
  const text = await read(file)
  if (!text.ok) return text
  const chosen = chooseContext(text.value, { file, wanted: place.context })
  if (!chosen.ok) return chosen
  const complaint = serverComplaint(chosen.value, file)
  if (complaint !== undefined) return err(complaint)
  const credentials = new UserCredentials({
    ...chosen.value,
    folder: dirname(file),
    environment: place.environment,
    tell: place.tell ?? (() => undefined),
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
  const { contextName, clusterName, userName, cluster } = chosen
  const server = textAt(cluster, 'server').replace(/\/+$/, '')
  const proxyUrl = textAt(cluster, 'proxy-url') || undefined
  return {
    server,
    contextName,
    clusterName,
    userName,
    isLoopback: isLoopbackServer(server, proxyUrl),
    plugin: credentials.neededPlugin,
    isVerified: server.startsWith('https:') && cluster['insecure-skip-tls-verify'] !== true,
    createTransport: (options = {}) =>
      new UndiciTransport({ server, credentials, proxyUrl, ...options }),
  }
}
