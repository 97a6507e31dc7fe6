/** The manifests of docs/manifests.md on simulated nodes, and the page made from them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestCases } from './cases.ts'
import type { ManifestCase, OwnerCase } from './manifest-case.ts'
import { ManifestCluster } from './manifest-cluster.ts'
import { ownerCases } from './owners/owner-cases.ts'

const page = resolve(import.meta.dirname, '../../docs/manifests.md')

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

function ownerCell({
  outcome,
  pods,
  perNode,
  conditions,
  others = {},
  warnings = [],
}: OwnerCase): string {
  const listed = (lines: readonly string[]): string => lines.map((line) => `\`${line}\``).join(', ')
  return [
    `\`${outcome}\``,
    `pods: ${pods.length === 0 ? 'none' : listed(pods)}`,
    ...(perNode === undefined ? [] : [`on each node: ${perNode.join(', ')}`]),
    ...Object.entries(others).map(([kind, lines]) => `${kind}: ${listed(lines)}`),
    ...(conditions === undefined ? [] : [`conditions: ${listed(conditions)}`]),
    ...(warnings.length === 0 ? [] : [`warnings: ${listed(warnings)}`]),
  ].join('; ')
}

function afterCell(seconds: number): string {
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} min` : `${seconds} s`
}

function pageText(): string {
  const rows = manifestCases.map((one) => {
    const { about, name, seconds, differs = 'as on a node' } = one
    return `| ${about} | \`${name}\` | ${afterCell(seconds)} | ${outcomeCell(one)} | ${differs} |`
  })
  const ownerRows = ownerCases.map((one) => {
    const { about, kind, name, seconds, differs = 'as in a cluster' } = one
    return `| ${about} | ${kind} \`${name}\` | ${afterCell(seconds)} | ${ownerCell(one)} | ${differs} |`
  })
  const asOnNode = manifestCases.filter(({ differs }) => differs === undefined).length
  const asInCluster = ownerCases.filter(({ differs }) => differs === undefined).length
  return `# Manifests

Made by \`test/manifests\`; do not edit. These ${manifestCases.length + ownerCases.length} manifests are written like those of the task pages of the Kubernetes documentation.

## Pods

Each of these ${manifestCases.length} is applied to a simulated node of its own. Compared are what \`kubectl get pods\` prints after some time (READY, STATUS, RESTARTS), the reasons of the
pod's Warning events and, where they matter, the last lines of its logs and the termination message. ${asOnNode} end as on a node.

| Shows | Pod | After | Outcome | Verdict |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

## Owners

Each of these ${ownerCases.length} is applied to a sandbox of three nodes. Compared are what \`kubectl get\` prints of the owner (without NAME, AGE and DURATION), of the pods
(READY, STATUS, RESTARTS, equal ones once with their number) and, where they matter, of other objects, the reasons of all Warning events, the owner's conditions
and how many pods are on each node. A rollout has its second manifest applied after half of the time. ${asInCluster} end as in a cluster.

| Shows | Owner | After | Outcome | Verdict |
| --- | --- | --- | --- | --- |
${ownerRows.join('\n')}
`
}

describe('manifests as in the Kubernetes documentation', () => {
  it.each(manifestCases)('$about', async (manifest) => {
    const { name, yaml, later, seconds, warnings = [], log } = manifest
    const node = new ManifestCluster(['node'])
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
      warnings: await node.warnings(name),
      log: log === undefined ? undefined : await node.log(statuses, log.length),
      terminationMessage:
        manifest.terminationMessage === undefined ? undefined : terminated?.message,
      terminationReason: manifest.terminationReason === undefined ? undefined : terminated?.reason,
    }
    node.stop()
    const { outcome, terminationMessage, terminationReason } = manifest
    expect(seen).toEqual({ outcome, warnings, log, terminationMessage, terminationReason })
  })

  it.each(ownerCases)('$kind: $about', async (manifest) => {
    const { name, kind, yaml, later, seconds, others = {} } = manifest
    const cluster = new ManifestCluster(['n1', 'n2', 'n3'])
    await cluster.start()
    await cluster.apply(yaml)
    await cluster.advance(later === undefined ? seconds : seconds / 2)
    if (later !== undefined) {
      await cluster.apply(later)
      await cluster.advance(seconds / 2)
    }
    const otherRows: Record<string, readonly string[]> = {}
    for (const other of Object.keys(others)) otherRows[other] = await cluster.rows(other)
    const seen = {
      outcome: await cluster.row(kind, name),
      pods: await cluster.pods(),
      perNode: manifest.perNode && (await cluster.perNode()),
      conditions: manifest.conditions && (await cluster.conditions(kind, name)),
      others: otherRows,
      warnings: await cluster.warnings(),
    }
    cluster.stop()
    const { outcome, pods, perNode, conditions, warnings = [] } = manifest
    expect(seen).toEqual({ outcome, pods, perNode, conditions, others, warnings })
  })

  it('are listed in docs/manifests.md', () => {
    if (process.env['NODESCOPE_WRITE_MANIFESTS'] === '1') writeFileSync(page, pageText())
    const squeezed = (text: string): string => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---')
    expect(squeezed(readFileSync(page, 'utf8'))).toBe(squeezed(pageText()))
  })
})
