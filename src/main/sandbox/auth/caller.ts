/** The user and groups of a credential, and the name of the client program. */
export interface Caller {
  readonly user: string
  readonly groups: readonly string[]
  readonly client: string
  readonly uid?: string
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The caller of the API server's own writes. */
export const apiServerCaller: Caller = {
  user: 'system:apiserver',
  groups: ['system:masters'],
  client: 'api server',
}
