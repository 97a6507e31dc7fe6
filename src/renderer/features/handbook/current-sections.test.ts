import { describe, expect, it } from 'vitest'
import { fakeDetail, fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'
import { currentSections } from './current-sections.ts'

describe('the sections that describe a pod', () => {
  it('are those of its source and its worker state', () => {
    expect([...currentSections(fakeDetail(fakeRow({ name: 'hello' })))]).toEqual([
      'sources#api-source',
      'pod-workers#sync-functions',
      'containers#runtime-sync',
    ])
  })

  it('include the mirror of a static pod, a back-off and the reason of the summary', () => {
    const web = fakeStaticRow({ name: 'web', mirror: 'stale', worker: 'TerminatingPod' })
    const detail = fakeDetail(web)
    const containers = detail.containers.map((one) => ({ ...one, backOffUntil: 1 }))
    const why = { question: '', lines: [], section: 'termination#cancellation' as const }
    expect([...currentSections({ ...detail, containers, why })]).toEqual([
      'sources#file-source',
      'identity#static-pods',
      'pod-workers#sync-functions',
      'termination#stopping-containers',
      'termination#grace-period',
      'mirror-pods#reconciliation',
      'containers#back-off',
      'termination#cancellation',
    ])
  })
})
