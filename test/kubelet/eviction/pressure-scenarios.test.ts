import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { repositoryAssets } from '../../../src/main/session/scenarios/fake-operator.ts'
import { openScenarioCluster } from '../../../src/main/session/scenarios/scenario-cluster.ts'
import { readShippedScenarios } from '../../../src/main/session/scenarios/shipped-scenarios.ts'
import { pressurePresets } from '../../../src/shared/model/pressure/presets.ts'
import type { PressurePreset } from '../../../src/shared/model/pressure/presets.ts'

const shipped = await readShippedScenarios(repositoryAssets)
const node = 'scope-node-1'

/** Who is evicted within five minutes, in order. */
const evicted: Readonly<Record<PressurePreset, readonly string[]>> = {
  'memory-leak': ['cache'],
  'log-flood': ['chatty'],
  'image-disk-full': ['builder', 'web'],
  'fork-bomb': [],
  'burstable-against-guaranteed': ['reports'],
  'priority-against-overuse': ['modest', 'leaking'],
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-pressure-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe('scenarios of a node under pressure', () => {
  it.each(pressurePresets)('%s evicts the pods that it says', async (name) => {
    const read = shipped.find(({ scenario }) => scenario.metadata.name === name)
    if (read === undefined) throw new Error(`no scenario ${name}`)
    const log = new FakeLog()
    const opened = await openScenarioCluster('scenario', read, { folder, version: '0.0.0', log })
    if (!opened.ok) throw new Error(opened.error)
    const cluster = opened.value
    try {
      const before = await cluster.nodes.pressure(node)
      expect(before?.isOn).toBe(true)
      expect(before?.evictions).toEqual([])
      await cluster.virtualClock.advance(300_000)
      const after = await cluster.nodes.pressure(node)
      expect(after?.evictions.map((one) => one.name).toReversed()).toEqual(evicted[name])
    } finally {
      await cluster.stop()
    }
  })
})
