import { cleanup, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import { apiPod } from '../../../shared/model/forecast/fake-act-facts.ts'
import { forecastLosses } from '../../../shared/model/loss/forecast-loss.ts'
import type { LossResult, LossWay } from '../../../shared/model/loss/loss.ts'
import { lossWays } from '../../../shared/model/loss/loss.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakePressure, fakeRanked } from '../../bridge/fake-pressure.ts'
import { fakeRow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
})

const web = fakeRow({ name: 'web' })
const db = fakeRow({ name: 'db' })
const pods = [web, db].map(({ name, uid }) => fakeRanked({ name, uid }))
const about = {
  facts: { ...apiPod, specGraceSeconds: 40, controlledBy: 'ReplicaSet web' },
  tolerationMs: 0,
  drain: { fate: 'evicts', why: '' },
} as const

function resultOf(way: LossWay, part: Partial<LossResult> = {}): LossResult {
  const forecast = forecastLosses(about).find((one) => one.way === way)
  const [end] = forecast?.ends ?? []
  if (forecast === undefined || end === undefined) throw new Error(way)
  const message = forecast.message.replace('…', '40Mi')
  const { condition } = forecast
  return {
    ...forecast,
    forecast,
    isLost: true,
    refusal: '',
    end,
    message,
    condition: { ...condition, message: condition.message.replace('…', '40Mi') },
    budget: 'none',
    replacement: 'web-2',
    haveAllExitedZero: false,
    seconds: 40,
    writes: [{ atSeconds: 1, writer: 'kubelet', what: 'status' }],
    ...part,
  }
}

async function openLosses() {
  const bridge = new FakeBridge({ rows: [web, db] })
  bridge.pressures.set(
    'scope-node-1',
    fakePressure({ rankings: [{ signal: 'memory.available', resource: 'memory', pods }] }),
  )
  bridge.losses.set(web.key, ok(forecastLosses(about)))
  bridge.losses.set(
    db.key,
    err({ kind: 'refused', message: 'A static pod comes from a manifest.' }),
  )
  bridge.lossAnswer = (way) => ok(resultOf(way))
  const page = await openPage(bridge, { view: 'pressure' })
  await page.user.click(await screen.findByRole('radio', { name: 'Ways to lose a pod' }))
  const table = await screen.findByRole('table', { name: 'Ways to lose a pod' })
  return { bridge, table, ...page }
}

describe('Ways to lose a pod', () => {
  it('shows the forecast of each way, and runs one on a copy', async () => {
    const { bridge, table, user } = await openLosses()
    expect(within(table).getAllByRole('button', { name: 'Run' })).toHaveLength(lossWays.length)
    const drain = within(table).getByText('Drain').closest('tbody')
    expect(drain?.textContent).toContain('EvictionByEvictionAPI')
    expect(drain?.textContent).toContain('40 s')
    await user.click(screen.getByTitle('Run Drain'))
    await waitFor(() => expect(drain?.textContent).toContain('Happened'))
    expect(drain?.textContent).toContain('web-2')
    expect(bridge.sentArgs('pod.rehearseLoss')).toEqual([{ key: web.key, way: 'drain' }])
    expect(screen.getByText('1 of 9 run, 1 as forecast')).toBeTruthy()
    const { violations } = await axe.run(document.body)
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('runs all one after the other on A, marks what differs, and clears on R', async () => {
    const { bridge, user } = await openLosses()
    bridge.lossAnswer = (way) =>
      ok(resultOf(way, way === 'taint' ? { graceSeconds: 1, replacement: '' } : {}))
    await user.keyboard('a')
    await screen.findByText('9 of 9 run, 8 as forecast')
    expect(bridge.sentArgs('pod.rehearseLoss')).toEqual(
      lossWays.map((way) => ({ key: web.key, way })),
    )
    expect(screen.getAllByText('differs from the forecast')).toHaveLength(2)
    await user.keyboard('r')
    expect(screen.queryByText('Happened')).toBeNull()
  })

  it('says why a way was not run, and why a pod has no forecast', async () => {
    const { bridge, table, user } = await openLosses()
    bridge.lossAnswer = () => err({ kind: 'failed', message: 'The copy did not start: Pending.' })
    await user.click(screen.getByTitle('Run Drain'))
    expect(await within(table).findByText('Not run: The copy did not start: Pending.')).toBeTruthy()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Pod' }), 'default/db')
    expect(await screen.findByText('A static pod comes from a manifest.')).toBeTruthy()
  })
})
