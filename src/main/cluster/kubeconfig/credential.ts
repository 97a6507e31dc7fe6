/** What authenticates a request: TLS material and headers. Never logged. */
export interface Credential {
  readonly tls: {
    readonly ca?: string
    readonly cert?: string
    readonly key?: string
    /** False only if the kubeconfig sets insecure-skip-tls-verify. */
    readonly rejectUnauthorized: boolean
    readonly servername?: string
  }
  /** Names in lower case: authorization, impersonate-… One header may occur several times. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}

/** Gives a transport its credential before each request. */
export interface CredentialSource {
  /** May read files or run a plugin; caches what it can. Rejects with a `TransportError` that says what failed. */
  readonly get: () => Promise<Credential>
  /** The server refused (401) the last credential of `get`: the next one must not come from the cache. */
  readonly refused: () => void
}
