/** An intended difference between the responses of the sandbox and a real server. */
export interface Difference {
  /** Where in the answer: `body.spec.volumes`, `body.spec.containers.0.volumeMounts`, `status`, `warning`. */
  readonly at: string
  readonly why: string
}

/** One request with the expected response of both servers. */
export interface Ask {
  readonly kind: 'ask'
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `<ns>` is the scenario's namespace, `<web.metadata.uid>` a field of the answer saved as `web`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The type of the body. */
  readonly type?: string
  readonly accept?: string
  /** A node as the user; default: the administrator. */
  readonly asNode?: string
  /** The user, and its groups if they are not only those of every user. */
  readonly asUser?: string
  readonly asGroups?: readonly string[]
  /** A bearer token instead of the administrator's credentials. */
  readonly token?: string
  /** The name under which later steps find fields of the answer. */
  readonly save?: string
  readonly status: number
  /** The required part of the response, for `toMatchObject`. */
  readonly holds?: unknown
  readonly differs?: readonly Difference[]
  /** Repeats the request for a few seconds until status and body match, because servers learn from watches with a delay. */
  readonly isEventual?: boolean
}

/** Opens a watch; its events are read by later steps. */
export interface StartWatch {
  readonly kind: 'watch'
  readonly name: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly accept?: string
}

/** Reads the next events of a watch. */
export interface ReadEvents {
  readonly kind: 'events'
  readonly name: string
  readonly count: number
  /** The required parts of the events, in order. */
  readonly holds?: readonly unknown[]
  readonly differs?: readonly Difference[]
}

export type Step = Ask | StartWatch | ReadEvents

/** A sequence of exchanges in its own namespace with a service account. */
export interface Scenario {
  readonly title: string
  /** Why this cannot run on a real server. */
  readonly onlySandbox?: string
  /** Whether the sandbox enforces RBAC, like every real server. */
  readonly enforcesRbac?: boolean
  /** Compares managedFields, too; only for objects that were applied first. */
  readonly comparesManagers?: boolean
  readonly steps: readonly Step[]
}

type AskOptions = Partial<Omit<Ask, 'kind' | 'method' | 'path' | 'body'>>

function ask(method: Ask['method'], status: number) {
  return (path: string, options: AskOptions & { readonly body?: unknown } = {}): Ask => ({
    kind: 'ask',
    method,
    path,
    status,
    ...options,
  })
}

export const get = ask('GET', 200)
export const post = ask('POST', 201)
export const put = ask('PUT', 200)
export const remove = ask('DELETE', 200)

const patchTypes = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const

/** A patch of one of the three kinds. */
export function patch(
  kind: keyof typeof patchTypes,
  path: string,
  body: unknown,
  options: AskOptions = {},
): Ask {
  return {
    kind: 'ask',
    method: 'PATCH',
    path,
    body,
    type: patchTypes[kind],
    status: 200,
    ...options,
  }
}

export function watch(
  name: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
  accept?: string,
): StartWatch {
  return { kind: 'watch', name, path, query, ...(accept === undefined ? {} : { accept }) }
}

export function events(
  name: string,
  holds: readonly unknown[],
  differs: readonly Difference[] = [],
): ReadEvents {
  return { kind: 'events', name, count: holds.length, holds, differs }
}

export const pods = '/api/v1/namespaces/<ns>/pods'
export const web = `${pods}/web`

/** A pod of one container that mounts no token. */
export function pod(
  name: string,
  more: {
    readonly metadata?: Readonly<Record<string, unknown>>
    readonly spec?: Readonly<Record<string, unknown>>
  } = {},
): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...more.metadata },
    spec: {
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'registry.example/app:1' }],
      ...more.spec,
    },
  }
}

/** The same on a node. */
export function boundPod(name: string, node = 'n1'): unknown {
  return pod(name, { spec: { nodeName: node } })
}
