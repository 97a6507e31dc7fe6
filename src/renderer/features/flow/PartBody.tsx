import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/assert-never.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { PodSource } from '../../../shared/model/trace-event.ts'
import { shownCluster, shownLoop, shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import type { KeyValue } from '../../ui/KeyValueList.tsx'
import { KeyValueList } from '../../ui/KeyValueList.tsx'
import { Note } from '../../ui/Note.tsx'
import { WorkerState } from '../../ui/WorkerState.tsx'
import { clockText, countText, preciseClockText } from '../../words/time.ts'
import { shortUid } from '../../words/uid.ts'
import { hasWorker } from '../../words/worker-word.ts'
import { useBoard, useFlow } from './flow-context.ts'
import { laneFilter } from './Hits.tsx'
import { Heading, Moves, PodBricks, Pods, Quiet } from './PartLists.tsx'
import type { FlowPart } from './parts.ts'
import { sourceArrows } from './SourceParts.tsx'

function timeText(at: number | null | undefined, never: string): string {
  return at === null || at === undefined ? never : `${preciseClockText(at)} UTC`
}

function ServerBody(): ReactNode {
  const cluster = useAppState((state) => shownCluster(state))
  const api = useFlow((flow) => flow.api)
  const connection = cluster?.connection
  const isCutOff = useAppState((state) => shownNode(state)?.isCutOff === true)
  const items: readonly KeyValue[] = [
    { label: 'address', value: cluster?.server ?? '' },
    { label: 'pods on this node', value: countText(api?.pods ?? 0) },
    { label: 'of them mirrors', value: countText(api?.mirrors ?? 0) },
  ]
  return (
    <>
      {isCutOff || connection?.kind === 'away' ? (
        <Note look="error" icon="unlink">
          <p>
            {isCutOff || connection?.kind !== 'away'
              ? 'Disconnected in Nodescope.'
              : `Unreachable since ${clockText(connection.since)}: ${connection.message}.`}{' '}
            Pods run on; statuses, mirrors and the lease wait.
          </p>
        </Note>
      ) : null}
      <KeyValueList items={items} />
      <Heading>Last written by this kubelet</Heading>
      <Moves
        arrows={['mirrorClient-apiServer', 'statusManager-apiServer', 'nodeController-apiServer']}
        without="Nothing yet."
      />
    </>
  )
}

function SourceBody({ source }: { readonly source: PodSource }): ReactNode {
  const view = useAppState((state) =>
    shownNode(state)?.sources.find((candidate) => candidate.source === source),
  )
  return (
    <>
      <KeyValueList
        items={[
          { label: 'location', value: view?.location ?? 'not used' },
          { label: 'state', value: view?.ready === true ? 'ready' : 'not ready yet' },
        ]}
      />
      {view?.problems.map(({ where, line, message }) => (
        <Note key={`${where} ${line ?? ''} ${message}`} look="error" icon="error">
          <p>
            <code>
              {where}
              {line === null ? '' : `:${line}`}
            </code>{' '}
            {message}
          </p>
        </Note>
      ))}
      <Heading>Pods</Heading>
      <Pods
        test={(row) => row.source === source && row.kind !== 'mirror'}
        filter={`source:${source}`}
        without="This source has sent no pods."
      />
      <Heading>Last sent</Heading>
      <Moves arrows={[sourceArrows[source]]} without="Nothing yet." />
    </>
  )
}

function ConfigBody(): ReactNode {
  return (
    <>
      <Heading>Last merges</Heading>
      <Moves
        arrows={['api-podConfig', 'file-podConfig', 'http-podConfig']}
        without="No merges yet: no source has sent pods."
      />
    </>
  )
}

function LoopBody(): ReactNode {
  const recent = useAppState((state) => shownLoop(state)?.recent)
  const iterations = useFlow((flow) => flow.syncLoop.iterations) ?? 0
  return (
    <>
      <KeyValueList items={[{ label: 'iterations', value: countText(iterations) }]} />
      <Heading>Last taken</Heading>
      {recent === undefined || recent.length === 0 ? <Quiet>Nothing yet.</Quiet> : null}
      <KeyValueList
        items={(recent ?? []).slice(0, 15).map(({ seq, at, text }) => ({
          label: `${preciseClockText(at)} #${seq}`,
          value: text,
        }))}
      />
    </>
  )
}

function ManagerBody(): ReactNode {
  const manager = useFlow((flow) => flow.podManager)
  return (
    <>
      <KeyValueList
        items={[
          { label: 'pods', value: countText(manager?.pods ?? 0) },
          { label: 'mirrors', value: countText(manager?.mirrors ?? 0) },
          { label: 'orphaned mirrors', value: countText(manager?.orphans ?? 0) },
        ]}
      />
      <Heading>UID links, mirror to static</Heading>
      <Pods
        test={(row) => row.kind === 'static' && row.mirrorUid !== null}
        filter="kind:static"
        without="No static pod has a mirror."
        side={(row) => (
          <code title={`mirror ${row.mirrorUid ?? ''}\nstatic ${row.uid}`}>
            {shortUid(row.mirrorUid ?? '')} = {shortUid(row.uid)}
          </code>
        )}
      />
      <Heading>Orphans</Heading>
      <Pods
        test={(row) => row.kind === 'mirror'}
        filter="kind:mirror"
        without="Every mirror has its static pod."
        note={(row) => row.workerReason}
      />
      <Heading>Pods</Heading>
      <Pods test={hasWorker} filter="" without="It has no pods." />
    </>
  )
}

function MirrorBody(): ReactNode {
  const client = useFlow((flow) => flow.mirrorClient.lastCall?.at ?? null)
  const text = useFlow((flow) => flow.mirrorClient.lastCall?.text ?? '')
  return (
    <>
      <KeyValueList
        items={[
          {
            label: 'last call',
            value: client === null ? 'none yet' : `${text ?? ''}, ${timeText(client, '')}`,
          },
        ]}
      />
      <Heading>Out of sync</Heading>
      <Pods
        test={(row) => row.kind === 'mirror' || (row.mirror !== null && row.mirror !== 'matched')}
        filter="mirror:"
        without="Every static pod has a current mirror."
        side={(row) => row.mirror ?? 'orphan'}
        note={(row) => (row.mirrorReason === '' ? row.workerReason : row.mirrorReason)}
      />
      <Heading>Last moves</Heading>
      <Moves
        arrows={['podManager-mirrorClient', 'podWorkers-mirrorClient', 'mirrorClient-apiServer']}
        without="Nothing yet."
      />
    </>
  )
}

function StatusBody(): ReactNode {
  const unsent = useAppState((state) => shownNode(state)?.unsentStatuses)
  const count = useFlow((flow) => flow.statusManager.unsent) ?? 0
  const names = unsent?.names ?? []
  return (
    <>
      <Heading>Unsent</Heading>
      {count === 0 && names.length === 0 ? (
        <Quiet>The API server has every cached status.</Quiet>
      ) : (
        <ul>
          {names.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
          {count > names.length ? (
            <li>
              {countText(count - names.length)} {names.length === 0 ? 'wait to be written' : 'more'}
            </li>
          ) : null}
        </ul>
      )}
      <Heading>Last versions</Heading>
      <Moves
        arrows={['podWorkers-statusManager', 'statusManager-apiServer']}
        without="No status has changed yet."
      />
    </>
  )
}

function NodeBody(): ReactNode {
  const node = useAppState((state) => shownNode(state))
  return (
    <>
      <KeyValueList
        items={[
          { label: 'node', value: node?.name ?? '' },
          { label: 'registered', value: node?.registered === true ? 'yes' : 'not yet' },
          { label: 'STATUS', value: node?.status ?? '' },
          { label: 'lease renewed', value: timeText(node?.leaseRenewedAt, 'never') },
          { label: 'lease lasts', value: `${node?.leaseDurationSeconds ?? 0} s` },
        ]}
      />
      <Heading>Last written</Heading>
      <Moves arrows={['nodeController-apiServer']} without="Nothing yet." />
    </>
  )
}

function PlegBody(): ReactNode {
  const period = useFlow((flow) => flow.pleg.relistPeriodMs) ?? 0
  const last = useFlow((flow) => flow.pleg.lastRelistAt)
  return (
    <>
      <KeyValueList
        items={[
          { label: 'relists every', value: `${period / 1000} s` },
          { label: 'last relist', value: timeText(last, 'none yet') },
        ]}
      />
      <Heading>Last found</Heading>
      <Moves
        arrows={['runtime-pleg', 'pleg-syncLoop']}
        without="No container has started or exited yet."
      />
    </>
  )
}

const laneStates: readonly WorkerStateWord[] = [
  'waiting',
  'TerminatingPod',
  'TerminatedAndRecreatedPod',
  'TerminatedPod',
  'finished',
  'SyncPod',
]

function LaneSection({ state }: { readonly state: WorkerStateWord }): ReactNode {
  return (
    <>
      <Heading>
        <WorkerState state={state} />
      </Heading>
      <Pods
        test={(row) => row.worker === state}
        filter={laneFilter(state)}
        without="none"
        note={(row) => row.workerReason}
      />
    </>
  )
}

function WorkersBody(): ReactNode {
  const forgotten = useFlow((flow) => flow.workers.forgotten) ?? 0
  return (
    <>
      {laneStates.map((state) => (
        <LaneSection key={state} state={state} />
      ))}
      <Heading>Removed by SyncKnownPods</Heading>
      <Quiet>{countText(forgotten)} since the start</Quiet>
    </>
  )
}

function RuntimeBody(): ReactNode {
  const running = useBoard((board) => board.runningContainers)
  return (
    <>
      <KeyValueList items={[{ label: 'containers running', value: countText(running) }]} />
      <Heading>Pod sandboxes and their containers</Heading>
      <Pods
        test={(row) => row.worker === 'SyncPod' || row.worker === 'TerminatingPod'}
        filter=""
        without="Nothing runs."
        side={(row) => <PodBricks row={row} />}
        note={(row) => row.bricks.map(({ name, state }) => `${name} ${state}`).join(', ')}
      />
      <Heading>Last calls</Heading>
      <Moves
        arrows={['podWorkers-runtime-start', 'podWorkers-runtime-stop']}
        without="No container has been started or stopped yet."
      />
    </>
  )
}

/** What a part holds. */
export function PartBody({ part }: { readonly part: FlowPart }): ReactNode {
  switch (part) {
    case 'apiServer':
      return <ServerBody />
    case 'api':
    case 'file':
    case 'http':
      return <SourceBody source={part} />
    case 'podConfig':
      return <ConfigBody />
    case 'syncLoop':
      return <LoopBody />
    case 'podManager':
      return <ManagerBody />
    case 'mirrorClient':
      return <MirrorBody />
    case 'statusManager':
      return <StatusBody />
    case 'nodeController':
      return <NodeBody />
    case 'podWorkers':
      return <WorkersBody />
    case 'pleg':
      return <PlegBody />
    case 'runtime':
      return <RuntimeBody />
    default:
      return assertNever(part, 'part')
  }
}
