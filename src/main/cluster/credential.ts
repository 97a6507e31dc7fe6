/** What a request needs to be let in: TLS material and headers. Never logged. */
export interface Credential {
  readonly tls: {
    readonly ca?: string
    readonly cert?: string
    readonly key?: string
    /** False only where the kubeconfig says insecure-skip-tls-verify. */
    readonly rejectUnauthorized: boolean
    readonly servername?: string
  }
  /** Names in lower case: authorization, impersonate-… One header may occur several times. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}

/** Where a transport takes its credential from, before each request. */
export interface CredentialSource {
  /** May read files or run a plugin; remembers what it can. Rejects with a `TransportError` whose sentence says what failed. */
  readonly get: () => Promise<Credential>
  /** The server refused (401) what `get` gave last: the next one must not come from memory. */
  readonly refused: () => void
}
