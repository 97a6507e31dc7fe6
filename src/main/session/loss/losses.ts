import type { ActError } from '../../../shared/ipc/contract.ts'
import { forecastLosses } from '../../../shared/model/loss/forecast-loss.ts'
import type { LossForecast, LossResult, LossWay } from '../../../shared/model/loss/loss.ts'
import type { LossCommands } from './loss-commands.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Log } from '../../kubelet/ports.ts'
import type { ClusterSession } from '../cluster/cluster-session.ts'
import type { PresentSandbox } from '../cluster/open-cluster.ts'
import { lossFacts } from './loss-facts.ts'
import { rehearseLoss } from './loss-rehearsal.ts'

const notFound = err({
  kind: 'not-found',
  message: 'This pod is no longer on the node.',
} as const)

const notCopied = err({
  kind: 'refused',
  message:
    'A static pod comes from a manifest, so the API has no pod to copy. The kubelet never evicts it; of these ways only a shutdown of the node ends it.',
} as const)

interface LossesDeps {
  readonly session: Pick<ClusterSession, 'actTarget' | 'knowledge'>
  readonly present: () => Promise<PresentSandbox>
  readonly log: Log
}

/** The ways in which a pod of a sandbox is lost: what they would do, and what they do to a copy of it. */
export class Losses implements LossCommands {
  readonly #deps: LossesDeps

  constructor(deps: LossesDeps) {
    this.#deps = deps
  }

  forecast(key: PodKey): Result<readonly LossForecast[], ActError> {
    const about = lossFacts(this.#deps.session, key)
    if (about === undefined) return notFound
    return about.facts.kind === 'regular' ? ok(forecastLosses(about)) : notCopied
  }

  /** The pod and its cluster stay as they are. */
  async rehearse(key: PodKey, way: LossWay): Promise<Result<LossResult, ActError>> {
    const { session, present, log } = this.#deps
    const target = session.actTarget(key)
    if (target === undefined) return notFound
    if (target.facts.kind !== 'regular') return notCopied
    const { uid: podUid, node } = target
    const done = await rehearseLoss({ present: await present(), podUid, node, way, log })
    return done.ok ? done : err({ kind: 'failed', message: done.error })
  }
}
