import { noWorkloads } from '../../shared/model/workloads/no-workloads.ts'
import type { OwnerView, WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import { fakeNow } from './fake-views.ts'

/** A Deployment that is as it should be; a test sets only the differences. */
export function fakeOwner(part: Partial<OwnerView> & { readonly name: string }): OwnerView {
  return {
    uid: `uid-of-${part.name}`,
    kind: 'Deployment',
    namespace: 'default',
    parent: null,
    wanted: 2,
    ready: 2,
    note: '',
    tone: 'plain',
    isPaused: false,
    createdAt: fakeNow - 60_000,
    deletedAt: null,
    ...part,
  }
}

export function fakeWorkloads(part: Partial<WorkloadsView> = {}): WorkloadsView {
  return { ...noWorkloads, ...part }
}
