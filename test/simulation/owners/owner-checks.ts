import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import type { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'
import type { ReportViolation } from '../invariants.ts'
import { CronJobChecks } from './cron-job-checks.ts'
import { DependentChecks } from './dependent-checks.ts'
import { JobChecks } from './job-checks.ts'
import { OwnerHistory } from './owner-history.ts'
import type { ObjectChange } from './owner-history.ts'
import { QuietWrites } from './quiet-writes.ts'
import { ReplicaChecks } from './replica-checks.ts'
import { SetChecks } from './set-checks.ts'
import { checkSettledOwners } from './settled-owners.ts'

/** Looks at every write of owners and their dependents (invariants 29 to 39, 43 and 44). */
export class OwnerChecks {
  readonly history: OwnerHistory
  readonly quiet = new QuietWrites()
  readonly #dependents: DependentChecks
  readonly #now: () => number
  readonly #checks: readonly { readonly take: (change: ObjectChange) => void }[]

  constructor({
    cluster,
    report,
  }: {
    readonly cluster: MemorySandbox
    readonly report: ReportViolation
  }) {
    const now = (): number => cluster.clock.now()
    this.#now = now
    const query = { watch: 'true', timeoutSeconds: '100000000' }
    this.history = new OwnerHistory({
      watch: (path) => cluster.send({ method: 'GET', path, query }),
      now,
      onChange: (change) => {
        for (const one of this.#checks) one.take(change)
      },
    })
    const deps = { history: this.history, now, report }
    this.#dependents = new DependentChecks(deps)
    this.#checks = [
      new ReplicaChecks(deps),
      new SetChecks(deps),
      new JobChecks(deps),
      new CronJobChecks(deps),
      this.#dependents,
    ]
  }

  get onEvicted(): DependentChecks['onEvicted'] {
    return this.#dependents.onEvicted
  }

  readonly takeEvent = (event: TraceEvent): void => {
    this.quiet.take(event)
    if (event.kind !== 'object.written' || event.subject.kind !== 'object') return
    const { resourceVersion, user } = event.data
    this.history.written(event.subject.resource, resourceVersion, user)
  }

  /** `mayWait`: whether controllers may still wait to try again. */
  look(report: ReportViolation, mayWait: boolean): void {
    checkSettledOwners({ history: this.history, report, mayWait, now: this.#now() })
  }
}
