/** Where a kubeconfig comes from. `text`: dropped or pasted; `name` is the file's name, if it had one. */
export type KubeconfigSource =
  /** The files of $KUBECONFIG, merged like kubectl does. */
  | { readonly kind: 'environment' }
  /** `path` is absolute. */
  | { readonly kind: 'file'; readonly path: string }
  /** The service account of the pod that this program runs in. */
  | { readonly kind: 'inCluster' }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }

/** How a context authenticates, read from the kubeconfig alone. */
export type SignIn =
  /** `expiresAt`: ms since 1970; null if the certificate cannot be read. */
  | { readonly kind: 'clientCertificate'; readonly expiresAt: number | null }
  | { readonly kind: 'token' }
  | { readonly kind: 'tokenFile'; readonly path: string }
  /** `program`: as the kubeconfig names it; `commandLine`: with its arguments, quoted for a shell. */
  | { readonly kind: 'plugin'; readonly program: string; readonly commandLine: string }
  | { readonly kind: 'authProvider'; readonly name: string }
  | { readonly kind: 'password'; readonly userName: string }
  | { readonly kind: 'none' }

/** One context of a kubeconfig. Nothing was contacted and no program was run for it. */
export interface KubeconfigContext {
  readonly name: string
  readonly clusterName: string
  /** URL; empty if the kubeconfig does not say. */
  readonly server: string
  readonly userName: string
  readonly namespace: string
  readonly signIn: SignIn
  /** The user that is impersonated; empty for none. */
  readonly impersonates: string
  /** URL of the proxy, of the kubeconfig or of HTTPS_PROXY; empty for none. */
  readonly proxy: string
  /** ms since 1970; null: not opened from this computer, as far as it is kept. */
  readonly lastOpenedAt: number | null
  /** Id of the open cluster of this context; empty if none is. */
  readonly cluster: string
  /** Color of the last opening, from 0 to 5; null before the first. */
  readonly color: number | null
  /** Why it cannot be opened, in one sentence; else empty. */
  readonly problem: string
}

/** One kubeconfig with its contexts, in the kubeconfig's order. */
export interface KubeconfigView {
  readonly source: Exclude<KubeconfigSource, { kind: 'text' }>
  /** Absolute paths of the files, in the order in which they are merged. */
  readonly files: readonly {
    readonly path: string
    /** ms since 1970; null: the file does not exist. */
    readonly changedAt: number | null
  }[]
  /** Empty if none is set. */
  readonly currentContext: string
  readonly contexts: readonly KubeconfigContext[]
  /** It is only in the list because it was opened before, and can be forgotten. */
  readonly isRecent: boolean
  /** ms since 1970 of the last opening of any of its contexts; null: none is known. */
  readonly lastOpenedAt: number | null
  /** Why it cannot be read, in one sentence; else empty. */
  readonly problem: string
}

/** Asked before a credential plugin runs that this kubeconfig has not run here before. */
export interface PluginQuestion {
  /** Send it back as `confirmedPlugin`. */
  readonly commandLine: string
  /** Where the program was found, absolute; empty: it was not found. */
  readonly program: string
  /** The kubeconfig that names it. */
  readonly from: string
  /** Names of the variables that the kubeconfig sets for it. */
  readonly variables: readonly string[]
  /** installHint of the kubeconfig; else empty. */
  readonly installHint: string
}

export type OpenAnswer =
  /** Open already, or opening now; its views follow with the next patch. */
  | { readonly kind: 'opened'; readonly cluster: string }
  | { readonly kind: 'confirmPlugin'; readonly question: PluginQuestion }
