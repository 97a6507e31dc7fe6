import type { ReactNode } from 'react'
import { subjectWords } from '../../../shared/model/explanation-words.ts'
import type { CausalChain } from '../../../shared/model/pod-objects.ts'
import type { TraceSeq } from '../../../shared/model/trace-event.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import styles from './CauseChain.module.css'
import { EventWords } from './HistoryLine.tsx'

/** What main said about an event that is not in the list. */
export type ChainAnswer =
  | { readonly kind: 'asked' }
  | { readonly kind: 'found'; readonly chain: CausalChain }
  /** It has left the rings. */
  | { readonly kind: 'left' }
  | { readonly kind: 'lost' }

const words: Readonly<Record<Exclude<ChainAnswer['kind'], 'found'>, string>> = {
  asked: 'Asking…',
  left: 'It is no longer kept: the trace holds only the newest events of each pod.',
  lost: 'The connection to Nodescope is lost.',
}

/** An event of another part with its causes and effects, oldest first, beneath the line that named it. */
export function CauseChain({
  about,
  answer,
  onClose,
}: {
  readonly about: TraceSeq
  readonly answer: ChainAnswer
  readonly onClose: () => void
}): ReactNode {
  return (
    <section className={styles['chain']} aria-label={`Chain of #${about}`}>
      <div className={styles['head']}>
        <b>Chain of #{about}</b>
        <Button look="quiet" icon="close" isSmall label="Close the chain" onClick={onClose} />
      </div>
      {answer.kind === 'found' ? (
        <>
          {answer.chain.isCut ? (
            <p className={styles['note']}>Older causes are no longer kept.</p>
          ) : null}
          <ol>
            {answer.chain.events.map((event) => (
              <li
                key={event.seq}
                className={classNames(styles['event'], event.seq === about && styles['about'])}
              >
                <EventWords event={event}>
                  <span className={styles['subject']}>{subjectWords(event.subject)}</span>
                </EventWords>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <output className={styles['note']}>{words[answer.kind]}</output>
      )}
    </section>
  )
}
