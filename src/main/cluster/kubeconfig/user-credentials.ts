import { isAbsolute } from 'node:path'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import { fileErrorText, isMissing } from '../../files/file-error.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { AuthProvider } from './auth-provider.ts'
import type { Credential, CredentialSource } from './credential.ts'
import { ExecPlugin } from './exec-plugin.ts'

export interface UserCredentialsDeps {
  readonly userName: string
  /** Entries of the kubeconfig as written. */
  readonly cluster: JsonObject
  readonly user: JsonObject
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called before a credential plugin runs for the first time. */
  readonly printLine: (sentence: string) => void
  readonly onPluginOutput?: ((text: string | null) => void) | undefined
  /** Of a credential plugin, real ms. */
  readonly timeoutMs?: number | undefined
  /** See `ExecPluginDeps.keepsFailureMs`. */
  readonly keepsFailureMs?: number | undefined
  /** ms since the epoch, real time. */
  readonly now: () => number
}

interface Material {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly token: string | undefined
}

// Like client-go: files are read again after a minute, because they may be rotated.
const rereadMs = 60_000

/** A bundle of all public certificate authorities has a quarter of this. */
const maxMaterialBytes = 1024 * 1024

function impersonationHeaders(user: JsonObject): Record<string, string | readonly string[]> {
  const groups = Array.isArray(user['as-groups']) ? user['as-groups'].map(String) : []
  const extra = Object.entries(objectAt(user, 'as-user-extra')).map(([name, values]) => [
    `impersonate-extra-${encodeURIComponent(name.toLowerCase())}`,
    Array.isArray(values) ? values.map(String) : [],
  ])
  return {
    ...(textAt(user, 'as') === '' ? {} : { 'impersonate-user': textAt(user, 'as') }),
    ...(textAt(user, 'as-uid') === '' ? {} : { 'impersonate-uid': textAt(user, 'as-uid') }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(extra),
  }
}

/**
 * The credential that a kubeconfig's cluster and user describe: certificates and tokens inline or in files, basic auth,
 * exec plugins, auth providers, impersonation. All transports of the context share it, so that a plugin runs once.
 */
export class UserCredentials implements CredentialSource {
  readonly #deps: UserCredentialsDeps
  readonly #plugin: ExecPlugin | undefined
  readonly #provider: AuthProvider | undefined
  #material: { readonly value: Material; readonly readAt: number } | undefined

  constructor(deps: UserCredentialsDeps) {
    this.#deps = deps
    const { exec, 'auth-provider': provider } = deps.user
    this.#plugin = isJsonObject(exec)
      ? new ExecPlugin({
          ...deps,
          exec,
          cluster: async () => clusterForPlugin(deps.cluster, (await this.#readMaterial()).ca),
        })
      : undefined
    this.#provider = isJsonObject(provider) ? new AuthProvider({ ...deps, provider }) : undefined
  }

  readonly get = async (): Promise<Credential> => {
    const { cluster, user } = this.#deps
    const material = await this.#readMaterial()
    const authorization = await this.#authorization(material)
    const certificate = await this.#certificate(material)
    const servername = textAt(cluster, 'tls-server-name')
    return {
      tls: {
        ...(material.ca === undefined ? {} : { ca: material.ca }),
        ...certificate,
        rejectUnauthorized: cluster['insecure-skip-tls-verify'] !== true,
        ...(servername === '' ? {} : { servername }),
      },
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...impersonationHeaders(user),
      },
    }
  }

  readonly refused = (): void => {
    this.#plugin?.forget()
    this.#material = undefined
  }

  readonly endPlugin = async (): Promise<void> => {
    await this.#plugin?.end()
  }

  /** The command line of the credential plugin; undefined if there is none, or a token or a user name comes first. */
  get neededPlugin(): string | undefined {
    const hasOther =
      this.#material?.value.token !== undefined || textAt(this.#deps.user, 'username') !== ''
    return hasOther ? undefined : this.#plugin?.commandLine
  }

  /** Reads the files that the entries name, to report a missing one early. Rejects with a `TransportError`. */
  async checkFiles(): Promise<void> {
    await this.#readMaterial()
  }

  // client-go's order: a token overrides a plugin; a plugin's certificate is added.
  async #authorization(material: Material): Promise<string | undefined> {
    const { user } = this.#deps
    if (material.token !== undefined) return `Bearer ${material.token}`
    const username = textAt(user, 'username')
    if (username !== '') {
      const pair = `${username}:${textAt(user, 'password')}`
      return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
    }
    if (this.#plugin !== undefined) {
      const { token } = await this.#plugin.credential()
      return token === undefined ? undefined : `Bearer ${token}`
    }
    return await this.#provider?.authorization()
  }

  async #certificate(
    material: Material,
  ): Promise<{ readonly cert?: string; readonly key?: string }> {
    if (material.cert !== undefined && material.key !== undefined) {
      return { cert: material.cert, key: material.key }
    }
    if (this.#plugin === undefined || material.token !== undefined) return {}
    const { cert, key } = await this.#plugin.credential()
    return cert === undefined || key === undefined ? {} : { cert, key }
  }

  async #readMaterial(): Promise<Material> {
    const { cluster, user, now } = this.#deps
    if (this.#material !== undefined && now() - this.#material.readAt < rereadMs) {
      return this.#material.value
    }
    const readAt = now()
    const value = {
      ca: await this.#dataOrFile(cluster, 'certificate-authority'),
      cert: await this.#dataOrFile(user, 'client-certificate'),
      key: await this.#dataOrFile(user, 'client-key'),
      token: await this.#token(),
    }
    this.#material = { value, readAt }
    return value
  }

  async #dataOrFile(entry: JsonObject, field: string): Promise<string | undefined> {
    const inline = textAt(entry, `${field}-data`)
    if (inline !== '') return Buffer.from(inline, 'base64').toString('utf8')
    const path = textAt(entry, field)
    return path === '' ? undefined : await this.#readFile(path, field)
  }

  async #token(): Promise<string | undefined> {
    const { user } = this.#deps
    const inline = textAt(user, 'token')
    const path = textAt(user, 'tokenFile')
    if (path === '') return inline === '' ? undefined : inline
    const token = (await this.#readFile(path, 'tokenFile')).trim()
    return token === '' ? undefined : token
  }

  async #readFile(path: string, field: string): Promise<string> {
    if (!isAbsolute(path))
      throw new TransportError(
        'unavailable',
        `The kubeconfig names ${path} as ${field}, which is relative to its own file: open that file instead of its text.`,
      )
    try {
      const { bytes } = await readRegularFile(path, { maxBytes: maxMaterialBytes })
      return bytes.toString()
    } catch (cause) {
      const reason = isMissing(cause) ? 'does not exist' : `cannot be read: ${fileErrorText(cause)}`
      const message = `The file ${path}, which the kubeconfig names as ${field}, ${reason}.`
      throw new TransportError('unavailable', message, { cause })
    }
  }
}

/** A cluster entry for plugins: client.authentication.k8s.io Cluster. */
function clusterForPlugin(cluster: JsonObject, ca: string | undefined): JsonObject {
  const fields = ['server', 'tls-server-name', 'insecure-skip-tls-verify', 'proxy-url']
  const extensions = Array.isArray(cluster['extensions']) ? cluster['extensions'] : []
  const config: unknown = extensions.find(
    (one) => isJsonObject(one) && one['name'] === 'client.authentication.k8s.io/exec',
  )
  return {
    ...Object.fromEntries(
      fields.flatMap((field) => (field in cluster ? [[field, cluster[field]]] : [])),
    ),
    ...(ca === undefined
      ? {}
      : { 'certificate-authority-data': Buffer.from(ca, 'utf8').toString('base64') }),
    ...(isJsonObject(config) ? { config: config['extension'] } : {}),
  }
}
