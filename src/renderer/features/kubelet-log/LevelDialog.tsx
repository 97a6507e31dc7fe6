import type { ReactNode } from 'react'
import type { LogFacts } from '../../../shared/model/kubelet-log.ts'
import { certaintyAt, levelFacts } from '../../../shared/model/kubelet-log.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './KubeletLogView.module.css'

const words = text.log

/** What a log of each level tells, and what this one cannot. */
export function LevelDialog({
  verbosity,
  onClose,
}: {
  readonly verbosity: LogFacts['verbosity']
  readonly onClose: () => void
}): ReactNode {
  const level = verbosity?.level ?? null
  const here = level === null ? null : Math.min(4, Math.max(2, level))
  const title = words.level.title(level)
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles['level']}>
        <h2>{title}</h2>
        <p>{words.level.caption}</p>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.level.subject}</th>
              {([2, 3, 4] as const).map((each) => (
                <th
                  key={each}
                  scope="col"
                  className={classNames(each === here && styles['isHere'])}
                >
                  {each === 2 ? words.level.v2 : each === 3 ? words.level.v3 : words.level.v4}
                  {each === here ? ` (${words.level.here})` : ''}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {levelFacts.map((fact) => (
              <tr key={fact.subject}>
                <th scope="row">{words.subjects[fact.subject]}</th>
                {[2, 3, 4].map((each) => (
                  <td
                    key={each}
                    className={classNames(
                      styles[`is-${certaintyAt(fact, each)}`],
                      each === here && styles['isHere'],
                    )}
                  >
                    {words.certainties[certaintyAt(fact, each)]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <span data-autofocus>
          <Button onClick={onClose}>{text.common.close}</Button>
        </span>
      </div>
    </Dialog>
  )
}
