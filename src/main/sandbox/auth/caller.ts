/** Who asks: user and groups as a credential names them, and the program that they use. */
export interface Caller {
  readonly user: string
  readonly groups: readonly string[]
  readonly client: string
}

/** The API server, where it writes by itself. */
export const serverItself: Caller = {
  user: 'system:apiserver',
  groups: ['system:masters'],
  client: 'api server',
}
