import type { ReactNode } from 'react'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import { useStore, useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { KeyValueList } from '../../ui/KeyValueList.tsx'
import { useAge } from '../../ui/use-times.ts'
import { Course } from './Course.tsx'
import { LeaseChart } from './LeaseChart.tsx'
import { lastingText } from '../../words/time.ts'
import { RelistChart } from './RelistChart.tsx'
import styles from './InspectView.module.css'

const words = text.inspect.node

/** The checks of a kubelet are of interest only if one of them fails. */
function healthText(answer: string): string {
  return answer.endsWith('check passed') ? 'ok' : answer
}

function Figures({ view }: { readonly view: InspectView }): ReactNode {
  const { figures, healthz, syncLoop } = view
  const health = [
    ...(healthz === null ? [] : [{ label: words.healthz, value: healthText(healthz) }]),
    ...(syncLoop === null ? [] : [{ label: words.syncLoop, value: syncLoop }]),
  ]
  if (figures === null)
    return (
      <>
        <KeyValueList items={health} />
        <p className={styles['faint']}>{words.noFigures}</p>
      </>
    )
  const { workers, runningPods, runningContainers } = figures
  const count = (label: string, value: number | null): typeof health =>
    value === null ? [] : [{ label, value: String(value) }]
  return (
    <KeyValueList
      items={[
        ...health,
        ...(workers === null
          ? []
          : [
              {
                label: words.workers,
                value: Object.entries(workers)
                  .map(([state, pods]) => `${pods} ${state}`)
                  .join(', '),
              },
            ]),
        ...count(words.running, runningPods),
        ...count(words.containers, runningContainers),
      ]}
    />
  )
}

/** What a part of the column shows, and where that was read. */
function Title({
  children,
  origin,
}: {
  readonly children: ReactNode
  readonly origin: string
}): ReactNode {
  return (
    <div className={styles['title']}>
      <h2>{children}</h2>
      <span className={styles['source']}>{origin}</span>
    </div>
  )
}

/** A condition of the Node, and since when it is so. */
function Since({
  cluster,
  status,
  since,
}: Omit<InspectView['conditions'][number], 'type'> & { readonly cluster: string }): ReactNode {
  const age = useAge(cluster, since)
  return (
    <>
      {status}
      <span className={styles['since']}>{age}</span>
    </>
  )
}

/** The serving certificate that the user has accepted, and how to end that. */
function AcceptedCertificate({
  cluster,
  view,
}: {
  readonly cluster: string
  readonly view: InspectView
}): ReactNode {
  const { bridge } = useStore()
  const { certificate } = view.kubelet
  if (certificate?.verifiedBy !== 'accepted') return null
  const { fingerprint, subject } = certificate
  const revoke = (): void => {
    const args = { cluster, node: view.node, fingerprint: null }
    void bridge.request('inspect.acceptCertificate', args)
  }
  return (
    <section>
      <h2>{words.accepted}</h2>
      <p className={styles['fingerprint']}>
        {text.inspect.certificate.facts(subject, fingerprint)}
      </p>
      {certificate.isPast ? null : (
        <Button isSmall onClick={revoke}>
          {words.revoke}
        </Button>
      )}
    </section>
  )
}

/** What is missing to ask the kubelet, with the role that allows just that. */
function MissingRights({ kubelet }: { readonly kubelet: InspectView['kubelet'] }): ReactNode {
  const { missingRights, missingRule } = kubelet
  if (missingRights.length === 0) return null
  return (
    <section>
      <h2>{words.missing}</h2>
      <ul>
        {missingRights.map(({ resource, isBroad }) => (
          <li key={resource}>
            <code>{words.get(resource)}</code>
            {isBroad ? <small>{words.broad}</small> : null}
          </li>
        ))}
      </ul>
      <pre className={styles['rule']}>{missingRule}</pre>
      <CopyButton value={missingRule} label={words.copyRule} />
    </section>
  )
}

/** The node itself: its lease and conditions as the API has them, and what its kubelet says. */
export function NodeColumn({
  cluster,
  view,
}: {
  readonly cluster: string
  readonly view: InspectView
}): ReactNode {
  const { lease, conditions, configuration } = view
  const { renewedAt } = lease
  const age = useTicking(
    cluster,
    (now) => (renewedAt === null ? words.never : words.renewed(lastingText(now - renewedAt))),
    '',
  )
  return (
    // What it shows is scrolled with the keyboard, too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <aside className={styles['node']} aria-label={words.label} tabIndex={0}>
      <section>
        <Title origin={words.origins.lease}>{words.lease}</Title>
        <p>{age}</p>
        <LeaseChart cluster={cluster} />
      </section>
      <section>
        <Title origin={words.origins.node}>{words.conditions}</Title>
        <KeyValueList
          items={conditions.map(({ type, ...condition }) => ({
            label: type,
            value: <Since cluster={cluster} {...condition} />,
          }))}
        />
      </section>
      <section>
        <Title origin={words.origins.metrics}>{words.kubelet}</Title>
        <Figures view={view} />
        {view.relists === null ? null : <RelistChart relists={view.relists} now={view.at} />}
      </section>
      <Course samples={view.course} />
      <AcceptedCertificate cluster={cluster} view={view} />
      <MissingRights kubelet={view.kubelet} />
      {configuration === null || configuration.differences.length === 0 ? null : (
        <section>
          <Title origin={words.origins.configuration}>{words.differs}</Title>
          <ul>
            {configuration.differences.map(({ field, value, initial }) => (
              <li key={field}>
                <code>{field}</code>
                <code>{value}</code>
                <small>{words.initial(initial)}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  )
}
