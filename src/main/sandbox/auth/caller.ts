/** The user and groups of a credential, and the name of the client program. */
export interface Caller {
  readonly user: string
  readonly groups: readonly string[]
  readonly client: string
  readonly uid?: string
  readonly extra?: Readonly<Record<string, readonly string[]>>
  /** About the credential, a sentence each. */
  readonly warnings?: readonly string[]
}

export const authenticatedGroup = 'system:authenticated'

/** The key of `extra` that names the certificate or token of a caller. */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id'

/** The groups of every service account of a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** The caller of the API server's own writes. */
export const apiServerCaller: Caller = {
  user: 'system:apiserver',
  groups: ['system:masters'],
  client: 'api server',
}
