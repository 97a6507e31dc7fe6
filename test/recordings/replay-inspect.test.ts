import { expect, it } from 'vitest'
import { redactedInspection } from '../../src/main/recorder/redaction.ts'
import { noInspection } from '../../src/main/session/recorded/past-inspection.ts'
import { readAt } from '../../src/shared/model/inspect/fake-evidence.ts'
import type { InspectView } from '../../src/shared/model/inspect/inspect-view.ts'
import { look, node, secret } from './looked-at.ts'

/** Each second something is read: without the times of that. */
function untimed(view: InspectView): InspectView {
  const rows = view.rows.map((row) => ({
    ...row,
    evidence: row.evidence.map((line) => ({ ...line, at: 0 })),
  }))
  const readings = view.kubelet.readings.map((reading) => ({ ...reading, at: 0 }))
  return { ...view, at: 0, apiReadAt: 0, rows, kubelet: { ...view.kubelet, readings } }
}

it('shows the inspection of a node at each moment as the page showed it, forward and back', async () => {
  const { server, clock, inspected, file, replay } = await look()
  await clock.advance(5000)
  const before = clock.now()
  await clock.advance(1)
  const page = inspected.watch(node, () => undefined)
  const moments: {
    readonly at: number
    readonly quiet: InspectView
    readonly view: InspectView
  }[] = []
  const live = (): InspectView => {
    const view = inspected.view(node)
    if (view === undefined) throw new Error('The node is not inspected.')
    return structuredClone(view)
  }
  const wait = async (): Promise<void> => {
    const news = (view: InspectView) => JSON.stringify(untimed(view))
    for (let step = 0; step < 40; step++) {
      const quiet = live()
      await clock.advance(1100)
      if (news(quiet) === news(live())) moments.push({ at: clock.now(), quiet, view: live() })
    }
  }
  await wait()
  server.isRefused = true
  await wait()
  page.stop()
  await clock.advance(2000)
  const after = clock.now()
  const replayed = await replay()
  const lines = file.text.split('\n').filter((line) => line.includes('"inspect":'))

  expect(new Set(moments.map(({ view }) => view.kubelet.contact))).toEqual(
    new Set(['answers', 'refused']),
  )
  expect(JSON.stringify(moments).includes(secret)).toBe(true)
  expect(file.text.includes(secret)).toBe(false)
  expect(lines.length).toBeLessThan(95)
  for (const { at, quiet, view } of [...moments, ...moments.toReversed()]) {
    replayed.seek(at)
    const hidden = JSON.stringify(untimed(view)).replaceAll(secret, '[environment value]')
    const shown = replayed.inspection(node)
    if (shown === undefined) throw new Error(`The recording has no ${node}.`)
    expect(shown.at).toBe(at)
    expect(untimed(shown), `at ${at}`).toEqual(JSON.parse(hidden))
    // A line is written up to a second later.
    for (const [index, reading] of shown.kubelet.readings.entries())
      expect([quiet, view].map(({ kubelet }) => kubelet.readings[index]?.at)).toContain(reading.at)
  }
  for (const at of [before, after]) {
    replayed.seek(at)
    expect(replayed.inspection(node)).toMatchObject({
      nothing: 'worker-3 was not inspected at this moment of the recording.',
      rows: [],
    })
  }
})

it('tells a page that watches a node each later inspection, and is silent once it has left', async () => {
  const { clock, inspected, replay } = await look()
  await clock.advance(5000)
  const page = inspected.watch(node, () => undefined)
  await clock.advance(5000)
  page.stop()
  const replayed = await replay()
  const views: InspectView[] = []
  const watched = replayed.watchInspection(node, (view) => views.push(view))
  expect(watched?.view.nothing).toContain('not inspected')
  replayed.seek(readAt + 9000)
  expect(views.at(-1)).toMatchObject({ at: readAt + 9000, rows: [{ apiUid: 'uid-1' }] })
  watched?.stop()
  const told = views.length
  replayed.seek(readAt + 1000)
  expect(views.length).toBe(told)
  expect(replayed.watchInspection('worker-9', () => undefined)).toBeUndefined()
})

it('says of a node that was never inspected that there is no inspection of it', async () => {
  const { clock, file, replay } = await look()
  await clock.advance(5000)
  const replayed = await replay()
  expect(file.text).not.toContain('"inspect":')
  expect(replayed.inspection(node)?.nothing).toBe(
    'The recording has no inspection of worker-3: it was not inspected while this was recorded, or an older version recorded it.',
  )
})

it('leaves out the headers and the query of the manifest URL in the configuration of a kubelet', () => {
  const view = noInspection(node, readAt, '')
  const difference = (field: string) => ({ field, value: secret, initial: null })
  const fields = ['staticPodURL', 'staticPodURLHeader.Authorization', 'maxPods']
  const differences = fields.map(difference)
  const configuration = { staticPodPath: '', differences, missingFields: [] }
  const redacted = redactedInspection({ ...view, configuration }, () => [])
  expect(redacted.configuration?.differences).toEqual([difference('maxPods')])
})
