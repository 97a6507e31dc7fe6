import type { ReactNode } from 'react'
import type { SeenNode } from '../../../shared/model/seen-cluster.ts'
import { useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Note } from '../../ui/Note.tsx'
import { clockText, lastingText } from '../../words/time.ts'

const words = text.clusters.nodes.loss

function Tainted({ loss }: { readonly loss: Extract<SeenNode['loss'], { kind: 'tainted' }> }) {
  const { deletions, taint, staying } = loss
  return (
    <>
      {deletions.length === 0
        ? words.allStay
        : deletions.map(({ at, pods }) => words.deletions(pods, clockText(at))).join(', ')}{' '}
      <code>{words.because(taint)}</code> {staying === 0 ? '' : `${words.staying(staying)} `}
      {words.unseen}
    </>
  )
}

/** What the control plane does with a node that is not Ready, or whose lease is late. */
export function NodeLossNote({
  cluster,
  node,
}: {
  readonly cluster: string
  readonly node: SeenNode
}): ReactNode {
  const { name, loss, lease } = node
  const age = useTicking(
    cluster,
    (now) => (lease === null ? '' : lastingText(now - lease.renewedAt)),
    '',
  )
  if (loss.kind === 'none') return null
  const ready = node.conditions.find(({ type }) => type === 'Ready')
  const isSilent = loss.kind === 'late' || ready?.status === 'Unknown'
  return (
    <Note variant={loss.kind === 'late' ? 'warn' : 'error'} icon="error">
      <p>
        <b>{isSilent && age !== '' ? words.noRenewal(name, age) : words.notReady(name)}</b>{' '}
        {loss.kind === 'late' ? words.lateAt(clockText(loss.unknownAt)) : null}
        {loss.kind === 'tainted' ? <Tainted loss={loss} /> : null}
        {loss.kind === 'notReady' ? `${ready?.message ?? ''} ${words.untainted}`.trim() : null}
      </p>
    </Note>
  )
}
