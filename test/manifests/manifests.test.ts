/** The manifests of docs/manifests.md on a simulated node, and the page made from them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { runtimeContainerId } from '../../src/main/kubelet/status/container-statuses.ts'
import type {
  ContainerStatus,
  KubeEvent,
  KubeObject,
  Pod,
} from '../../src/shared/kubernetes/objects.ts'
import { podColumns } from '../../src/shared/kubernetes/printers/pod-columns.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import { manifestCases } from './cases.ts'
import type { ManifestCase } from './manifest-case.ts'

const page = resolve(import.meta.dirname, '../../docs/manifests.md')
const namespace = '/api/v1/namespaces/default'

const plurals: Readonly<Record<string, string>> = {
  Pod: 'pods',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
}

class OneNode {
  readonly #cluster = new MemorySandbox({
    seed: 7,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['node'],
    log: new FakeLog(),
    size: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' },
  })

  /** Resolves when the node is ready. */
  async start(): Promise<void> {
    this.#cluster.start()
    await this.advance(10)
  }

  async apply(yaml: string): Promise<void> {
    for (const document of parseAllDocuments(yaml)) {
      // Manifests of this folder.
      const object = document.toJS() as KubeObject
      const path = `${namespace}/${plurals[String(object['kind'])] ?? ''}`
      const answer = await this.#cluster.request('POST', path, object)
      expect(answer.kind === 'object' ? answer.status : answer).toBe(201)
    }
  }

  advance(seconds: number): Promise<void> {
    return this.#cluster.clock.advance(seconds * 1000)
  }

  async pod(name: string): Promise<Pod> {
    const answer = await this.#cluster.request('GET', `${namespace}/pods/${name}`)
    if (answer.kind !== 'object') throw new Error('no object')
    return answer.body as Pod
  }

  /** As `kubectl get pods` prints it. */
  outcome(pod: Pod): string {
    const columns = podColumns(pod, this.#cluster.clock.now())
    const { readyContainers, totalContainers, status, restarts } = columns
    return `${readyContainers}/${totalContainers} ${status} ${restarts}`
  }

  async warnings({ metadata }: Pod): Promise<readonly string[]> {
    const answer = await this.#cluster.request('GET', `${namespace}/events`)
    if (answer.kind !== 'object') throw new Error('no object')
    const { items } = answer.body as unknown as { readonly items: readonly KubeEvent[] }
    const about = items.filter(
      ({ involvedObject, type }) => involvedObject.name === metadata.name && type === 'Warning',
    )
    return [...new Set(about.map(({ reason = '' }) => reason))].toSorted()
  }

  /** The last lines of its containers, at most `count`. */
  async log(statuses: readonly ContainerStatus[], count: number): Promise<readonly string[]> {
    const { runtime } = this.#cluster.node()
    const texts: string[] = []
    for (const { containerID = '' } of statuses) {
      const lines = await runtime.lastLogLines?.(runtimeContainerId(containerID), count)
      texts.push(...(lines ?? []).map(({ text }) => text))
    }
    return texts
  }

  stop(): void {
    this.#cluster.stop()
  }
}

function outcomeCell({ outcome, warnings = [], log, terminationReason }: ManifestCase): string {
  return [
    `\`${outcome}\``,
    ...(terminationReason === undefined ? [] : [`terminated: \`${terminationReason}\``]),
    ...(warnings.length === 0
      ? []
      : [`warnings: ${warnings.map((one) => `\`${one}\``).join(', ')}`]),
    ...(log === undefined ? [] : [`log: \`${log.join(' ⏎ ')}\``]),
  ].join('; ')
}

function pageText(): string {
  const rows = manifestCases.map((one) => {
    const after =
      one.seconds % 60 === 0 && one.seconds > 60 ? `${one.seconds / 60} min` : `${one.seconds} s`
    const verdict = one.differs ?? 'as on a node'
    return `| ${one.about} | \`${one.name}\` | ${after} | ${outcomeCell(one)} | ${verdict} |`
  })
  const asOnNode = manifestCases.filter(({ differs }) => differs === undefined).length
  return `# Manifests

Made by \`test/manifests\`; do not edit. These ${manifestCases.length} manifests are written like those of the task pages of the Kubernetes documentation. Each
is applied to a simulated node of its own. Compared are what \`kubectl get pods\` prints after some time (READY, STATUS, RESTARTS), the reasons of the
pod's Warning events and, where they matter, the last lines of its logs and the termination message. ${asOnNode} end as on a node.

| Shows | Pod | After | Outcome | Verdict |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}

describe('manifests as in the Kubernetes documentation', () => {
  it.each(manifestCases)('$about', async (manifest) => {
    const { name, yaml, later, seconds, warnings = [], log } = manifest
    const node = new OneNode()
    await node.start()
    await node.apply(yaml)
    await node.advance(later === undefined ? seconds : seconds / 2)
    if (later !== undefined) {
      await node.apply(later)
      await node.advance(seconds / 2)
    }
    const pod = await node.pod(name)
    const statuses = pod.status?.containerStatuses ?? []
    const terminated = statuses.map(
      ({ state, lastState }) => state?.terminated ?? lastState?.terminated,
    )[0]
    const seen = {
      outcome: node.outcome(pod),
      warnings: await node.warnings(pod),
      log: log === undefined ? undefined : await node.log(statuses, log.length),
      terminationMessage:
        manifest.terminationMessage === undefined ? undefined : terminated?.message,
      terminationReason: manifest.terminationReason === undefined ? undefined : terminated?.reason,
    }
    node.stop()
    const { outcome, terminationMessage, terminationReason } = manifest
    expect(seen).toEqual({ outcome, warnings, log, terminationMessage, terminationReason })
  })

  it('are listed in docs/manifests.md', () => {
    if (process.env['NODESCOPE_WRITE_MANIFESTS'] === '1') writeFileSync(page, pageText())
    const squeezed = (text: string): string => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---')
    expect(squeezed(readFileSync(page, 'utf8'))).toBe(squeezed(pageText()))
  })
})
