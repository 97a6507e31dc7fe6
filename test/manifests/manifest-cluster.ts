import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import type {
  ContainerStatus,
  KubeEvent,
  KubeObject,
  Pod,
} from '../../src/shared/kubernetes/objects.ts'
import { podColumns } from '../../src/shared/kubernetes/printers/pod-columns.ts'
import { parseAllDocuments } from 'yaml'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { runtimeContainerId } from '../../src/main/kubelet/status/container-statuses.ts'
import { groupVersion } from '../../src/main/sandbox/registry/resource-type.ts'
import { typeOfKind } from '../../src/main/sandbox/registry/resource-types.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'

const json = 'application/json'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
/** Columns that depend on chance or on the moment. */
const left = new Set(['Name', 'Age', 'Duration'])

function pathOf(kind: string, name?: string): string {
  const type = typeOfKind(kind)
  const root = `/${type.group === '' ? 'api' : 'apis'}/${groupVersion(type)}`
  const collection = `${root}${type.namespaced ? '/namespaces/default' : ''}/${type.plural}`
  return name === undefined ? collection : `${collection}/${name}`
}

/** Equal lines once, with their number. */
function counted(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)]
    .toSorted()
    .map((line) => `${lines.filter((one) => one === line).length}x ${line}`)
}

/** A sandbox with nodes of its own. */
export class ManifestCluster {
  readonly #cluster: MemorySandbox

  constructor(nodeNames: readonly string[]) {
    this.#cluster = new MemorySandbox({
      seed: 7,
      startAt: Date.UTC(2026, 0, 1),
      nodeNames,
      log: new FakeLog(),
      size: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' },
    })
  }

  /** Resolves when the nodes are ready. */
  async start(): Promise<void> {
    this.#cluster.start()
    await this.advance(10)
  }

  /** As `kubectl apply --server-side`; throws for what the server refuses. */
  async apply(yaml: string): Promise<void> {
    for (const document of parseAllDocuments(yaml)) {
      // Manifests of this folder.
      const object = document.toJS() as KubeObject
      const answer = await this.#cluster.send({
        method: 'PATCH',
        path: pathOf(object.kind ?? '', object.metadata.name),
        query: { fieldManager: 'kubectl', force: 'true' },
        headers: { 'content-type': 'application/apply-patch+yaml', accept: json },
        body: object,
      })
      if (answer.kind !== 'object' || answer.status >= 300)
        throw new Error(`${object.metadata.name}: ${JSON.stringify(answer)}`)
    }
  }

  advance(seconds: number): Promise<void> {
    return this.#cluster.clock.advance(seconds * 1000)
  }

  stop(): void {
    this.#cluster.stop()
  }

  async #get(path: string, accept = json): Promise<JsonObject | undefined> {
    const answer = await this.#cluster.send({ method: 'GET', path, headers: { accept } })
    if (answer.kind !== 'object' || answer.status >= 300 || !isJsonObject(answer.body))
      return undefined
    return answer.body
  }

  async pod(name: string): Promise<Pod> {
    const pod = await this.#get(pathOf('Pod', name))
    if (pod === undefined) throw new Error(`there is no pod ${name}`)
    return pod as unknown as Pod
  }

  async #pods(): Promise<readonly Pod[]> {
    const list = await this.#get(pathOf('Pod'))
    return objectsAt(list ?? {}, 'items') as unknown as readonly Pod[]
  }

  /** READY, STATUS and RESTARTS as `kubectl get pods` prints them. */
  outcome(pod: Pod): string {
    const columns = podColumns(pod, this.#cluster.clock.now())
    const { readyContainers, totalContainers, status, restarts } = columns
    return `${readyContainers}/${totalContainers} ${status} ${restarts}`
  }

  async pods(): Promise<readonly string[]> {
    return counted((await this.#pods()).map((pod) => this.outcome(pod)))
  }

  async perNode(): Promise<readonly number[]> {
    const nodes = (await this.#pods()).map(({ spec }) => spec.nodeName ?? '')
    const counts = [...new Set(nodes)]
      .filter((node) => node !== '')
      .map((node) => nodes.filter((one) => one === node).length)
    return counts.toSorted((a, b) => a - b)
  }

  /** One object as `kubectl get` prints it, or `NotFound`. */
  async row(kind: string, name: string): Promise<string> {
    const [row = 'NotFound'] = await this.#rows(pathOf(kind, name))
    return row
  }

  /** All objects of a kind as `kubectl get` prints them. */
  async rows(kind: string): Promise<readonly string[]> {
    return counted(await this.#rows(pathOf(kind)))
  }

  async #rows(path: string): Promise<readonly string[]> {
    const body = await this.#get(path, table)
    const columns = objectsAt(body ?? {}, 'columnDefinitions')
    return objectsAt(body ?? {}, 'rows')
      .map((row) => listAt(row, 'cells'))
      .filter((cells) => cells[0] !== 'kubernetes')
      .map((cells) =>
        cells
          .filter((_, index) => {
            const { name, priority } = columns[index] ?? {}
            return !left.has(String(name)) && (priority ?? 0) === 0
          })
          .join(' ')
          .replaceAll(/\d+\.\d+\.\d+\.\d+/g, 'IP')
          .replaceAll(/pvc-[\da-f-]{36}/g, 'pvc-UID')
          .replaceAll(/:3\d{4}\//g, ':PORT/'),
      )
  }

  /** `Type=Status Reason` of each condition. */
  async conditions(kind: string, name: string): Promise<readonly string[]> {
    const object = await this.#get(pathOf(kind, name))
    return objectsAt(objectAt(object ?? {}, 'status'), 'conditions')
      .map((one) => `${textAt(one, 'type')}=${textAt(one, 'status')} ${textAt(one, 'reason')}`)
      .toSorted()
  }

  /** The reasons of Warning events, of all objects or of those with a name. */
  async warnings(name?: string): Promise<readonly string[]> {
    const list = await this.#get(pathOf('Event'))
    const events = objectsAt(list ?? {}, 'items') as unknown as readonly KubeEvent[]
    const about = events.filter(
      ({ involvedObject, type }) =>
        type === 'Warning' && (name === undefined || involvedObject.name === name),
    )
    return [...new Set(about.map(({ reason = '' }) => reason))].toSorted()
  }

  /** The last lines of the containers of the first node, at most `count`. */
  async log(statuses: readonly ContainerStatus[], count: number): Promise<readonly string[]> {
    const { runtime } = this.#cluster.node()
    const texts: string[] = []
    for (const { containerID = '' } of statuses) {
      const lines = await runtime.lastLogLines?.(runtimeContainerId(containerID), count)
      texts.push(...(lines ?? []).map(({ text }) => text))
    }
    return texts
  }
}
