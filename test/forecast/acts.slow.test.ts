import { describe, expect, it } from 'vitest'
import type { Act, ActEffect } from '../../src/shared/model/act.ts'
import { forecastAct } from '../../src/shared/model/forecast/forecast.ts'
import { containerEvents, differences, possibilities, reached } from './agreement.ts'
import type { Outcome } from './agreement.ts'
import { podKinds } from './pod-kinds.ts'
import type { PodKind } from './pod-kinds.ts'
import { ActScenario } from './act-scenario.ts'

/** Each act with the grace that is asked for; null: the pod's own, or not by force. */
const acts: readonly (readonly [Act, number | null])[] = [
  ['kill', null],
  ['kill', 0],
  ['kill', 7],
  ['evictByKubelet', null],
  ['evictThroughApi', null],
  ['evictThroughApi', 0],
  ['evictThroughApi', 7],
  ['delete', null],
  ['delete', 1],
  ['delete', 7],
  ['forceDelete', null],
  ['deleteMirror', null],
  ['deleteMirror', 0],
]

function title(act: Act, seconds: number | null): string {
  return seconds === null ? act : `${act}, ${seconds} s`
}

/** A sync under way that ends after 20 s, and the longest time to the one after it. */
const unknownBackSeconds = 20 + 91

/** Longer than anything that the forecast names. */
function watchedSeconds({ object, restart }: ActEffect): number {
  if (restart !== undefined) return 60 + (restart.wait.latest ?? 20)
  return object.kind === 'replaced' ? (object.back.latest ?? unknownBackSeconds) + 20 : 45
}

/** What forecasts name as possible, and what of it was seen: nothing may be named that never happens. */
const named = new Set<string>()
const seen = new Set<string>()

async function sweep(
  kind: PodKind,
  act: Act,
  seconds: number | null,
  container = '',
): Promise<readonly string[]> {
  const scenario = await ActScenario.open()
  const { key, name } = await kind.make(scenario)
  const forecast = forecastAct(act, scenario.facts(key), seconds, container)
  const from = scenario.events.length
  const clickedAt = scenario.now
  const ran = scenario.running(key)
  const first = { atSeconds: 0, pod: await scenario.object(name) }
  const answer = await scenario.do(act, key, seconds, container)
  if (!forecast.isAllowed) {
    expect(answer).toEqual({ ok: false, error: { kind: 'refused', message: forecast.refusal } })
    scenario.cluster.stop()
    return []
  }
  const samples = await scenario.watch(name, watchedSeconds(forecast.effect))
  const events = containerEvents(scenario.events.slice(from), scenario.uidOf(key), clickedAt)
  scenario.cluster.stop()
  const outcome: Outcome = { answer, samples: [first, ...samples], ran, ...events }
  for (const what of possibilities(forecast.effect)) named.add(`${act}: ${what}`)
  for (const what of reached(forecast.effect, outcome)) seen.add(`${act}: ${what}`)
  return differences(forecast.effect, outcome)
}

/** The containers of a pod of that kind. */
async function containersOf(kind: PodKind): Promise<readonly string[]> {
  const scenario = await ActScenario.open()
  const { key } = await kind.make(scenario)
  const names = scenario.facts(key).containers.map(({ name }) => name)
  scenario.cluster.stop()
  return names
}

describe.each(podKinds)('$title', (kind) => {
  it.each([null, 0, 7])('restartContainer %s, of each container', async (seconds) => {
    for (const container of await containersOf(kind))
      expect({ [container]: await sweep(kind, 'restartContainer', seconds, container) }).toEqual({
        [container]: [],
      })
  })

  it.each(acts)('%s %s', async (act, seconds) => {
    expect({ [title(act, seconds)]: await sweep(kind, act, seconds) }).toEqual({
      [title(act, seconds)]: [],
    })
  })
})

it('forecasts no possible outcome that never occurs', () => {
  expect([...named].filter((what) => !seen.has(what))).toEqual([])
})
