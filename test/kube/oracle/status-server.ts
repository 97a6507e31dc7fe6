import { isJsonObject } from '../../../src/shared/json.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import type { Result } from '../../../src/shared/result.ts'
import type { ApiClient, ApiError, Resources } from '../../../src/main/kubelet/ports.ts'
import { schemaNamed } from '../../../src/shared/kubernetes/schema/api-schema.ts'
import { strategicMerge } from '../../../src/main/sandbox/patch/strategic-merge.ts'

type Verb = 'get' | 'patch' | 'delete'

/** What is answered to every request of a verb. */
export type Faults = Readonly<Partial<Record<Verb, 'not-found' | 'conflict' | 'broken'>>>

/** A request in the oracle's words (overlay/nodescope/oracle/statusmanager.go). */
interface StatusRequest {
  readonly verb: Verb
  readonly name: string
  readonly subresource?: string
  readonly body?: unknown
}

const timeFields: ReadonlySet<string> = new Set([
  'lastProbeTime',
  'lastTransitionTime',
  'startedAt',
  'finishedAt',
])

/** Go writes an unknown time as null; any other null in a patch removes a field. */
function withoutUnknownTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknownTimes)
  if (!isJsonObject(value)) return value
  const fields = Object.keys(value)
    .toSorted()
    .filter((field) => !(timeFields.has(field) && value[field] === null))
  return Object.fromEntries(fields.map((field) => [field, withoutUnknownTimes(value[field])]))
}

/** A request as one text. */
export function requestText(request: unknown): string {
  return JSON.stringify(withoutUnknownTimes(request))
}

function failure(kind: 'not-found' | 'conflict' | 'broken', name: string): ApiError {
  return { kind: kind === 'broken' ? 'unavailable' : kind, message: `${kind}: ${name}` }
}

/** The API server of Nodescope's status manager, like the oracle's: deleted pods stay until they are forgotten. */
export class StatusServer implements ApiClient {
  readonly pods = new Map<string, Pod>()
  readonly requests: StatusRequest[] = []
  faults: Faults = {}

  readonly get: ApiClient['get'] = ({ name }) =>
    Promise.resolve(this.#answer({ verb: 'get', name }, (pod) => ok(pod)))

  readonly patch: ApiClient['patch'] = ({ name }, { body, subresource }) =>
    Promise.resolve(
      this.#answer(
        { verb: 'patch', name, body, ...(subresource === undefined ? {} : { subresource }) },
        (pod) => {
          if (!isJsonObject(body)) throw new Error('no patch')
          const merged = strategicMerge({ ...pod }, body, schemaNamed('core.v1.Pod'))
          if (!merged.ok) throw new Error(merged.error)
          // Only a pod's status was changed.
          const changed = merged.value as unknown as Pod
          if (changed.metadata.uid !== pod.metadata.uid) return err(failure('conflict', name))
          this.pods.set(name, changed)
          return ok(changed)
        },
      ),
    )

  readonly delete: ApiClient['delete'] = ({ name }, options) => {
    const request = { verb: 'delete', name, body: options } as const
    const asked = options.preconditions?.uid
    const answer = this.#answer(request, (pod) =>
      asked === undefined || asked === pod.metadata.uid ? ok(pod) : err(failure('conflict', name)),
    )
    return Promise.resolve(answer.ok ? ok(undefined) : answer)
  }

  readonly list = (): never => unasked('list')
  readonly create = (): never => unasked('create')
  readonly update = (): never => unasked('update')
  readonly evict = (): never => unasked('evict')

  #answer<R extends Resources[keyof Resources]>(
    request: StatusRequest,
    act: (pod: Pod) => Result<Pod, ApiError>,
  ): Result<R, ApiError> {
    this.requests.push(request)
    const { verb, name } = request
    const fault = this.faults[verb]
    if (fault !== undefined) return err(failure(fault, name))
    const pod = this.pods.get(name)
    // A status manager asks for pods alone.
    return pod === undefined ? err(failure('not-found', name)) : (act(pod) as Result<R, ApiError>)
  }
}

function unasked(verb: string): never {
  throw new Error(`a status manager does not ${verb}`)
}
