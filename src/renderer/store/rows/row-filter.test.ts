import { describe, expect, it } from 'vitest'
import { fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'
import { isInSegment, matchesFilter, parseFilter } from './row-filter.ts'

const web = fakeStaticRow({
  name: 'web-node',
  uid: '4db90dbbbce93ceba5f383ef323ded3f',
  mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
})
const job = fakeRow({
  name: 'web-job',
  namespace: 'jobs',
  status: 'CrashLoopBackOff',
  tone: 'bad',
  worker: 'waiting',
  uid: 'AA11',
})

describe('the filter', () => {
  it.each([
    ['', true, true],
    ['   ', true, true],
    ['web', true, true],
    ['default/web', true, false],
    ['crashloop', false, true],
    ['CRASHLOOP', false, true],
    ['waiting to', false, true],
    ['b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b', true, false],
    ['4db90dbb', true, false],
    ['aa11', false, true],
    ['web !file', false, true],
    ['!web', false, false],
    ['!', true, true],
    ['web job', false, true],
    ['ns:jobs', false, true],
    ['ns:web', false, false],
    ['!ns:jobs', true, false],
    ['mirror:matched', true, false],
    ['kind:static', true, false],
    ['kind:static|regular', true, true],
    ['worker:TerminatedPod|waiting', false, true],
    ['!ns:jobs|nowhere', true, false],
    // While the user types the second one.
    ['ns:jobs|', false, true],
    ['!ns:jobs|', true, false],
    ['ns:', true, true],
    ['|', true, true],
    ['worker:waiting', false, true],
    ['source:file', true, false],
    ['status:crash', false, true],
    ['name:web-j', false, true],
    ['uid:b0c6', true, false],
    // Not a known field, so it is searched as text.
    ['colour:red', false, false],
  ])('%j finds the static pod: %s, the job: %s', (text, findsWeb, findsJob) => {
    const filter = parseFilter(text)
    expect([matchesFilter(web, filter), matchesFilter(job, filter)]).toEqual([findsWeb, findsJob])
  })
})

describe('the segments', () => {
  it('count orphaned mirrors among the static pods', () => {
    expect(isInSegment(fakeRow({ name: 'orphan', kind: 'mirror' }), 'static')).toBe(true)
    expect(isInSegment(web, 'static')).toBe(true)
    expect(isInSegment(job, 'static')).toBe(false)
    expect(isInSegment(job, 'all')).toBe(true)
    expect(isInSegment(job, 'attention')).toBe(true)
    expect(isInSegment(web, 'attention')).toBe(false)
  })
})
