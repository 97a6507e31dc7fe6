import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { withAbsolutePaths } from '../../../src/main/host/completed-configuration.ts'
import { readKubeletConfiguration } from '../../../src/main/host/kubelet-configuration.ts'
import type { EvictionSettings } from '../../../src/main/kubelet/eviction/eviction-settings.ts'
import {
  defaultEvictionHard,
  parseThresholdConfig,
} from '../../../src/main/kubelet/eviction/parse-thresholds.ts'
import type { Statements } from '../../../src/main/kubelet/eviction/parse-thresholds.ts'
import { durationNs } from '../../../src/shared/go/duration.ts'
import { isJsonObject, listAt, objectAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { oracleParameters } from './driving.ts'
import { Refusal } from './oracle.ts'
import { describeOracle } from './oracle-suite.ts'
import { configurationTexts, unusualConfigurations } from './random-configurations.ts'

const numRuns = 150
const counts = { read: 0, lenient: 0, undecodable: 0, invalid: 0, unsupported: 0 }

/** Answer of overlay/nodescope/oracle/configuration.go. */
interface Loaded {
  /** Why the strict decoding failed; empty: it did not. */
  readonly warning: string
  readonly errors: readonly string[]
  readonly configuration: JsonObject
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-configuration-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function ms(value: unknown): number {
  const ns = durationNs(String(value))
  if (!ns.ok) throw new Error(ns.error)
  return ns.value / 1e6
}

/** Go's object in the form of ours. */
function acting(go: JsonObject): unknown {
  const period = objectAt(go, 'crashLoopBackOff')['maxContainerRestartPeriod']
  const headers = Object.entries(objectAt(go, 'staticPodURLHeader'))
  return {
    staticPodPath: go['staticPodPath'] ?? '',
    staticPodURL: go['staticPodURL'] ?? '',
    staticPodURLHeader: headers.flatMap(([name, values]) =>
      (values as readonly string[]).map((value) => ({ name, value })),
    ),
    httpCheckFrequencyMs: ms(go['httpCheckFrequency']),
    maxPods: go['maxPods'],
    registerWithTaints: go['registerWithTaints'] ?? [],
    settings: {
      syncFrequencyMs: ms(go['syncFrequency']),
      fileCheckFrequencyMs: ms(go['fileCheckFrequency']),
      nodeStatusUpdateFrequencyMs: ms(go['nodeStatusUpdateFrequency']),
      nodeStatusReportFrequencyMs: ms(go['nodeStatusReportFrequency']),
      nodeLeaseDurationSeconds: go['nodeLeaseDurationSeconds'],
      nodeStatusMaxImages: go['nodeStatusMaxImages'],
      eventRecordQPS: go['eventRecordQPS'],
      eventBurst: go['eventBurst'],
      registryPullQPS: go['registryPullQPS'],
      registryBurst: go['registryBurst'],
      serializeImagePulls: go['serializeImagePulls'],
      maxParallelImagePulls: go['maxParallelImagePulls'] ?? undefined,
      imageMinimumGCAgeMs: ms(go['imageMinimumGCAge']),
      imageMaximumGCAgeMs: ms(go['imageMaximumGCAge']),
      imageGCHighThresholdPercent: go['imageGCHighThresholdPercent'],
      imageGCLowThresholdPercent: go['imageGCLowThresholdPercent'],
      registerNode: go['registerNode'],
      cgroupsPerQOS: go['cgroupsPerQOS'],
      ...(go['clusterDNS'] === undefined ? {} : { clusterDNS: go['clusterDNS'] }),
      ...(go['clusterDomain'] === undefined ? {} : { clusterDomain: go['clusterDomain'] }),
      shutdownGracePeriodMs: ms(go['shutdownGracePeriod']),
      shutdownGracePeriodCriticalPodsMs: ms(go['shutdownGracePeriodCriticalPods']),
      maxContainerRestartPeriodMs: period === undefined ? 300_000 : ms(period),
      eviction: eviction(go),
    },
  }
}

/** cmd/kubelet/app/server.go and NewMainKubelet make the thresholds; `eviction.test.ts` compares how they are parsed. */
function eviction(go: JsonObject): EvictionSettings {
  const statements = (field: string): Statements => objectAt(go, field) as Statements
  const hard = isJsonObject(go['evictionHard'])
  const isMerged = go['mergeDefaultEvictionSettings'] === true
  const thresholds = parseThresholdConfig({
    evictionHard:
      hard && !isMerged
        ? statements('evictionHard')
        : { ...defaultEvictionHard, ...statements('evictionHard') },
    evictionSoft: statements('evictionSoft'),
    evictionSoftGracePeriod: statements('evictionSoftGracePeriod'),
    evictionMinimumReclaim: statements('evictionMinimumReclaim'),
    enforcesPods: listAt(go, 'enforceNodeAllocatable').includes('pods'),
  })
  if (!thresholds.ok) throw new Error(thresholds.error)
  return {
    thresholds: thresholds.value,
    pressureTransitionPeriodMs: ms(go['evictionPressureTransitionPeriod']),
    maxPodGracePeriodSeconds: Number(go['evictionMaxPodGracePeriod'] ?? 0),
    kernelMemcgNotification: go['kernelMemcgNotification'] === true,
    localStorageCapacityIsolation: go['localStorageCapacityIsolation'] !== false,
    isConfigured: hard || isJsonObject(go['evictionSoft']),
  }
}

/** Hard eviction thresholds are set later, when the kubelet has read the file. */
function expectCompleted(text: string, own: JsonObject, go: JsonObject): void {
  const { apiVersion: _version, kind: _kind, evictionHard, ...theirs } = go
  const { evictionHard: ownThresholds, ...ours } = own
  const taints = (of: JsonObject): unknown => comparableTaints(of['registerWithTaints'])
  expect({ text, ...ours, registerWithTaints: taints(ours) }).toEqual({
    text,
    ...theirs,
    registerWithTaints: taints(theirs),
  })
  if (evictionHard !== undefined && evictionHard !== null)
    expect({ text, ownThresholds }).toEqual({ text, ownThresholds: evictionHard })
}

function unknownFieldsIn(text: string): readonly string[] {
  return [...text.matchAll(/unknown field "[^"]*"/g)].map(([found]) => found)
}

/** The taint with the empty value and effect that Go writes or leaves out. */
function comparableTaints(taints: unknown): unknown {
  if (!Array.isArray(taints)) return taints
  return taints
    .filter(isJsonObject)
    .map(({ key = '', value = '', effect = '' }) => ({ key, value, effect }))
}

await describeOracle(
  {
    name: 'configuration',
    subject: 'configuration',
    title: 'KubeletConfiguration',
    summary: () =>
      `${counts.read} files read (${counts.lenient} leniently), ${counts.undecodable} not decoded and ${counts.invalid} refused as by a kubelet; ${counts.unsupported} more refused on purpose`,
  },
  (oracle) => {
    async function theirs(text: string): Promise<Loaded | Refusal> {
      const path = join(folder, `kubelet-${oracle.asked}.yaml`)
      const answer = oracle.ask('load', { text, path }) as Promise<Loaded>
      return answer.catch((error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      })
    }

    async function both(text: string): Promise<void> {
      const [go, own] = [await theirs(text), readKubeletConfiguration(text)]
      if (go instanceof Refusal) {
        counts.undecodable++
        expect({ text, go: go.message, own }).toMatchObject({ own: { ok: false } })
        if (own.ok || own.error.kind !== 'undecodable') return
        expect(go.message).toContain(own.error.errors[0])
        return
      }
      if (go.errors.length > 0) {
        counts.invalid++
        expect({ text, own }).toMatchObject({ own: { error: { errors: go.errors } } })
        return
      }
      if (!own.ok && own.error.kind === 'unsupported') {
        counts.unsupported++
        expect(own.error.errors[0]).toMatch(/ here\.$/)
        return
      }
      if (!own.ok) throw new Error(`${own.error.errors.join('; ')}: ${text}`)
      counts.read++
      const { configuration, notes } = own.value
      const { staticPodPath, registerWithTaints, completed, ...rest } = configuration
      expectCompleted(text, withAbsolutePaths(completed, folder), go.configuration)
      const own2 = {
        ...rest,
        staticPodPath: staticPodPath === '' ? '' : resolve(folder, staticPodPath),
        registerWithTaints: comparableTaints(registerWithTaints),
      }
      const expected = acting(go.configuration) as JsonObject
      const { registerWithTaints: goTaints } = expected
      expect({ text, ...own2 }).toEqual({
        text,
        ...expected,
        registerWithTaints: comparableTaints(goTaints),
      })
      const lenient = notes.find((note) => note.includes('lenient')) ?? ''
      if (lenient !== '') counts.lenient++
      expect({ text, isLenient: lenient !== '' }).toEqual({ text, isLenient: go.warning !== '' })
      expect(unknownFieldsIn(lenient)).toEqual(unknownFieldsIn(go.warning))
    }

    it.each(unusualConfigurations)('reads %s', async (_, text) => {
      await both(text)
    })

    it('reads random configurations', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(configurationTexts, { minLength: 5, maxLength: 5 }),
          async (texts) => {
            await Promise.all(texts.map(both))
          },
        ),
        oracleParameters(numRuns),
      )
    })
  },
)
