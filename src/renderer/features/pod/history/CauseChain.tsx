import type { ReactNode } from 'react'
import { useState } from 'react'
import { subjectWords } from '../../../../shared/model/explanation/explanation-words.ts'
import type { CausalChain } from '../../../../shared/model/pod-objects.ts'
import type { TraceSeq } from '../../../../shared/model/trace-event.ts'
import type { Answer } from '../../../store/requests/keyed-request.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import styles from './CauseChain.module.css'
import { causesIn } from './chain-causes.ts'
import { EventText } from './HistoryLine.tsx'

const words = text.pod.history

/** Why there is no chain. */
function stateText({ state, failure }: Answer<CausalChain>): string {
  if (state === 'gone') return words.chainGone
  return failure === '' ? text.common.loading : words.chainLost
}

/** The nearest causes say most; a click shows the others. */
const shownAtFirst = 5

function Causes({
  about,
  chain,
}: {
  readonly about: TraceSeq
  readonly chain: CausalChain
}): ReactNode {
  const [isComplete, setComplete] = useState(false)
  const causes = causesIn(chain, about)
  const shown = isComplete ? causes : causes.slice(-shownAtFirst)
  const older = causes.length - shown.length
  const effects = chain.events.length - causes.length
  return (
    <>
      {older === 0 && chain.isCut ? <p className={styles['note']}>{words.olderGone}</p> : null}
      {older === 0 ? null : (
        <Button variant="quiet" isSmall onClick={() => setComplete(true)}>
          {words.older(older)}
        </Button>
      )}
      <ol>
        {shown.map((event) => (
          <li
            key={event.seq}
            className={classNames(styles['event'], event.seq === about && styles['about'])}
          >
            <EventText event={event}>
              <span className={styles['subject']}>{subjectWords(event.subject)}</span>
            </EventText>
          </li>
        ))}
      </ol>
      {effects === 0 ? null : <p className={styles['note']}>{words.effects(about, effects)}</p>}
    </>
  )
}

/** An event that is not in the list, with its causes, oldest first, below the line that names it. */
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
    <section className={styles['chain']} aria-label={words.chain(about)}>
      <div className={styles['head']}>
        <b>{words.chain(about)}</b>
        <Button variant="quiet" icon="close" isSmall label={words.closeChain} onClick={onClose} />
      </div>
      {answer.value === null ? (
        <output className={styles['note']}>{stateText(answer)}</output>
      ) : (
        <Causes about={about} chain={answer.value} />
      )}
    </section>
  )
}
