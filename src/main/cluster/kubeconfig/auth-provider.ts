import type { JsonObject } from '../../../shared/json.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'

/** The legacy auth providers that the Kubernetes client still supports. */
export const knownAuthProviders: ReadonlySet<string> = new Set(['oidc', 'gcp', 'azure'])

/**
 * The Authorization header of a user with an `auth-provider`, renewed after it expires. The Kubernetes client does
 * that; it is imported only for such users, because importing it takes a third of a second.
 */
export class AuthProvider {
  readonly #deps: { readonly userName: string; readonly provider: JsonObject }
  #headers: (() => Promise<string | undefined>) | undefined
  #running: Promise<string | undefined> | undefined

  constructor(deps: { readonly userName: string; readonly provider: JsonObject }) {
    this.#deps = deps
  }

  /** Undefined if the provider gives none. Rejects with a `TransportError`. */
  async authorization(): Promise<string | undefined> {
    this.#running ??= this.#renew().finally(() => {
      this.#running = undefined
    })
    return await this.#running
  }

  async #renew(): Promise<string | undefined> {
    try {
      this.#headers ??= await this.#load()
      return await this.#headers()
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const message = `The credential of the user "${this.#deps.userName}" could not be renewed: ${reason}.`
      throw new TransportError('unavailable', message, { cause })
    }
  }

  async #load(): Promise<() => Promise<string | undefined>> {
    const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
    const kubeConfig = new KubeConfig()
    kubeConfig.loadFromClusterAndUser(
      // Only the header is used; nothing connects to this server.
      { name: 'none', server: 'https://127.0.0.1', skipTLSVerify: false },
      // The client stores renewed tokens in this object, so it gets a copy.
      { name: this.#deps.userName, authProvider: structuredClone(this.#deps.provider) },
    )
    return async () => {
      const options: { headers?: Record<string, string> } = {}
      await kubeConfig.applyToHTTPSOptions(options)
      return options.headers?.['Authorization']
    }
  }
}
