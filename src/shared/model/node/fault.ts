/** What is made to fail in a sandbox, as the schema `fault` of control.schema.json has it. Which fields a type has: `faultFields`. */
export interface Fault {
  readonly type: FaultType
  readonly verbs?: readonly string[]
  readonly path?: string
  readonly user?: string
  readonly latency?: string
  readonly code?: number
  readonly message?: string
  readonly share?: number
  readonly every?: string
  readonly node?: string
  readonly skew?: string
  readonly state?: 'down' | 'hangs'
  readonly call?: string
  readonly how?: 'fails' | 'hangs'
  readonly pod?: string
}

export type FaultField = Exclude<keyof Fault, 'type'>

const selectors = ['verbs', 'path', 'user', 'share'] as const

/** The fields of each type besides `type`: those that it needs, and those that it may have. */
export const faultFields = {
  /** Matching requests wait so long. */
  Latency: { needs: ['latency'], may: selectors },
  /** Matching requests are answered with this code. */
  Error: { needs: ['code'], may: [...selectors, 'message'] },
  /** Watches are closed again and again: all but the page's, those of a user, or those of a node's kubelet. */
  WatchDrops: { needs: ['every'], may: ['node', 'user'] },
  /** Matching watches are answered with 410, so that the client lists again. */
  Gone: { needs: [], may: selectors },
  /** No client but the page reaches the API server. */
  Outage: { needs: [], may: [] },
  /** One node does not reach the API server. */
  CutOff: { needs: ['node'], may: [] },
  /** The clock of a machine is wrong. */
  ClockSkew: { needs: ['node', 'skew'], may: [] },
  /** The container runtime does not answer. */
  Runtime: { needs: ['node', 'state'], may: [] },
  /** One call of the container runtime fails. */
  RuntimeCall: { needs: ['node', 'call', 'how'], may: ['pod'] },
  /** Other data fills the disk. */
  FullDisk: { needs: ['node'], may: [] },
  /** Volumes take minutes to be set up. */
  SlowMounts: { needs: ['node'], may: [] },
} as const satisfies Readonly<
  Record<string, { readonly needs: readonly string[]; readonly may: readonly string[] }>
>

export type FaultType = keyof typeof faultFields

/** `Error code=500 verbs=create,update`. */
export function faultText({ type, ...fields }: Fault): string {
  const parts = Object.entries(fields).map(([field, value]) => `${field}=${String(value)}`)
  return [type, ...parts].join(' ')
}
