import type { JsonObject } from '../../shared/json.ts'
import { TransportError } from '../../shared/kubernetes/request.ts'

/** The auth providers of old that the Kubernetes client still carries. */
export const knownAuthProviders: ReadonlySet<string> = new Set(['oidc', 'gcp', 'azure'])

/**
 * The Authorization header of a user with an `auth-provider`, renewed where it has expired. The
 * Kubernetes client does it; it is loaded only for such users, since it costs a start of the program
 * a third of a second.
 */
export class AuthProvider {
  readonly #userName: string
  readonly #provider: JsonObject
  #headers: (() => Promise<string | undefined>) | undefined
  #running: Promise<string | undefined> | undefined

  constructor(deps: { readonly userName: string; readonly provider: JsonObject }) {
    this.#userName = deps.userName
    this.#provider = deps.provider
  }

  /** Undefined where the provider has nothing to offer. Rejects with a `TransportError`. */
  async authorization(): Promise<string | undefined> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined
    })
    return await this.#running
  }

  async #ask(): Promise<string | undefined> {
    try {
      this.#headers ??= await this.#load()
      return await this.#headers()
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const message = `The credential of the user "${this.#userName}" could not be renewed: ${reason}.`
      throw new TransportError('unavailable', message, { cause })
    }
  }

  async #load(): Promise<() => Promise<string | undefined>> {
    const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
    const kubeConfig = new KubeConfig()
    kubeConfig.loadFromClusterAndUser(
      // Never connected to: only the header is taken from it.
      { name: 'none', server: 'https://127.0.0.1', skipTLSVerify: false },
      // It keeps renewed tokens in there, so it gets a copy of its own.
      { name: this.#userName, authProvider: structuredClone(this.#provider) },
    )
    return async () => {
      const options: { headers?: Record<string, string> } = {}
      await kubeConfig.applyToHTTPSOptions(options)
      return options.headers?.['Authorization']
    }
  }
}
