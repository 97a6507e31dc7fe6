import { flowArrows } from '../../shared/model/flow.ts'
import type { FlowArrow } from '../../shared/model/flow-arrows.ts'
import type { FlowArrowView, FlowMove, FlowView } from '../../shared/model/flow.ts'
import { fakeNow } from './fake-views.ts'

/** One move; a test sets only what it needs. */
export function fakeMove(part: Partial<FlowMove> & { readonly arrow: FlowArrow }): FlowMove {
  return {
    seq: 41_200,
    at: fakeNow - 3000,
    text: '',
    podUid: '',
    podName: '',
    certainty: null,
    evidence: '',
    ...part,
  }
}

/** All arrows without activity except the named ones. */
export function fakeArrows(
  moved: Partial<Record<FlowArrow, Partial<FlowArrowView>>> = {},
): readonly FlowArrowView[] {
  return flowArrows.map((arrow) => ({
    sight: 'recorded',
    total: 0,
    lastMinute: 0,
    last: null,
    ...moved[arrow],
    arrow,
  }))
}

/** A kubelet without any activity. */
export function fakeFlow(part: Partial<FlowView> = {}): FlowView {
  return {
    cluster: 'sandbox',
    node: 'scope-node-1',
    now: fakeNow,
    arrows: fakeArrows(),
    recent: [],
    roots: [],
    api: { pods: 0, mirrors: 0 },
    podConfig: { ops: { ADD: 0, UPDATE: 0, REMOVE: 0, RECONCILE: 0, DELETE: 0 } },
    podManager: { pods: 0, mirrors: 0, uidLinks: 0, orphans: 0 },
    pairs: { paired: 0, unpaired: 0 },
    mirrorClient: { calls: 0, lastCall: null },
    statusManager: { cached: 0, unsent: 0, last: null },
    syncLoop: { iterations: 0, last: null },
    pleg: { relistPeriodMs: 1000, lastRelistAt: null },
    prober: { workers: 0, failing: 0, lines: [] },
    volumes: { mounted: 0, waiting: 0, configMaps: 0, secrets: 0, lines: [], objects: [] },
    images: { pulling: [], present: 0, unused: 0, lines: [] },
    workers: { forgotten: 0 },
    ...part,
  }
}
