import { describe, expect, it } from 'vitest'
import { FakeBridge } from '../bridge/fake-bridge.ts'
import { fakeStaticRow } from '../bridge/fake-views.ts'
import type { PairFacts } from './mirrors-watch.ts'
import { PairWatch } from './mirrors-watch.ts'
import { RowTable } from './row-table.ts'

const web = fakeStaticRow({ name: 'web' })
const etcd = fakeStaticRow({ name: 'etcd' })

async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await Promise.resolve()
}

function start(): {
  readonly bridge: FakeBridge
  readonly rows: RowTable
  readonly watch: PairWatch
  readonly told: PairFacts[]
} {
  const bridge = new FakeBridge({ rows: [web, etcd] })
  for (const { key } of [web, etcd])
    bridge.setObjects(key, { pod: { key }, mirror: null, status: null })
  const rows = new RowTable()
  rows.replaceAll([web, etcd])
  const told: PairFacts[] = []
  const watch = new PairWatch({ bridge, rows, publish: (facts) => told.push(facts) })
  return { bridge, rows, watch, told }
}

describe('what is known of the chosen pair', () => {
  it('is asked for once at a time, and once more after changes that came meanwhile', async () => {
    const { bridge, rows, watch } = start()
    watch.watch(web.key)
    for (let restarts = 1; restarts <= 5; restarts++) rows.apply([{ ...web, restarts }], [])
    expect(bridge.sentArgs('pod.objects')).toHaveLength(1)
    await settle()
    expect(bridge.sentArgs('pod.objects')).toHaveLength(2)
  })

  it('is never that of a pair chosen before', async () => {
    const { watch, told } = start()
    watch.watch(web.key)
    watch.watch(etcd.key)
    await settle()
    expect(told.filter(({ kind }) => kind === 'known')).toEqual([
      {
        kind: 'known',
        key: etcd.key,
        objects: { pod: { key: etcd.key }, api: null, apiNote: '', mirror: null, status: null },
        history: [],
      },
    ])
  })

  it('is not asked for when nobody looks', async () => {
    const { bridge, rows, watch } = start()
    watch.watch(web.key)
    await settle()
    watch.watch(null)
    const asked = bridge.sentArgs('pod.objects').length
    rows.apply([{ ...web, restarts: 1 }], [])
    await settle()
    expect(bridge.sentArgs('pod.objects')).toHaveLength(asked)
  })
})
