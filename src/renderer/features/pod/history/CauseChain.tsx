import type { ReactNode } from 'react'
import { useState } from 'react'
import { subjectWords } from '../../../../shared/model/explanation/explanation-words.ts'
import type { CausalChain } from '../../../../shared/model/pod-objects.ts'
import type { TraceSeq } from '../../../../shared/model/trace-event.ts'
import type { Answer } from '../../../store/requests/keyed-request.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { countOf } from '../../../words/time.ts'
import styles from './CauseChain.module.css'
import { causesIn } from './chain-causes.ts'
import { EventWords } from './HistoryLine.tsx'

function wordsFor({ state, failure }: Answer<CausalChain>): string {
  if (state === 'gone') return 'No longer kept: the trace holds only the newest events of each pod.'
  return failure === '' ? 'Asking…' : 'The connection to Nodescope is lost.'
}

/** The nearest causes say most; the way back to the first one is a click away. */
const shownAtFirst = 5

function Found({
  about,
  chain,
}: {
  readonly about: TraceSeq
  readonly chain: CausalChain
}): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const causes = causesIn(chain, about)
  const shown = isWhole ? causes : causes.slice(-shownAtFirst)
  const older = causes.length - shown.length
  const effects = chain.events.length - causes.length
  return (
    <>
      {older === 0 && chain.isCut ? (
        <p className={styles['note']}>Older causes are no longer kept.</p>
      ) : null}
      {older === 0 ? null : (
        <Button look="quiet" isSmall onClick={() => setWhole(true)}>
          Show {older} older
        </Button>
      )}
      <ol>
        {shown.map((event) => (
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
      {effects === 0 ? null : (
        <p className={styles['note']}>
          #{about} has led to {countOf(effects, 'event')} since.
        </p>
      )}
    </>
  )
}

/** An event of another part with what led to it, oldest first, beneath the line that named it. */
export function CauseChain({
  about,
  answer,
  onClose,
}: {
  readonly about: TraceSeq
  readonly answer: Answer<CausalChain>
  readonly onClose: () => void
}): ReactNode {
  return (
    <section className={styles['chain']} aria-label={`What led to #${about}`}>
      <div className={styles['head']}>
        <b>What led to #{about}</b>
        <Button look="quiet" icon="close" isSmall label="Close the chain" onClick={onClose} />
      </div>
      {answer.value === null ? (
        <output className={styles['note']}>{wordsFor(answer)}</output>
      ) : (
        <Found about={about} chain={answer.value} />
      )}
    </section>
  )
}
